/** What a director can say has happened: procedures that the recorder works out, and forms for the rest. */
import { html } from "../../shared/dom.js";

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

const focus = (/** @type {HTMLButtonElement | null} */ element) => element?.focus();

/** @param {{list: Incident[], onPick: (incident: Incident) => void}} props */
export function Choices({ list, onPick }) {
  return html`<div class="incidents">${list.map((incident, at) => html`<button type="button" ref=${at === 0 ? focus : undefined} onClick=${() => onPick(incident)}>${incident.title}</button>`)}</div>`;
}
