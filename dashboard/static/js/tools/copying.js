/** Addresses of this server, each with a button that copies it. */
import { part } from "../shared/part.js";

/** Let the buttons of all addresses on the page copy what stands beside them. */
export function copyAddresses() {
  for (const button of document.querySelectorAll("[data-path] button"))
    button.addEventListener("click", () => copy(button));
}

/** @param {Element} button */
async function copy(button) {
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
}
