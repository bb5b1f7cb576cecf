/** What the commentator's and the director's pages share: the connection and its visible state. */
import { html, render } from "./dom.js";
import { Link } from "./link.js";
import { allow, hush } from "./motion.js";
import { part } from "./part.js";
import { wake } from "./ticker.js";
import { hasText, text } from "./texts.js";

/** @import { Drawn } from "./dom" */
/** @import { Now, PageData } from "./frames" */

export const page = /** @type {PageData} */ (document.documentElement.dataset);

/** What an address says of an earlier game; empty for the one that is on. */
export const ofGame = page.game ? `?game=${encodeURIComponent(page.game)}` : "";

/**
 * Hours, minutes and seconds of a time of day, in this browser's zone.
 * @param {number} ms
 */
export function timeOfDay(ms) {
  return new Date(ms).toLocaleTimeString("en-GB");
}

/**
 * The time of day of today, and with its day of any other.
 * @param {number} ms
 */
export function dayAndTime(ms) {
  const [day, today] = [new Date(ms), new Date()].map((date) => date.toLocaleDateString("sv"));
  return day === today ? timeOfDay(ms) : `${day} ${timeOfDay(ms)}`;
}

/**
 * How old something is, for people: 4 s, 3 min, 2 h.
 * @param {number} ms
 */
export function age(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`;
}

/**
 * A text in which the options of a command stay whole at the end of a line.
 * @param {string} words
 */
export const worded = (words) =>
  words
    .split(/(--[a-z-]+)/)
    .map((part) => (part.startsWith("--") ? html`<span class="option-name">${part}</span>` : part));

/**
 * A text of the page's language, where the page carries it.
 * @param {string} code
 * @param {string} english
 */
const said = (code, english) => (hasText(code) ? text(code) : english);

/**
 * A tool page: `draw(model, now)` answers the view. Returns the way to draw again.
 * @template M
 * @param {string} path
 * @param {(model: M, now: Now) => Drawn} draw
 * @returns {() => void}
 */
export function openTool(path, draw) {
  const root = part("#tool");
  const state = part("#line");
  /** @type {M | null} */
  let model = null;
  const redraw = () => {
    if (model) render(draw(model, now), root);
    wake();
  };
  const link = new Link(
    path,
    { assets: page.assets, scene: "tool" },
    (/** @type {{frame: M | null, fresh: boolean}} */ { frame, fresh }) => {
      if (fresh) hush();
      if (!model) root.replaceChildren();
      model = frame;
      redraw();
      allow();
    },
    (online) => {
      document.body.dataset.online = String(online);
      state.textContent = online
        ? said("line_live", "live")
        : said("line_lost", "no connection, trying again");
    },
  );
  const now = () => link.clock.now();
  return redraw;
}
