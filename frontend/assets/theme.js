// Sets the theme before the first paint, so that a dark page does not flash white: the one kept, else the system's.
(() => {
  let theme = null;
  try { theme = localStorage.getItem("suanzhang.theme"); } catch { /* storage refused: the system decides */ }
  if (theme !== "light" && theme !== "dark") {
    theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  }
  document.documentElement.setAttribute("data-theme", theme);
})();
