/** For directors: a code for the phone over a table, and the line for the table's agent. */
import { part } from "../shared/part.js";
import { text } from "../shared/texts.js";

/** @import { CameraCode, PageData } from "../shared/frames" */

const { table } = /** @type {PageData} */ (document.documentElement.dataset);
const HERE = ["localhost", "127.0.0.1", "[::1]"];

async function make() {
  const said = await fetch(`/api/camera/${table}/code`, { method: "POST" });
  if (!said.ok) {
    part("#complaint").textContent = text("no_code");
    return;
  }
  /** @type {CameraCode} */
  const { address, source, squares } = await said.json();
  const code = part("#code");
  code.replaceChildren(
    ...squares.map(([x, y, side]) => {
      const square = document.createElementNS(code.namespaceURI, "rect");
      const place = { x, y, width: side, height: side };
      for (const [name, value] of Object.entries(place)) square.setAttribute(name, String(value));
      return square;
    }),
  );
  part("#address").textContent = address;
  part("#source").textContent = `source = "${source}"`;
  part("#made").hidden = false;
  part("#complaint").textContent = complaint();
}

/** What would keep a phone from using the code. */
function complaint() {
  if (HERE.includes(location.hostname)) return text("phones_cannot_reach");
  if (location.protocol !== "https:") return text("camera_needs_tls");
  return "";
}

part("#make").addEventListener("click", make);
