/**
 * The commentator's page: racks, board at any turn, best plays, odds, hooks and the history on one
 * screen, keyboard first. It shows what is known; where a rack or a list is missing it says so.
 */
import { html, render } from "../shared/dom.js";
import { Board } from "../shared/game/board.js";
import { frameAt, squaresOf } from "./game.js";
import { boardsOf, makeUp, unseenAt } from "../shared/game/replay.js";
import { Ending } from "./ending.js";
import { BestPlays, Chance, Draw, Hooks, Players, Pool } from "./panels.js";
import { Notes, formsOf } from "./notes.js";
import { Accuracies, LastTurn, WhatWasMissed } from "./review.js";
import { Sheet } from "./sheet.js";
import { DeviceLink } from "../phone/link.js";
import { allow, hush } from "../shared/motion.js";
import { part } from "../shared/part.js";
import { text } from "../shared/texts.js";
import { openTool, page } from "../shared/tool.js";

/** @import { Best, BoothModel, BoothRack, DrawOdds, Now, Play, Review, Seated } from "../shared/frames" */

const squares = page.premiums.split(" ");
const HIDDEN = "tilecast-hide-best";
const TURNS = new Set(["play", "exchange", "pass", "no_play"]);
const STEP_WAIT_MS = 120;
/**
 * What is shown: the model, the line of the sheet (null: live), a play to try on the board. `best`
 * holds answers about earlier turns, `draw` what is asked about a draw.
 * @type {{model: BoothModel | null, step: number | null, preview: Play | null, less: boolean, hidden: boolean,
 *   best: Map<string, Best>, review: Review | null, reviewed: string, draw: {wanted: string | null, drawn: number | null, odds: DrawOdds | null, asked: string}}}
 */
const view = {
  model: null,
  step: null,
  preview: null,
  less: true,
  hidden: localStorage.getItem(HIDDEN) === "yes",
  best: new Map(),
  review: null,
  reviewed: "",
  draw: { wanted: null, drawn: null, odds: null, asked: "" },
};

/** @param {(at: number) => string | number} from */
const span = (from) => Array.from({ length: 15 }, (_, at) => html`<span>${from(at)}</span>`);

/**
 * The racks shown: those of now, or as they were when the player of an earlier turn pressed.
 * @param {BoothModel} model
 * @returns {BoothRack[]}
 */
function racksShown({ racks, sheet }) {
  if (view.step === null) return racks;
  const line = sheet[view.step];
  return racks.map((_, player) => ({
    seen: player === line.player ? line.rack : line.other,
    counted: null,
  }));
}

/**
 * @param {BoothModel} model
 * @returns {Best | null}
 */
function bestShown(model) {
  const { best, sheet } = model;
  if (view.step === null) return best;
  if (!TURNS.has(sheet[view.step].kind)) return { why: "no_turn" };
  return view.best.get(keyOf(model, view.step)) ?? null;
}

/**
 * What an answer about a line depends on: the board before it, and the rack.
 * @param {BoothModel} model
 * @param {number} step
 */
function keyOf({ sheet, frame }, step) {
  return JSON.stringify([
    frame.game,
    step && boardsOf(sheet)[step - 1],
    sheet[step].rack?.letters,
    sheet[step].player,
  ]);
}

/**
 * High tiles that are still to come: what a commentator wants to know beside S and blanks.
 * @param {BoothModel} model
 */
function usualWish({ frame, pool }) {
  const high = Object.entries(frame.tile_set.values).filter(
    ([letter, value]) => value >= 8 && pool.tiles[letter] > 0,
  );
  return ["?", "S", ...high.map(([letter]) => letter)].join("");
}

/**
 * How many tiles are drawn next: as many as are being laid, else as the last play laid.
 * @param {BoothModel} model
 */
function usualDraw({ frame }) {
  const laying = Object.keys(frame.forming?.squares ?? {}).length;
  return Math.min(7, laying || frame.last_play?.squares?.length || 7);
}

/** @param {BoothModel} model */
function drawShown(model) {
  const { wanted, drawn, odds } = view.draw;
  return { wanted: wanted ?? usualWish(model), drawn: drawn ?? usualDraw(model), odds };
}

