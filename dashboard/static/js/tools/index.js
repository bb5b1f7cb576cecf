/** The index page: addresses with the chosen theme, ready to be copied. */
import { part } from "../shared/part.js";
import { text } from "../shared/texts.js";
import { copyAddresses } from "./copying.js";

const theme = /** @type {HTMLSelectElement} */ (part("#theme"));

const { scenes, table } = document.documentElement.dataset;
/** @type {[name: string, title: string, width: number, height: number][]} */
const SCENES = JSON.parse(scenes ?? "[]");

/**
 * A scene by its name, with its address.
 * @param {typeof SCENES[number]} scene
 */
function row([name, title, width, height]) {
  const path = `/overlay/${name}?table=${table}`;
  const line = Object.assign(document.createElement("div"), { className: "address" });
  line.dataset.path = path;
  const link = Object.assign(document.createElement("a"), { href: path, textContent: title });
  const size = Object.assign(document.createElement("small"), {
    className: "soft",
    textContent: ` ${width} \u00d7 ${height}`,
  });
  const names = document.createElement("span");
  names.append(link, size);
  const button = Object.assign(document.createElement("button"), {
    type: "button",
    textContent: text("copy"),
  });
  line.append(names, document.createElement("code"), button);
  return line;
}

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

part("#scenes").append(...SCENES.map(row));
copyAddresses();
theme.addEventListener("change", refresh);
refresh();
