/** What a director can say has happened: procedures that the recorder works out, and forms for the rest. */
import { View, html } from "../../shared/dom.js";
import { text as worded } from "../../shared/texts.js";

/** @import { Act, Incident } from "../models" */

/**
 * What can be chosen: first what is begun, then what has a form only.
 * @param {{begun: Incident[], incidents: Incident[]}} answer
 * @returns {Incident[]}
 */
export function choices({ begun, incidents }) {
  return [...begun.map((incident) => ({ ...incident, begins: true })), ...incidents];
}

/**
 * The order that begins what was chosen.
 * @param {Incident} incident
 * @param {string} key
 * @param {Record<string, number | string | boolean>} facts
 * @param {number} notice the row that it was opened from
 * @returns {Act}
 */
export function beginning({ name }, key, facts, notice = 0) {
  return { type: "order.procedure.begin", data: { key, code: name, facts, notice } };
}

/**
 * Under which head each stands, by names, in this order. What happens most stands first; what has no
 * place of its own is about the players.
 * @type {[string, string][]}
 */
const GROUPS = [
  ["usual", "challenge overdraw not_pressed clock_wrong_way blank_unnamed recount"],
  ["clock", "accidental_press clock_stopped overtime"],
  [
    "tiles",
    "underdraw out_of_order drew_alone courtesy exchange_number illegal_exchange improper_return left_in_bag loose_tile spill foreign_tile tile_check",
  ],
  [
    "board",
    "illegal_placement orientation tile_moved wrong_removal wrong_verdict drawn_while_waiting blank_dispute slip_leftover",
  ],
  ["end", "play_out six_zero resignation result_slip"],
  ["players", ""],
];

/**
 * Those whose titles have all words that were typed, by group.
 * @param {Incident[]} list
 * @param {string} typed
 */
function found(list, typed) {
  const words = typed.toLowerCase().split(/\s+/);
  const left = list.filter(({ title }) =>
    words.every((word) => title.toLowerCase().includes(word)),
  );
  const places = GROUPS.map(([, names]) => names.split(" "));
  /** @param {Incident} incident */
  const groupOf = ({ name }) => {
    const at = places.findIndex((names) => names.includes(name));
    return at < 0 ? GROUPS.length - 1 : at;
  };
  return GROUPS.map(([code], at) => ({
    code,
    incidents: left
      .filter((incident) => groupOf(incident) === at)
      .sort((a, b) => places[at].indexOf(a.name) - places[at].indexOf(b.name)),
  })).filter(({ incidents }) => incidents.length);
}

/**
 * Everything that may have happened, with a field to search it: Enter takes the first that fits.
 * @extends {View<{list: Incident[], onPick: (incident: Incident) => void}, {typed: string}>}
 */
export class Choices extends View {
  componentDidMount() {
    this.root.querySelector("input")?.focus();
  }

  /** @param {{list: Incident[], onPick: (incident: Incident) => void}} props @param {{typed?: string}} state */
  render({ list, onPick }, { typed = "" }) {
    const groups = found(list, typed);
    const shown = groups.flatMap(({ incidents }) => incidents);
    /** @param {KeyboardEvent} event */
    const key = (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      if (shown.length) onPick(shown[0]);
    };
    return html`<div class="choices" ref=${this.own}><input type="search" autofocus aria-label=${worded("search_incident")} placeholder=${worded("search_incident")} value=${typed}
        onInput=${(/** @type {Event} */ event) => event.target instanceof HTMLInputElement && this.setState({ typed: event.target.value })} onKeyDown=${key} />
      <div class="incidents">${groups.map(({ code, incidents }) => html`<h3 key=${code}>${worded(`group_${code}`)}</h3>${incidents.map((incident) => html`<button type="button" key=${incident.title} class=${incident === shown[0] && typed ? "main" : ""} onClick=${() => onPick(incident)}>${incident.title}</button>`)}`)}</div></div>`;
  }
}
