/**
 * Letters in the middle of their tiles: the ink of a letter, not its advance, is what an eye centres.
 * Where the ink lies is asked of the browser, once for each letter and face.
 */
import { View, html } from "../dom.js";

const AT_PX = 200;
/** @type {Map<string, [number, number]>} */
const known = new Map();
const canvas = document.createElement("canvas").getContext("2d");

/**
 * How far the ink's middle lies off the middle of a line of height 1, in em: across and down.
 * @param {string} letter
 * @param {string} face weight and family, as in a CSS `font`
 * @returns {[number, number]}
 */
function offset(letter, face) {
  if (!letter) return [0, 0];
  const key = `${face} ${letter}`;
  const found = known.get(key);
  if (found || !canvas) return found ?? [0, 0];
  const [weight, ...family] = face.split(" ");
  canvas.font = `${weight} ${AT_PX}px ${family.join(" ")}`;
  const ink = canvas.measureText(letter);
  const across = (ink.actualBoundingBoxRight - ink.actualBoundingBoxLeft - ink.width) / 2;
  const line = (ink.fontBoundingBoxAscent - ink.fontBoundingBoxDescent) / 2;
  const down = line - (ink.actualBoundingBoxAscent - ink.actualBoundingBoxDescent) / 2;
  /** @type {[number, number]} */
  const off = [across / AT_PX, down / AT_PX];
  known.set(key, off);
  return off;
}

/** @param {HTMLElement} element */
function place(element) {
  const { fontWeight, fontFamily } = getComputedStyle(element);
  const [across, down] = offset(element.textContent ?? "", `${fontWeight} ${fontFamily}`);
  element.style.translate = `${-across}em ${-down}em`;
}

/**
 * The letter of a tile, its ink in the middle; placed again whenever it is another one.
 * @extends {View<{letter: string}>}
 */
export class Letter extends View {
  componentDidMount() {
    place(this.root);
  }

  componentDidUpdate() {
    place(this.root);
  }

  /** @param {{letter: string}} props */
  render({ letter }) {
    return html`<span class="letter" data-centred data-long=${letter.length} ref=${this.own}>${letter}</span>`;
  }
}

// Before its face is there a letter is measured in another one.
document.fonts.addEventListener("loadingdone", () => {
  known.clear();
  // Asked of the page: a list of our own would keep the tiles of every game before.
  for (const element of document.querySelectorAll("[data-centred]"))
    place(/** @type {HTMLElement} */ (element));
});
