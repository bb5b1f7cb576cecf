/** Entry of the spectators' pages: all games, or one of them with a link for every move. */
import { html, render } from "../shared/dom.js";
import { allow, hush } from "../shared/motion.js";
import { part } from "../shared/part.js";
import { text } from "../shared/texts.js";
import { wake } from "../shared/ticker.js";
import { Game, linesOf } from "./game.js";
import { hall } from "./hall.js";
import { anchorOf, lineAt } from "./sheet.js";
import { open } from "./source.js";

/** @import { Drawn } from "../shared/dom" */
/** @import { HallModel, WatchModel } from "../shared/frames" */

const { view, delay } = document.documentElement.dataset;
const root = part("#watch");
const late = Math.round(Number(delay) / 1000);
const behind =
  late >= 120
    ? text("behind", { minutes: Math.round(late / 60) })
    : text("behind_s", { seconds: late });

/** @type {WatchModel | HallModel | null} */
let model = null;
/** Games have addresses of their own; a table's leads to the one that is on there. */
const GAMES = "/watch/game/";

/**
 * Give the page the address of its game. Somebody who looks at a move stays with its game when the next
 * one begins at the table.
 * @param {WatchModel} game
 */
function settle({ table, game }) {
  const own = `${GAMES}${table}/${game}`;
  const { pathname, search, hash } = location;
  if (pathname === own || !pathname.startsWith("/watch/")) return;
  if (pathname.startsWith(GAMES) && hash) location.reload();
  else history.replaceState(null, "", own + search + hash);
}

/** @param {string} state */
function tell(state) {
  part("#line").textContent = state || (late ? behind : "");
}

/** @param {number | null} step */
function onStep(step) {
  const lines = linesOf(/** @type {WatchModel} */ (model));
  const { pathname, search } = location;
  history.replaceState(null, "", step === null ? pathname + search : `#${anchorOf(lines, step)}`);
  draw();
}

/** @returns {Drawn} */
function drawn() {
  if (view === "hall") return hall(/** @type {HallModel | null} */ (model), now);
  if (!model) return html`<p class="soft">${text("no_game")}</p>`;
  const game = /** @type {WatchModel} */ (model);
  const lines = linesOf(game);
  const step = lineAt(lines, location.hash);
  return html`<${Game} model=${game} lines=${lines} step=${step} onStep=${onStep} now=${now} />`;
}

/** Steps stand at once; only what happens moves. */
function draw() {
  if (location.hash) hush();
  if (root.ariaBusy === "true") root.replaceChildren();
  root.ariaBusy = "false";
  render(drawn(), root);
  if (!location.hash) requestAnimationFrame(allow);
  wake();
}

/** @type {Record<string, (at: number, end: number) => number | null>} */
const KEYS = {
  ArrowLeft: (at) => Math.max(-1, at - 1),
  ArrowRight: (at, end) => (at + 1 >= end ? null : at + 1),
  Home: () => -1,
  End: () => null,
};

addEventListener("keydown", (event) => {
  if (
    view !== "game" ||
    !model ||
    !(event.key in KEYS) ||
    event.altKey ||
    event.ctrlKey ||
    event.metaKey
  )
    return;
  const within = event.target instanceof HTMLElement && event.target.closest(".scroll");
  if (within && !event.key.startsWith("Arrow")) return;
  const lines = linesOf(/** @type {WatchModel} */ (model));
  const at = lineAt(lines, location.hash) ?? lines.length - 1;
  event.preventDefault();
  onStep(KEYS[event.key](at, lines.length - 1));
});
addEventListener("hashchange", draw);

const now = open((/** @type {WatchModel | HallModel | null} */ heard) => {
  model = heard;
  if (view === "game" && heard) settle(/** @type {WatchModel} */ (heard));
  draw();
}, tell);
