/** The round as drawn, to be changed before it is published: by dragging, or with the keyboard. */
import { html } from "../shared/dom.js";
import { text } from "../shared/texts.js";

/** @import { EventDraw } from "./models" */
/** @typedef {{row: number, seat: number}} Place the bye is row -1 */

/** @type {Place | null} */
let picked = null;

/**
 * @param {EventDraw} draw
 * @param {Place} place
 */
const at = (draw, { row, seat }) => (row < 0 ? draw.bye : draw.pairs[row].players[seat]);

/**
 * @param {EventDraw} draw
 * @param {Place} place
 * @param {number} number
 */
function seatPlayer(draw, { row, seat }, number) {
  if (row < 0) {
    draw.bye = number;
    return;
  }
  const pair = draw.pairs[row];
  pair.players[seat] = number;
  pair.why = text("set_by_hand");
  pair.repeat = false;
  pair.locked = true;
}

/**
 * Two players change places; what either pair was drawn for no longer holds.
 * @param {EventDraw} draw
 * @param {Place} from
 * @param {Place} to
 */
function exchange(draw, from, to) {
  const [first, second] = [at(draw, from), at(draw, to)];
  if (first === null || second === null || first === second) return;
  seatPlayer(draw, from, second);
  seatPlayer(draw, to, first);
}

/**
 * The order that publishes the round.
 * @param {EventDraw} draw
 */
export function wordsOf(draw) {
  const games = draw.pairs.map(({ table, players }) => `${table}:${players.join("-")}`);
  const bye = draw.bye === null ? [] : ["bye", String(draw.bye)];
  const out = draw.out.length ? ["out", ...draw.out] : [];
  const again = draw.again ? ["again"] : [];
  return ["round", draw.division, draw.round, ...games, ...bye, ...out, ...again].join(" ");
}

/**
 * @param {{draw: EventDraw, names: Map<number, string>, changed: () => void, again: () => void}} props
 */
export function DrawnRound({ draw, names, changed, again }) {
  /** @param {Place} place */
  const choose = (place) => {
    if (picked) {
      exchange(draw, picked, place);
      picked = null;
    } else picked = place;
    changed();
  };
  /** @param {{place: Place}} props */
  const Seat = ({ place }) => {
    const number = at(draw, place);
    const is = picked?.row === place.row && picked.seat === place.seat;
    return html`<button type="button" class="seat" draggable="true" aria-pressed=${String(is)} onClick=${() => choose(place)}
      onDragStart=${() => {
        picked = place;
      }} onDragOver=${(/** @type {Event} */ event) => event.preventDefault()}
      onDrop=${(/** @type {Event} */ event) => {
        event.preventDefault();
        choose(place);
      }}>${number} ${names.get(number ?? 0)}</button>`;
  };
  return html`<section class="drawn"><h3>${text("not_published", { division: draw.division, round: draw.round })}</h3>
    <p class="soft">${text("publish_above")}</p>
    <table class="event-table"><thead><tr><th>${text("table_head")}</th><th>${text("goes_first")}</th><th>${text("goes_second")}</th><th>${text("locked_head")}</th><th>${text("why_head")}</th></tr></thead>
    <tbody>${draw.pairs.map(
      (
        pair,
        row,
      ) => html`<tr><td>${pair.table}</td><td><${Seat} place=${{ row, seat: 0 }} /></td><td><${Seat} place=${{ row, seat: 1 }} /></td>
      <td><input type="checkbox" aria-label=${text("lock_table", { table: pair.table })} checked=${pair.locked} onChange=${() => {
        pair.locked = !pair.locked;
        changed();
      }} /></td><td>${pair.repeat && html`<b>${text("repeat")} </b>`}${pair.why}</td></tr>`,
    )}</tbody></table>
    ${draw.bye !== null && html`<p>${text("bye_colon")} <${Seat} place=${{ row: -1, seat: 0 }} /></p>`}
    ${draw.out.length > 0 && html`<p>${text("sitting_out", { names: draw.out.map((number) => `${number} ${names.get(number)}`).join("; ") })}</p>`}
    <button type="button" onClick=${() => {
      for (const pair of draw.pairs) pair.locked = true;
      changed();
    }}>${text("lock_all")}</button>
    <button type="button" onClick=${again}>${text("pair_rest")}</button></section>`;
}