/** @param {{model: BoothModel, now: Now}} props */
function Desk({ model, now }) {
  const { frame, sheet, pool, list, chance } = model;
  const { step } = view;
  const live = step === null;
  const decided = live && frame.phase === "over";
  const shown = live ? frame : frameAt(frame, sheet, step);
  const before = live || step === 0 ? null : boardsOf(sheet)[step - 1];
  const preview = view.preview && { squares: squaresOf(view.preview) };
  const board = preview
    ? {
        ...shown,
        board: live ? shown.board : (before ?? shown.board.map(() => ".".repeat(15))),
        forming: preview,
        last_play: null,
      }
    : shown;
  const tiles = live ? frame.unseen.tiles : unseenAt(frame, shown.board);
  const canLess = live && pool.less.length > 0;
  const upTo = live ? sheet : sheet.slice(0, step + 1);
  const word = upTo.findLast((line) => line.kind === "play");
  const less = canLess && view.less;
  return html`<div class=${`commentary ${live ? "" : "past"}`}>
    <div class="left"><${Players} frame=${shown} racks=${racksShown(model)} now=${now} live=${live}
        typing=${page.broker === "yes" && { answers: typedAnswers(), onType: type }} />
      <div class="framed"><div class="rows" aria-hidden="true">${span((at) => at + 1)}</div>
        <${Board} frame=${board} premiums=${squares} labels />
        <div class="cols" aria-hidden="true">${span((at) => "ABCDEFGHIJKLMNO"[at])}</div></div></div>
    <div class="middle">
      ${live && !view.hidden && html`<${Ending} ending=${model.ending} players=${frame.players} />`}
      ${
        decided && view.review
          ? html`<${WhatWasMissed} review=${view.review} sheet=${sheet} players=${frame.players} onStep=${go} />`
          : html`<${BestPlays} best=${bestShown(model)} players=${frame.players} hidden=${view.hidden} turn=${live ? 0 : sheet[step].n}
        last=${live && html`<${LastTurn} review=${view.review} sheet=${sheet} players=${frame.players} />`} onPreview=${showPreview} onToggle=${toggleBest} />`
      }
      <${Chance} win=${decided ? null : live ? chance.win : sheet[step].win} method=${chance.method} players=${frame.players}
        accuracy=${html`<${Accuracies} review=${view.review} players=${frame.players} />`} />
      <${Hooks} line=${word} rows=${shown.board} tiles=${tiles} list=${list} />
      ${!decided && html`<${Draw} draw=${drawShown(model)} pool=${pool} live=${live} onAsk=${askDraw} />`}</div>
    <div class="right">
      <${Pool} tiles=${less ? pool.tiles : tiles} bag=${live ? frame.unseen.bag : Math.max(0, makeUp(tiles, frame.tile_set.vowels).count - 14)} less=${less}
        canLess=${canLess} onToggle=${toggleLess} alphabet=${Object.keys(frame.tile_set.values)} open=${frame.tile_set.vowels} />
      <${Sheet} sheet=${sheet} review=${view.review} step=${step} players=${frame.players} onStep=${go} onMove=${move} />
      <p class="foot soft">${list.name ? text("list_named", { name: list.name, words: (list.count ?? 0).toLocaleString(document.documentElement.lang) }) : text("no_list")}</p></div></div>`;
}

/**
 * The line on which typed racks go to the recorder: opened when the first one is typed.
 * @type {DeviceLink | null}
 */
let typist = null;
/** The number of the rack that was typed last, by player. */
const typed = [0, 0];
const typedAt = [0, 0];
/** A recorder that takes typed racks has had one by then. */
const LONGEST_WAY_MS = 3000;

/**
 * @param {Seated} player
 * @param {string} letters
 */
function type({ number, seat }, letters) {
  typist ??= new DeviceLink(`phone-racks-${page.table}`, `/ws/typing/${page.table}`, {
    onChange: () => redraw(),
  });
  typist.put("rack.typed", { side: seat === "left" ? "L" : "R", letters });
  typed[number] = typist.seq;
  typedAt[number] = Date.now();
  setTimeout(redraw, LONGEST_WAY_MS);
}

/** What is said of a typed rack, by player: nothing once the recorder has it. */
function typedAnswers() {
  return typed.map((seq, number) => {
    const waits = typist?.waiting.some((event) => event.boot === typist?.boot && event.seq === seq);
    if (!seq || !waits) return "";
    if (typist?.taken) return text("typed_elsewhere");
    if (!typist?.isOnline) return text("typed_offline");
    return Date.now() - typedAt[number] < LONGEST_WAY_MS
      ? text("typed_on_way")
      : text("typed_not_taken", { line: `phone-racks-${page.table} = "assistant"` });
  });
}

/** @param {Play | null} play */
function showPreview(play) {
  view.preview = play;
  quietly();
}

/** Draw without movement: stepping through a game is no event of the game. */
function quietly() {
  hush();
  redraw();
  allow();
}

function toggleBest() {
  view.hidden = !view.hidden;
  localStorage.setItem(HIDDEN, view.hidden ? "yes" : "no");
  redraw();
}

function toggleLess() {
  view.less = !view.less;
  redraw();
}

let waiting = 0;

/**
 * Show a line of the sheet; null is live.
 * @param {number | null} step
 */
function go(step) {
  view.step = step;
  view.preview = null;
  quietly();
  document
    .querySelector(step === null ? "tr[data-line]" : `[data-line="${step}"]`)
    ?.scrollIntoView({ block: "nearest" });
  clearTimeout(waiting);
  if (step !== null) waiting = setTimeout(fetchBest, STEP_WAIT_MS);
}

