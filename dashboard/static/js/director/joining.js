/** Devices without a key that ask to join: which they are, what each may become, one button. */
import { html, render } from "../shared/dom.js";
import { ask } from "./asking.js";
import { part } from "../shared/part.js";
import { text as worded } from "../shared/texts.js";

/** @import { JoiningDevice, JoinPlace } from "./frames" */

/** What went wrong with the last answer; empty when nothing did. */
let fault = "";
/** @type {JoiningDevice[]} */
let shown = [];

/** @param {JoiningDevice} device */
const asksOf = ({ kind, name, number }) => worded(`join_asks_${kind}`, { name, number });

/** @param {JoinPlace} place */
const placeOf = ({ page, table }) => worded(`join_as_${page}`, { table });

/**
 * @param {JoiningDevice} device
 * @param {string} method
 * @param {JoinPlace} [place]
 */
async function answer(device, method, place) {
  try {
    await ask(method, `/api/joining/${device.number}`, place);
    fault = "";
    shown = shown.filter(({ number }) => number !== device.number);
  } catch (refused) {
    fault = refused.message;
  }
  showJoining(shown);
}

/** @param {{device: JoiningDevice}} props */
function Device({ device }) {
  const { places, kind, presses, address } = device;
  const onAdd = (/** @type {SubmitEvent & {currentTarget: HTMLFormElement}} */ event) => {
    event.preventDefault();
    const chosen = new FormData(event.currentTarget).get("place");
    answer(device, "POST", places[Number(chosen)]);
  };
  return html`<form class="joins" onSubmit=${onAdd}><b>${asksOf(device)}</b>
    <span class="soft">${address}${kind === "clock" ? `, ${worded("join_pressed", { count: presses })}` : ""}</span>
    ${
      places.length > 0
        ? html`<label>${worded("join_add_as")} <select name="place">${places.map((place, at) => html`<option value=${at}>${placeOf(place)}</option>`)}</select></label><button class="main">${worded("join_add")}</button>`
        : html`<span>${worded("join_no_place")}</span>`
    }
    <button type="button" onClick=${() => answer(device, "DELETE")}>${worded("join_refuse")}</button></form>`;
}

/** @param {JoiningDevice[]} devices */
export function showJoining(devices) {
  shown = devices;
  render(
    html`${devices.map((device) => html`<${Device} key=${device.number} device=${device} />`)}${fault && html`<p class="joins">${fault}</p>`}`,
    part("#joining"),
  );
}

/**
 * What calls the director, by a key that stays while a device asks.
 * @param {JoiningDevice[]} devices
 * @returns {[string, string][]}
 */
export const joiningCalls = (devices) =>
  devices.map((device) => [`join ${device.number}`, asksOf(device)]);
