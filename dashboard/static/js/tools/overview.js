/** The overview: a table's pages side by side, the overlay over the newest picture of its board. */
import { part } from "../shared/part.js";
import { copyAddresses } from "./copying.js";

const PICTURE_MS = 2000;
const camera = /** @type {HTMLImageElement} */ (part("#camera"));

for (const row of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-path]")))
  part("code", row).textContent = new URL(row.dataset.path ?? "", location.origin).href;
copyAddresses();

/** Draw a pane's page at its own size, as small as the pane is wide. */
const fitted = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    const pane = /** @type {HTMLElement} */ (target);
    const [width, height] = [Number(pane.dataset.width), Number(pane.dataset.height)];
    const scale = contentRect.width / width;
    const frame = /** @type {HTMLElement} */ (part("iframe", pane));
    frame.style.cssText = `width: ${width}px; height: ${height}px; transform: scale(${scale})`;
    pane.style.height = `${Math.round(height * scale)}px`;
  }
});
for (const pane of document.querySelectorAll(".pane")) fitted.observe(pane);

/** Fetch the newest picture; one that does not come leaves the last. */
function look() {
  const next = new Image();
  next.onload = () => {
    camera.src = next.src;
    camera.hidden = false;
  };
  next.src = `/api/table/${document.body.dataset.table}/picture?at=${Date.now()}`;
}
setInterval(look, PICTURE_MS);
look();
