/** The last turns as a score sheet: who, where, what, points and total. The newest stands below. */
import { html } from "../../shared/dom.js";
import { Name } from "../../shared/game/name.js";
import { seated } from "../../shared/game/score.js";
import { signed, written } from "../../shared/game/standing.js";
import { text } from "../../shared/texts.js";
import { Entering, Word, reason } from "./last-play.js";

/** @import { LastPlay, PublicLine, WatchModel } from "../../shared/frames" */

const MOST = 8;
const BOARD_KINDS = new Set(["play", "withdraw"]);

/** @param {PublicLine} line */
function what(line) {
  if (BOARD_KINDS.has(line.kind)) {
    const play = { ...line, total: line.totals[line.player], bonus: 0 };
    return html`<${Word} play=${/** @type {LastPlay} */ (play)} />`;
  }
  if (line.kind === "exchange" && !line.count) return text("did_exchange_some");
  if (["exchange", "pass", "no_play", "unseen"].includes(line.kind))
    return text(`did_${line.kind}`, { count: line.count });
  return reason(line.kind);
}

/** @param {{line: PublicLine}} props */
function Row({ line }) {
  const turn = line.score || ["play", "exchange", "pass", "no_play"].includes(line.kind);
  return html`<${Entering}><div class=${`sheet-row player-${line.player}`}><i class="edge"></i>
    <span class="number figures">${line.n || ""}</span><span class="position figures">${line.position}</span>
    <div class=${`what ${BOARD_KINDS.has(line.kind) ? "" : "plain"}`}>${what(line)}</div>
    <span class="gain figures">${turn ? signed(line.score) : ""}</span>
    <b class="total figures">${written(line.totals[line.player])}</b></div></${Entering}>`;
}

/** @param {{frame: WatchModel}} props */
export function SheetScene({ frame }) {
  const lines = Object.keys(frame.sheet ?? {}).map((_, at) => frame.sheet[at]);
  if (!lines.length) return null;
  const first = Math.max(0, lines.length - MOST);
  return html`<section class="sheet-scene panel"><div class="sheet-head alike">${seated(
    frame.players,
  ).map(
    (
      player,
    ) => html`<div key=${player.number} class=${`sheet-player player-${player.number}`}><i class="edge"></i>
      <${Name} name=${player.name} /><b class="figures">${written(player.score)}</b></div>`,
  )}</div><div class="sheet-rows">${lines.slice(first).map((line, at) => html`<${Row} key=${`${first + at} ${line.kind} ${line.word} ${line.score}`} line=${line} />`)}</div></section>`;
}
