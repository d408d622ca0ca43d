// Starts the page: loads the compiled program beside this file.
import init from "/assets/page.js";

init({ module_or_path: "/assets/page_bg.wasm" }).catch((error) => {
  const text = document.createElement("p");
  text.setAttribute("role", "alert");
  text.className = "checking";
  text.textContent = "页面未能启动，请重新载入。 The page could not start; please reload. ";
  const detail = document.createElement("code");
  detail.textContent = String(error);
  text.append(detail);
  document.body.append(text);
});
