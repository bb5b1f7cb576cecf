/** The index page: addresses with the chosen theme, ready to be copied. */
import { part } from "../shared/part.js";
import { copyAddresses } from "./copying.js";

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

copyAddresses();
theme.addEventListener("change", refresh);
refresh();
