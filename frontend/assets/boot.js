// Starts the page: loads the compiled program beside this file.
import init from "/assets/page.js";

// Said until the page has drawn itself; in its place goes the reason when it cannot.
const text = document.getElementById("starting");

init({ module_or_path: "/assets/page_bg.wasm" }).then(() => text.remove(), (error) => {
  text.setAttribute("role", "alert");
  text.textContent = "页面未能启动，请重新载入。 The page could not start; please reload. ";
  const detail = document.createElement("code");
  detail.textContent = String(error);
  text.append(detail);
});
