/**
 * A player's name in a box that does not grow: whole, else condensed, else with initials before the
 * surname, else in two lines, then the surname alone, and at last squeezed. It is never cut: the
 * surname is what people know.
 * Two names that stand for each other, in a box of the class `alike`, are written alike.
 */
import { View, html } from "../dom.js";
import { part } from "../part.js";
import { apart, isFromTheRight } from "../texts.js";

/** @typedef {{name: string, className?: string}} NameProps */
/** @typedef {{text: string, look: string, squeezed: number}} Fit how far it may be squeezed: 1 is not */

const MOST_LINES = 2;
const UNBROKEN = 12;
const graphemes = new Intl.Segmenter();
/** @type {Map<HTMLElement, Name>} by its element */
const shown = new Map();
/** @type {Set<Name>} */
const waiting = new Set();

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

/**
 * The words of a name that have a letter, for emoji are no name; all where none has.
 * @param {string} name
 */
function wordsOf(name) {
  const words = name.trim().split(/\s+/);
  const named = words.filter((word) => LETTER.test(word));
  return named.length ? named : words;
}

/** @param {string} word */
const initial = (word) => `${[...graphemes.segment(word)][0]?.segment ?? ""}.`;

/**
 * First letters of given name and surname: Vera Ashdown is VA. Of a name from the right only one: its
 * letters would join to a word.
 * @param {string} name
 */
export function initialsOf(name) {
  const words = name.split(/[\s-]+/).filter((word) => LETTER.test(word));
  const first = [words[0], ...(words.length > 1 && !isFromTheRight(name) ? words.slice(-1) : [])];
  return first
    .map((word) => letters(word ?? "").find((letter) => LETTER.test(letter)) ?? "")
    .join("")
    .toUpperCase();
}

/**
 * What people call a player for short, kept apart from what stands beside it, for names that are
 * written from the right.
 * @param {string} name
 */
export const surnameOf = (name) => apart(wordsOf(name).at(-1) ?? "");

/**
 * The ways in which a name may be written, the best first.
 * @param {string} name
 * @returns {Fit[]}
 */
export function ways(name) {
  const whole = name.trim();
  const words = wordsOf(whole);
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

/** @param {Name} name */
const line = ({ root }) => part(".written", root);

/**
 * How far a name would have to be squeezed to lie within its box; 0 where it takes too many lines.
 * @param {Name} name
 */
function share(name) {
  const { clientWidth, scrollWidth } = name.root;
  return linesOf(line(name)) > MOST_LINES ? 0 : clientWidth / scrollWidth;
}

/**
 * Write names in the first of their ways that lies within their boxes. All try a way before one is
 * measured: the browser lays the page out once for each way, not for each name.
 * @param {Name[]} names
 * @param {boolean} condensed whether they may not be wide, for the other one is not
 */
function write(names, condensed) {
  let open = names.map((name) => ({
    name,
    left: ways(name.props.name).filter(({ look }) => look || !condensed),
  }));
  while (open.length) {
    for (const { name, left } of open) {
      const { className = "" } = name.props;
      name.root.title = name.props.name;
      line(name).style.transform = "";
      line(name).textContent = left[0].text;
      name.root.className = `name fitted ${className} ${left[0].look}`;
    }
    const tried = open.map((entry) => ({ ...entry, share: share(entry.name) }));
    open = [];
    for (const { name, left, share } of tried) {
      const fits = left.length === 1 || (share > 0 && share >= left[0].squeezed);
      if (!fits) open.push({ name, left: left.slice(1) });
      else if (share < 1) line(name).style.transform = `scaleX(${share})`;
    }
  }
}

/** Fit all names that wait, each pair together, before the next picture. */
function fitWaiting() {
  /** @type {Set<Element>} */
  const pairs = new Set();
  const names = new Set(waiting);
  waiting.clear();
  for (const name of names) {
    const pair = name.root.closest(".alike");
    if (pair) pairs.add(pair);
  }
  const together = [...pairs].map((pair) =>
    [...pair.querySelectorAll(".fitted")].flatMap(
      (box) => shown.get(/** @type {HTMLElement} */ (box)) ?? [],
    ),
  );
  write([...new Set([...names, ...together.flat()])], false);
  const isWide = (/** @type {Name} */ { root }) => !root.classList.contains("condensed");
  write(
    together.filter((pair) => !pair.every(isWide)).flatMap((pair) => pair.filter(isWide)),
    true,
  );
}

/** @extends {View<NameProps>} */
export class Name extends View {
  componentDidMount() {
    shown.set(this.root, this);
    this.fit();
  }

  componentWillUnmount() {
    shown.delete(this.root);
    waiting.delete(this);
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
    if (!waiting.size) queueMicrotask(fitWaiting);
    waiting.add(this);
  }

  render() {
    return html`<span class="name fitted" ref=${this.own}><span class="written"></span></span>`;
  }
}

function fitAll() {
  for (const name of shown.values()) name.fit();
}

document.fonts.addEventListener("loadingdone", fitAll);
addEventListener("resize", fitAll);
