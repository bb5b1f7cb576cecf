/**
 * The fields that forms of orders consist of, and what is read from them.
 */
import { text } from "../../shared/texts.js";
import { playerName } from "../desk.js";

/** @import { FormField } from "../models" */

/** @returns {string[][]} */
const PLAYERS = () => [
  ["0", playerName(0)],
  ["1", playerName(1)],
];
/** @param {string | undefined} said */
export const whole = (said) => (/^\d+$/.test(said ?? "") ? Number(said) : null);

/**
 * @param {string} name
 * @param {string} label
 * @param {Partial<FormField>} other
 * @returns {FormField}
 */
export const field = (name, label, other = {}) => ({ name, label, type: "text", ...other });
/**
 * @param {string} name
 * @param {string} label
 * @param {Partial<FormField>} other
 */
export const number = (name, label, other = {}) => field(name, label, { type: "number", ...other });
/**
 * @param {string} name
 * @param {string} label
 */
export const player = (name = "player", label = text("player")) =>
  field(name, label, { type: "select", options: PLAYERS, value: () => "0" });
/**
 * @param {string} name
 * @param {string} label
 * @param {Partial<FormField>} other
 */
export const check = (name, label, other = {}) => field(name, label, { type: "check", ...other });

/**
 * Minutes and seconds as 12:05, with a minus for overtime; null when it is neither.
 * @param {string | undefined} said
 */
export function readClock(said) {
  const found = /^([-\u2212])?(\d{1,3}):([0-5]\d)$/.exec((said ?? "").trim());
  return found && (Number(found[2]) * 60 + Number(found[3])) * 1000 * (found[1] ? -1 : 1);
}
