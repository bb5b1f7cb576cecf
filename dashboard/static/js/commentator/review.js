/** What turns gave away against the best plays: after each turn in a line, after the game as a list. */
import { html } from "../shared/dom.js";
import { seated } from "../shared/game/score.js";
import { written } from "../shared/game/standing.js";
import { text } from "../shared/texts.js";
import { PlayWord } from "./panels.js";

/** @import { BoothLine, Missed, Named, Review } from "../shared/frames" */

const MOST = 8;
const TURNS = new Set(["play", "exchange", "pass", "no_play", "unseen"]);

/** @param {Missed} turn */
export const lostWords = ({ lost }) =>
  lost < 0.5 ? text("best_turn") : written(-Math.round(lost));

/** @param {BoothLine} line */
const made = (line) =>
  line.kind === "play"
    ? html`<${PlayWord} text=${line.words[0]} word=${line.word} /> <b class="figures">${line.score}</b>`
    : html`<span class="soft">${text(line.kind === "exchange" ? "kind_exchange" : "kind_pass")}</span>`;

/** @param {{turn: Missed}} props */
const Better = ({ turn: { best } }) =>
  html`<span class="where">${best.position}</span> <${PlayWord} text=${best.text} word=${best.word} /> <b class="figures">${best.score}</b>`;

/** The turn before against the best play for its rack. @param {{review: Review | null, sheet: BoothLine[], players: Named[]}} props */
export function LastTurn({ review, sheet, players }) {
  const at = sheet.findLastIndex((line) => TURNS.has(line.kind));
  const turn = review?.turns[at];
  if (!turn) return null;
  const { name } = players[sheet[at].player];
  return html`<p class="last-turn"><b>${name}</b>: ${made(sheet[at])} ${
    turn.lost < 0.5
      ? html`<span class="soft">${text("was_best")}</span>`
      : html`<span class="soft">${text("gave_away", { points: Math.round(turn.lost) })}</span> <${Better} turn=${turn} />`
  }</p>`;
}

/** After the game: the turns that gave most away. @param {{review: Review, sheet: BoothLine[], players: Named[], onStep: (step: number) => void}} props */
export function WhatWasMissed({ review, sheet, players, onStep }) {
  const turns = Object.entries(review.turns)
    .map(([at, turn]) => ({ at: Number(at), turn }))
    .filter(({ at, turn }) => turn.lost >= 0.5 && sheet[at])
    .sort((a, b) => b.turn.chance - a.turn.chance || b.turn.lost - a.turn.lost)
    .slice(0, MOST)
    .sort((a, b) => a.at - b.at);
  return html`<section class="card best missed"><h2>${text("key_turns_missed")}</h2>
    ${turns.length === 0 && html`<p class="quiet">${text("none_rated")}</p>`}
    <ol class="plays">${turns.map(({ at, turn }) => {
      const line = sheet[at];
      return html`<li key=${at} class=${`player-${line.player}`}><button class="missed-turn" onClick=${() => onStep(at)}>
        <span class="num">${line.n}</span><span><i class="dot"></i>${players[line.player].name}: ${made(line)}<br /><span class="soft">${text("best_turn")}</span> <${Better} turn=${turn} /></span>
        <b class="figures">${lostWords(turn)}</b></button></li>`;
    })}</ol></section>`;
}

/** @param {{review: Review | null, players: Named[]}} props */
export function Accuracies({ review, players }) {
  if (!review?.players.some(({ rated }) => rated)) return null;
  return html`<p class="accuracy">${text("accuracy")} ${seated(players).map(({ number }) => {
    const { accuracy, lost, rated, turns } = review.players[number];
    const about = text("about_accuracy", { lost: Math.round(lost), rated, turns });
    return html`<span key=${number} class=${`player-${number}`} title=${about}><b class="figures">${accuracy === null ? "\u2013" : `${accuracy}%`}</b> <small class="soft">${accuracy === null ? "" : text("points_short", { points: -Math.round(lost) })}</small></span>`;
  })}</p>`;
}
