/** What a director can say has happened: procedures that the recorder works out, and forms for the rest. */
import { View, html } from "../../shared/dom.js";
import { text } from "../../shared/texts.js";

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

/** What happens most, the first of them first. */
const USUAL = [
  "challenge",
  "overdraw",
  "not_pressed",
  "clock_wrong_way",
  "blank_unnamed",
  "recount",
];

/**
 * The usual ones first, then those whose titles have all words that were typed.
 * @param {Incident[]} list
 * @param {string} typed
 */
function found(list, typed) {
  const words = typed.toLowerCase().split(/\s+/);
  const rank = (/** @type {Incident} */ { name }) =>
    USUAL.includes(name) ? USUAL.indexOf(name) : USUAL.length;
  return list
    .filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)))
    .sort((a, b) => rank(a) - rank(b));
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
    const shown = found(list, typed);
    /** @param {KeyboardEvent} event */
    const key = (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      if (shown.length) onPick(shown[0]);
    };
    return html`<div class="choices" ref=${this.own}><input type="search" aria-label=${text("search_incident")} placeholder=${text("search_incident")} value=${typed}
        onInput=${(/** @type {Event} */ event) => event.target instanceof HTMLInputElement && this.setState({ typed: event.target.value })} onKeyDown=${key} />
      <div class="incidents">${shown.map((incident, at) => html`<button type="button" key=${incident.title} class=${at === 0 && typed ? "main" : ""} onClick=${() => onPick(incident)}>${incident.title}</button>`)}</div></div>`;
  }
}
