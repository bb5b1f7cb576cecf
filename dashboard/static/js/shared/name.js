/**
 * A player's name in a box that does not grow: whole, else condensed, else with initials before the
 * surname, else in two lines, then the surname alone, and at last squeezed. It is never cut: the
 * surname is what people know.
 * Two names that stand for each other, in a box of the class `alike`, are written alike.
 */
import { View, html } from "./dom.js";
import { part } from "./part.js";

/** @typedef {{name: string, className?: string}} NameProps */
/** @typedef {{text: string, look: string, squeezed: number}} Fit how far it may be squeezed: 1 is not */

const MOST_LINES = 2;
const UNBROKEN = 12;
const graphemes = new Intl.Segmenter();
/** @type {Set<Name>} */
const shown = new Set();

const LETTER = /\p{L}/u;

/** @param {string} text */
const letters = (text) => [...graphemes.segment(text)].map(({ segment }) => segment);

/**
 * With soft hyphens, where a line may end within a word that no line holds.
 * @param {string} name
 */
const broken = (name) =>
  name.replace(/[^\s-]+/gu, (word) => {
    const parts = letters(word);
    if (parts.length <= UNBROKEN) return word;
    const [head, middle, tail] = [parts.slice(0, 3), parts.slice(3, -3), parts.slice(-3)];
    return [head.join(""), ...middle, tail.join("")].join("\u00ad");
  });

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
    .filter((word) => LETTER.test(word));
  const first = [words[0], ...(words.length > 1 ? words.slice(-1) : [])];
  return first
    .map((word) => letters(word ?? "").find((letter) => LETTER.test(letter)) ?? "")
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
    { text: broken(text), look: "condensed lines small", squeezed: 1 },
    { text: broken(surname.join("")), look: "condensed lines small", squeezed: 1 },
    { text, look: "condensed", squeezed: 0 },
  ];
}

/**
 * How many lines a text takes; a hyphen at the end of one has a box of its own.
 * @param {HTMLElement} line
 */
const linesOf = (line) => new Set([...line.getClientRects()].map(({ bottom }) => bottom)).size;

/**
 * Write a name in the first of its ways that lies within its box.
 * @param {Name} shown
 * @param {boolean} condensed whether it may not be wide, for the other one is not
 */
function write({ root: box, props: { name, className = "" } }, condensed) {
  const line = part(".written", box);
  line.style.transform = "";
  for (const { text, look, squeezed } of ways(name)) {
    if (condensed && !look) continue;
    line.textContent = text;
    box.className = `name fitted ${className} ${look}`;
    const share = box.clientWidth / box.scrollWidth;
    if (share < squeezed || linesOf(line) > MOST_LINES) continue;
    if (share < 1) line.style.transform = `scaleX(${share})`;
    return;
  }
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

  /** Fit the name, and the other one that it stands for, into their boxes. */
  fit() {
    write(this, false);
    const pair = this.root.closest(".alike");
    if (!pair) return;
    const names = [...shown].filter(({ root }) => pair.contains(root));
    for (const name of names) if (name !== this) write(name, false);
    if (names.some(({ root }) => root.classList.contains("condensed")))
      for (const name of names) write(name, true);
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
