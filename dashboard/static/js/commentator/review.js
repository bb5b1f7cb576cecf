/** What turns gave away against the best plays: after each turn in a line, after the game as a list. */
import { html } from "../shared/dom.js";
import { seated } from "../shared/game/score.js";
import { written } from "../shared/game/standing.js";
import { PlayWord } from "./panels.js";

/** @import { BoothLine, Missed, Named, Review } from "../shared/frames" */

const MOST = 8;
const TURNS = new Set(["play", "exchange", "pass", "no_play", "unseen"]);

/** @param {Missed} turn */
export const lostWords = ({ lost }) => (lost < 0.5 ? "best" : written(-Math.round(lost)));

/** @param {BoothLine} line */
const made = (line) =>
  line.kind === "play"
    ? html`<${PlayWord} text=${line.words[0]} word=${line.word} /> <b class="figures">${line.score}</b>`
    : html`<span class="soft">${line.kind === "exchange" ? "exchange" : "pass"}</span>`;

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
      ? html`<span class="soft">was the best play</span>`
      : html`<span class="soft">gave away ${Math.round(turn.lost)}; best:</span> <${Better} turn=${turn} />`
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
  return html`<section class="card best missed"><h2>Key turns: what was missed</h2>
    ${turns.length === 0 && html`<p class="quiet">No turn could be rated, or each was the best play.</p>`}
    <ol class="plays">${turns.map(({ at, turn }) => {
      const line = sheet[at];
      return html`<li key=${at} class=${`player-${line.player}`}><button class="missed-turn" onClick=${() => onStep(at)}>
        <span class="num">${line.n}</span><span><i class="dot"></i>${players[line.player].name}: ${made(line)}<br /><span class="soft">best</span> <${Better} turn=${turn} /></span>
        <b class="figures">${lostWords(turn)}</b></button></li>`;
    })}</ol></section>`;
}

/** @param {{review: Review | null, players: Named[]}} props */
export function Accuracies({ review, players }) {
  if (!review?.players.some(({ rated }) => rated)) return null;
  return html`<p class="accuracy">Accuracy ${seated(players).map(({ number }) => {
    const { accuracy, lost, rated, turns } = review.players[number];
    const about = `${Math.round(lost)} points given away in ${rated} of ${turns} turns that could be rated`;
    return html`<span key=${number} class=${`player-${number}`} title=${about}><b class="figures">${accuracy === null ? "\u2013" : `${accuracy}%`}</b> <small class="soft">${accuracy === null ? "" : `${written(-Math.round(lost))} pts`}</small></span>`;
  })}</p>`;
}