/** @param {string} key */
function move(key) {
  const last = (view.model?.sheet.length ?? 0) - 1;
  if (last < 0) return;
  if (key === "Home") go(0);
  else if (key === "End") go(null);
  else if (key === "ArrowLeft") go(view.step === null ? last : Math.max(0, view.step - 1));
  else if (view.step !== null) go(view.step < last ? view.step + 1 : null);
}

async function fetchBest() {
  const { model, step } = view;
  if (!model || step === null || !TURNS.has(model.sheet[step]?.kind)) return;
  const key = keyOf(model, step);
  if (view.best.has(key)) return;
  const response = await fetch(`/api/booth/${page.table}/best/${step}`).catch(() => null);
  if (response?.ok) view.best.set(key, await response.json());
  else view.best.set(key, { why: "no_answer" });
  redraw();
  if (!response?.ok) view.best.delete(key);
}

/**
 * Ask how the turns compare with the best plays when there is another one, or one was corrected.
 * @param {BoothModel} model
 */
async function keepReview({ frame, sheet, list }) {
  const asked = JSON.stringify([frame.game, sheet.map(({ word, totals }) => [word, totals])]);
  if (!list.name || asked === view.reviewed) return;
  view.reviewed = asked;
  const response = await fetch(`/api/booth/${page.table}/review`).catch(() => null);
  if (view.reviewed !== asked) return;
  view.review = response?.ok ? await response.json() : null;
  redraw();
}

/** The form of both players, as far as the event has it, and one's own notes. */
async function openNotes() {
  if (!view.model) return;
  const { players, event } = view.model.frame;
  notes.showModal();
  const names = players.map(({ name }) => name);
  const forms = await formsOf(names, event?.division);
  render(html`<${Notes} players=${players} forms=${forms} />`, part("#notes-of"));
}

/** @param {{wanted?: string, drawn?: number}} change */
function askDraw(change) {
  Object.assign(view.draw, change);
  redraw();
}

/**
 * Ask for the odds when the question or the tiles that may be drawn have changed.
 * @param {BoothModel} model
 */
async function keepDraw(model) {
  const { wanted, drawn } = drawShown(model);
  const asked = JSON.stringify([wanted, drawn, model.pool.tiles]);
  if (asked === view.draw.asked) return;
  view.draw.asked = asked;
  if (!wanted) {
    view.draw.odds = null;
    return;
  }
  const query = new URLSearchParams({ wanted, drawn: String(drawn) });
  const response = await fetch(`/api/booth/${page.table}/draw?${query}`).catch(() => null);
  if (view.draw.asked !== asked) return;
  view.draw.odds = response?.ok ? await response.json() : null;
  if (!response?.ok) view.draw.asked = "";
  else redraw();
}

const help = /** @type {HTMLDialogElement} */ (part("#help"));
const notes = /** @type {HTMLDialogElement} */ (part("#notes"));
part("#open-notes").addEventListener("click", openNotes);
part("#keys").addEventListener("click", () => help.showModal());

addEventListener("keydown", (event) => {
  if (!view.model || event.ctrlKey || event.metaKey || event.altKey || help.open || notes.open)
    return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.matches("input")) {
    if (event.key === "Escape") target.blur();
    return;
  }
  const { key } = event;
  if (["ArrowLeft", "ArrowRight", "Home", "End"].includes(key)) move(key);
  else if (key === "Escape") go(null);
  else if (key === "b") toggleBest();
  else if (key === "u") toggleLess();
  else if (key === "d")
    /** @type {HTMLInputElement | null} */ (document.querySelector("#wanted"))?.select();
  else if (key === "r")
    /** @type {HTMLElement | null} */ (
      document.querySelector(".on-turn .type-rack input, .type-rack input")
    )?.focus();
  else if (key === "p")
    /** @type {HTMLElement | null} */ (document.querySelector(".plays button"))?.focus();
  else if (["ArrowUp", "ArrowDown"].includes(key) && target.matches(".play")) along(target, key);
  else if (key === "n") openNotes();
  else if (key === "?") help.showModal();
  else return;
  event.preventDefault();
});

/**
 * From one of the best plays to the next; each is shown on the board.
 * @param {Element} button
 * @param {string} key
 */
function along(button, key) {
  const item = button.closest("li");
  const next = key === "ArrowDown" ? item?.nextElementSibling : item?.previousElementSibling;
  next?.querySelector("button")?.focus();
}

const redraw = openTool(`/ws/commentator/${page.table}`, (/** @type {BoothModel} */ model, now) => {
  view.model = model;
  if (view.step !== null && view.step >= model.sheet.length) view.step = null;
  keepDraw(model);
  keepReview(model);
  return html`<${Desk} model=${model} now=${now} />`;
});
setInterval(redraw, 5000); // ages
