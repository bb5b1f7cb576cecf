/** The index page: addresses with the chosen theme, ready to be copied. */
import { part } from "../shared/part.js";

const theme = /** @type {HTMLSelectElement} */ (part("#theme"));

function refresh() {
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (
    document.querySelectorAll("[data-path]")
  )) {
    const path = row.dataset.path ?? "";
    const url = new URL(path, location.origin);
    if (path.startsWith("/overlay") && theme.value !== "studio")
      url.searchParams.set("theme", theme.value);
    /** @type {HTMLAnchorElement} */ (part("a", row)).href = url.href;
    part("code", row).textContent = url.href;
  }
}

for (const button of document.querySelectorAll("[data-path] button")) {
  button.addEventListener("click", async () => {
    const address = part("code", button.closest("[data-path]") ?? document);
    try {
      await navigator.clipboard.writeText(address.textContent ?? "");
      button.textContent = "Copied";
    } catch {
      // Without https some browsers keep the clipboard to themselves: select it instead.
      getSelection()?.selectAllChildren(address);
      button.textContent = "Selected";
    }
    setTimeout(() => {
      button.textContent = "Copy";
    }, 1600);
  });
}
theme.addEventListener("change", refresh);
refresh();
