/**
 * A player's name in a box that does not grow: whole, else condensed, else with initials before the
 * surname, else in two lines, and at last squeezed. It is never cut: the surname is what people know.
 */
import { View, html } from "./dom.js";
import { part } from "./part.js";

/** @typedef {{name: string, className?: string}} NameProps */
/** @typedef {{text: string, look: string, squeezed: number}} Fit how far it may be squeezed: 1 is not */

const MOST_LINES = 2;
const graphemes = new Intl.Segmenter();
/** @type {Set<Name>} */
const shown = new Set();

/** @param {string} word */
const initial = (word) => `${[...graphemes.segment(word)][0]?.segment ?? ""}.`;

/**
 * A name as it is said: "Ashdown, Vera" is Vera Ashdown.
 * @param {string} name
 */
export function spoken(name) {
  const [surname, given, ...rest] = name.split(",").map((part) => part.trim());
  return given && !rest.length ? `${given} ${surname}` : name;
}

/**
 * First letters of given name and surname: "Ashdown, Vera" is VA.
 * @param {string} name
 */
export function initialsOf(name) {
  const words = spoken(name)
    .split(/[\s-]+/)
    .filter(Boolean);
  const first = [words[0], ...(words.length > 1 ? words.slice(-1) : [])];
  return first
    .map((word) => [...graphemes.segment(word ?? "")][0]?.segment ?? "")
    .join("")
    .toUpperCase();
}

/**
 * The ways in which a name may be written, the best first.
 * @param {string} name
 * @returns {Fit[]}
 */
export function ways(name) {
  const whole = spoken(name).trim();
  const words = whole.split(/\s+/);
  const rest = words.slice(1);
  const surname = words.slice(-1);
  const ways = [
    { text: whole, look: "", squeezed: 1 },
    { text: whole, look: "condensed", squeezed: 1 },
  ];
  if (rest.length)
    ways.push({ text: [initial(words[0]), ...rest].join(" "), look: "condensed", squeezed: 1 });
  if (rest.length > 1) {
    const initials = words.slice(0, -1).map(initial);
    ways.push({ text: [...initials, ...surname].join(" "), look: "condensed", squeezed: 1 });
  }
  const { text } = ways[ways.length - 1];
  return [
    ...ways,
    { text, look: "condensed", squeezed: 0.82 },
    { text, look: "condensed lines", squeezed: 1 },
    { text, look: "condensed", squeezed: 0 },
  ];
}

/** @extends {View<NameProps>} */
export class Name extends View {
  componentDidMount() {
    shown.add(this);
    this.fit();
  }

  componentWillUnmount() {
    shown.delete(this);
  }

  /** @param {NameProps} next */
  shouldComponentUpdate(next) {
    const changed = next.name !== this.props.name || next.className !== this.props.className;
    this.props = next;
    if (changed) this.fit();
    return false;
  }

  /** Try one way after the other until the name lies within its box. */
  fit() {
    const box = this.root;
    const line = part(".written", box);
    const { name, className = "" } = this.props;
    line.style.transform = "";
    for (const { text, look, squeezed } of ways(name)) {
      line.textContent = text;
      box.className = `name fitted ${className} ${look}`;
      const share = box.clientWidth / box.scrollWidth;
      if (share < squeezed || line.getClientRects().length > MOST_LINES) continue;
      if (share < 1) line.style.transform = `scaleX(${share})`;
      return;
    }
  }

  render() {
    return html`<span class="name fitted" ref=${this.own} title=${this.props.name}><span class="written"></span></span>`;
  }
}

function fitAll() {
  for (const name of shown) name.fit();
}

document.fonts.addEventListener("loadingdone", fitAll);
addEventListener("resize", fitAll);
