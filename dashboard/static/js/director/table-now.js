/** The table at one moment: both players, the board or its photographs, bag, and the way back in time. */
import { CALLS, Countdown } from "../shared/countdown.js";
import { Board } from "../shared/board.js";
import { Clock } from "../shared/clock.js";
import { html } from "../shared/dom.js";
import { Name } from "../shared/name.js";
import { change, chosen, lookAt, view } from "./desk.js";
import { Photographs, hasPhotographs } from "./photographs.js";
import { Pictures } from "./pictures.js";
import { written } from "../shared/standing.js";
import { page, timeOfDay } from "../shared/tool.js";

/** @import { DeskModel, SensedRack, Senses } from "./models" */
/** @import { Frame, Now, Player as Number } from "../shared/frames" */

const squares = page.premiums.split(" ");
/** @param {(at: number) => string | number} from */
const span = (from) => Array.from({ length: 15 }, (_, at) => html`<span>${from(at)}</span>`);

/**
 * What is known of a rack: letters with their doubt, a number, or nothing.
 * @param {{rack: SensedRack | null, typed: boolean, now: number}} props
 */
function Rack({ rack, typed, now }) {
  if (!rack) return html`<span class="rack none">rack not seen</span>`;
  const late = now - rack.at > 60000 ? `, ${Math.round((now - rack.at) / 60000)} min ago` : "";
  if (!rack.letters)
    return html`<span class="rack">${rack.count} ${rack.count === 1 ? "tile" : "tiles"} counted${late}</span>`;
  return html`<span class="rack" aria-label=${`rack ${rack.letters}`}>${[...rack.letters].map(
    (letter, at) =>
      html`<i class=${rack.doubtful.includes(at + 1) ? "unsure" : ""} title=${rack.doubtful.includes(at + 1) ? "not sure" : ""}>${letter}</i>`,
  )}<small>${typed ? "typed" : rack.count}${late}</small></span>`;
}

/** @param {{number: number, frame: Frame, senses: Senses, now: Now}} props */
function Player({ number, frame, senses, now }) {
  const player = frame.players[number];
  return html`<div class=${`seat player-${number} ${player.on_turn ? "on-turn" : ""}`}>
    <div class="who"><i class="dot"></i><${Name} name=${player.name} />${player.on_turn && html`<small>on turn</small>`}</div>
    <b class="total">${written(player.score)}</b>
    ${frame.clock && html`<${Clock} key=${view.at ?? "live"} clock=${frame.clock} player=${number} now=${now} />`}
    <${Rack} rack=${senses.racks[number] ?? senses.typed[number]} typed=${!senses.racks[number]} now=${now()} /></div>`;
}

/**
 * The rows at which the record changed: where the scrubber stops.
 * @param {DeskModel} model
 */
const stops = (model) => model.timeline.map((item) => item.seq).sort((a, b) => a - b);

/** @param {number} by */
export function step(by) {
  const all = view.model ? stops(view.model) : [];
  const here = view.at === null ? all.length : all.indexOf(view.at);
  const next = Math.max(0, here + by);
  lookAt(next >= all.length ? null : all[next]);
}

/** @type {[photographs: boolean, text: string][]} */
const SHOWN = [
  [true, "Photographs"],
  [false, "Board"],
];

/** @param {{model: DeskModel, now: Now}} props */
export function Table({ model, now }) {
  const past = view.at === null ? null : view.moment;
  const { frame, senses } = past ?? model;
  const all = stops(model);
  const place = view.at === null ? all.length : Math.max(0, all.indexOf(view.at));
  const time = past ? () => past.at : now;
  const picked = chosen();
  const photos = view.at === null && hasPhotographs(model, picked);
  /** @param {{currentTarget: HTMLInputElement}} event */
  const slide = (event) =>
    lookAt(
      Number(event.currentTarget.value) >= all.length
        ? null
        : all[Number(event.currentTarget.value)],
    );
  return html`<section class="table-now" data-past=${view.at !== null}>
    ${!frame && html`<div class="empty"><b>No game had begun</b></div>`}
    ${
      frame &&
      html`<div class="seats"><${Player} number=${0} frame=${frame} senses=${senses} now=${time} />
        <${Player} number=${1} frame=${frame} senses=${senses} now=${time} /></div>
      ${
        frame.call &&
        html`<p class="called" key=${`${frame.call.kind} ${frame.call.since}`}><b>${CALLS[frame.call.kind]}</b>${` by ${frame.players[frame.call.player].name}`}${
          frame.call.kind !== "challenge" &&
          html`: <${Countdown} ends=${frame.call.ends} since=${frame.call.since} now=${time} />${frame.call.ends === undefined ? " so far" : " left"}`
        }</p>`
      }
      ${photos && html`<div class="tabs" role="group" aria-label="Shown">${SHOWN.map(([photographs, text]) => html`<button type="button" class="quiet" aria-pressed=${view.photographs === photographs} onClick=${() => change({ photographs })}>${text}</button>`)}</div>`}
      ${photos && view.photographs && html`<${Photographs} model=${model} chosen=${picked} />`}
      <div class="framed-board" hidden=${photos && view.photographs}><div class="rows">${span((row) => row + 1)}</div>
        <${Board} frame=${frame} premiums=${squares} labels />
        <div class="cols">${span((col) => "ABCDEFGHIJKLMNO"[col])}</div></div>
      <p class="bag"><b>${frame.unseen.bag}</b> in the bag by the record${
        senses.bag?.tiles !== undefined
          ? html`, <b>${senses.bag.tiles}</b> by the scale (${Math.round(senses.bag.probability * 100)} %)`
          : ""
      }; ${frame.unseen.count} unseen</p>`
    }
    <div class="scrub"><button type="button" aria-label="One step back" onClick=${() => step(-1)}>\u25C0</button>
      <input type="range" min="0" max=${all.length} value=${place} aria-label="Moment of the game" aria-valuetext=${view.at === null ? "now" : `entry ${place} of ${all.length}`} onInput=${slide} />
      <button type="button" aria-label="One step on" onClick=${() => step(1)}>\u25B6</button>
      <button type="button" onClick=${() => lookAt(null)} disabled=${view.at === null}>Live</button></div>
    <p class="moment" role="status">${view.at === null ? "Now" : html`<b>Not live:</b> the table as it stood${view.moment ? ` at ${timeOfDay(view.moment.at)}` : ""}`}</p>
    <${Pictures} pictures=${senses.pictures} />
  </section>`;
}
