/** Addresses of this server, each with a button that copies it. */
import { part } from "../shared/part.js";
import { text } from "../shared/texts.js";

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
    button.textContent = text("copied");
  } catch {
    // Without https some browsers keep the clipboard to themselves: select it instead.
    getSelection()?.selectAllChildren(address);
    button.textContent = text("selected");
  }
  setTimeout(() => {
    button.textContent = text("copy");
  }, 1600);
}
