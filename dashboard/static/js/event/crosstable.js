/** All rounds of a division at once; a player's own rounds when their name is chosen. */
import { html } from "../shared/dom.js";
import { signed } from "../shared/game/standing.js";
import { text } from "../shared/texts.js";
import { publicWord } from "../shared/game/tiles.js";

/** @import { EventRounds, PlayerLine } from "./models" */

/** @param {PlayerLine} line */
function outcome({ own, other, margin }) {
  const apart = margin ?? (own === null || other === null ? null : own - other);
  if (apart === null) return "";
  return text(apart > 0 ? "won_letter" : apart < 0 ? "lost_letter" : "tied_letter");
}

/** @param {PlayerLine} line */
function figures({ own, other, margin }) {
  if (own !== null && other !== null) return `${own}–${other}`;
  return margin === null ? "" : signed(margin);
}

/** @param {PlayerLine} line */
const whom = ({ opponent, bye }) =>
  opponent === 0 ? text(bye ? "is_bye" : "is_absent") : (opponent ?? "");

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
      html`<h3>${own.name}</h3><table class="event-table"><thead><tr><th>${text("round_number", { round: "" })}</th><th>${text("table_head")}</th><th>${text("opponent")}</th><th></th><th class="figure">${text("result_head")}</th></tr></thead>
      <tbody>${own.rounds.map(
        (line, n) =>
          html`<tr><td>${n + 1}</td><td>${line.table ?? ""}</td><td>${line.opponent ? names.get(line.opponent) : whom(line)}${line.first && html` <small class="soft">${text("moved_first")}</small>`}</td>
          <td>${outcome(line)}</td><td class="figure">${figures(line)}</td></tr>`,
      )}</tbody></table>${own.projected !== null && html`<p>${text("projected", { rating: own.rating ?? "", projected: own.projected })} <small class="soft">${text("projected_note")}</small></p>`}
      ${own.word && html`<p>${text("highest_word", { ...own.word, word: publicWord(own.word.word) })}</p>`}`
    }
    <div class="crosstable"><table class="event-table"><thead><tr><th class="figure">${text("move_number")}</th><th>${text("player_head")}</th>${Array.from(
      { length: last },
      (_, n) => html`<th class="figure">${n + 1}</th>`,
    )}</tr></thead>
    <tbody>${rounds.players.map(
      ({ id, name, rounds: lines }) =>
        html`<tr><td class="figure">${id}</td><td><button type="button" class="seat" aria-pressed=${String(id === chosen)} onClick=${() => choose(id === chosen ? 0 : id)}>${name}</button></td>
        ${lines.map((line) => html`<${Cell} line=${line} />`)}</tr>`,
    )}</tbody></table></div></div>`;
}
