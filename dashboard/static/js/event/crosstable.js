/** All rounds of a division at once; a player's own rounds when their name is chosen. */
import { html } from "../shared/dom.js";
import { signed } from "../shared/game/standing.js";

/** @import { EventRounds, PlayerLine } from "./models" */

/** @param {PlayerLine} line */
function outcome({ own, other, margin }) {
  const apart = margin ?? (own === null || other === null ? null : own - other);
  if (apart === null) return "";
  return apart > 0 ? "W" : apart < 0 ? "L" : "T";
}

/** @param {PlayerLine} line */
function figures({ own, other, margin }) {
  if (own !== null && other !== null) return `${own}–${other}`;
  return margin === null ? "" : signed(margin);
}

/** @param {PlayerLine} line */
const whom = ({ opponent, margin }) =>
  opponent === 0 ? ((margin ?? 0) < 0 ? "absent" : "bye") : (opponent ?? "");

/** @param {{line: PlayerLine}} props */
const Cell = ({ line }) =>
  html`<td class="figure">${outcome(line)} ${whom(line)}<br /><small class="soft">${figures(line)}</small></td>`;

/**
 * @param {{rounds: EventRounds, chosen: number, choose: (id: number) => void}} props
 */
export function Crosstable({ rounds, chosen, choose }) {
  const names = new Map(rounds.players.map(({ id, name }) => [id, name]));
  const last = Math.max(0, ...rounds.players.map((player) => player.rounds.length));
  const own = rounds.players.find(({ id }) => id === chosen);
  return html`<div>
    ${
      own &&
      html`<h3>${own.name}</h3><table class="event-table"><thead><tr><th>Round</th><th>Table</th><th>Opponent</th><th></th><th class="figure">Result</th></tr></thead>
      <tbody>${own.rounds.map(
        (line, n) =>
          html`<tr><td>${n + 1}</td><td>${line.table ?? ""}</td><td>${line.opponent ? names.get(line.opponent) : whom(line)}${line.first && html` <small class="soft">moved first</small>`}</td>
          <td>${outcome(line)}</td><td class="figure">${figures(line)}</td></tr>`,
      )}</tbody></table>${own.projected !== null && html`<p>Rating ${own.rating}, after these games about ${own.projected}. <small class="soft">A projection, as NASPA rates players of 50 games and more.</small></p>`}
      ${own.word && html`<p>Highest word: ${own.word.word} for ${own.word.score}, round ${own.word.round}</p>`}`
    }
    <div class="crosstable"><table class="event-table"><thead><tr><th class="figure">No.</th><th>Player</th>${Array.from(
      { length: last },
      (_, n) => html`<th class="figure">${n + 1}</th>`,
    )}</tr></thead>
    <tbody>${rounds.players.map(
      ({ id, name, rounds: lines }) =>
        html`<tr><td class="figure">${id}</td><td><button type="button" class="seat" aria-pressed=${String(id === chosen)} onClick=${() => choose(id === chosen ? 0 : id)}>${name}</button></td>
        ${lines.map((line) => html`<${Cell} line=${line} />`)}</tr>`,
    )}</tbody></table></div></div>`;
}
