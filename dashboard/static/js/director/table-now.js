/** The table at one moment: both players, the board or its photographs, bag, and the way back in time. */
import { Countdown } from "../shared/game/countdown.js";
import { Board } from "../shared/game/board.js";
import { Clock } from "../shared/game/clock.js";
import { html } from "../shared/dom.js";
import { Name } from "../shared/game/name.js";
import { change, chosen, lookAt, view } from "./desk.js";
import { Photographs, hasPhotographs } from "./photographs.js";
import { Pictures } from "./pictures.js";
import { written } from "../shared/game/standing.js";
import { page, timeOfDay } from "../shared/tool.js";
import { text as worded } from "../shared/texts.js";
import { tilesIn } from "../shared/game/tiles.js";

/** @import { DeskModel, SensedRack, Senses } from "./models" */
/** @import { Frame, Now, Player as Number } from "../shared/frames" */

/** @type {{[kind: string]: string}} */
const CALLED = {
  hold: worded("call_hold"),
  challenge: worded("challenge"),
  play_out: worded("call_play_out"),
};
const squares = page.premiums.split(" ");
/** @param {(at: number) => string | number} from */
const span = (from) => Array.from({ length: 15 }, (_, at) => html`<span>${from(at)}</span>`);

/**
 * What is known of a rack: letters with their doubt, a number, or nothing.
 * @param {{rack: SensedRack | null, typed: boolean, now: number}} props
 */
function Rack({ rack, typed, now }) {
  if (!rack) return html`<span class="rack none">${worded("rack_not_seen")}</span>`;
  const late =
    now - rack.at > 60000
      ? `, ${worded("minutes_ago", { minutes: Math.round((now - rack.at) / 60000) })}`
      : "";
  if (!rack.letters)
    return html`<span class="rack">${worded("tiles_counted", { tiles: rack.count })}${late}</span>`;
  return html`<span class="rack" aria-label=${worded("rack_letters", { letters: rack.letters })}>${tilesIn(
    rack.letters,
  ).map(
    (letter, at) =>
      html`<i class=${rack.doubtful.includes(at + 1) ? "unsure" : ""} title=${rack.doubtful.includes(at + 1) ? worded("not_sure") : ""}>${letter}</i>`,
  )}<small>${typed ? worded("typed") : rack.count}${late}</small></span>`;
}

/** @param {{number: number, frame: Frame, senses: Senses, now: Now}} props */
function Player({ number, frame, senses, now }) {
  const player = frame.players[number];
  return html`<div class=${`seat player-${number} ${player.on_turn ? "on-turn" : ""}`}>
    <div class="who"><i class="dot"></i><${Name} name=${player.name} />${player.on_turn && html`<small>${worded("on_turn")}</small>`}</div>
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
  [true, worded("photographs")],
  [false, worded("board")],
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
    ${!frame && html`<div class="empty"><b>${worded("no_game_had_begun")}</b></div>`}
    ${
      frame &&
      html`<div class="seats"><${Player} number=${0} frame=${frame} senses=${senses} now=${time} />
        <${Player} number=${1} frame=${frame} senses=${senses} now=${time} /></div>
      ${
        frame.call &&
        html`<p class="called" key=${`${frame.call.kind} ${frame.call.since}`}><b>${CALLED[frame.call.kind]}</b> ${worded("by_name", { name: frame.players[frame.call.player].name })}${
          frame.call.kind !== "challenge" &&
          html`: <${Countdown} ends=${frame.call.ends} since=${frame.call.since} now=${time} />${` ${worded(frame.call.ends === undefined ? "so_far" : "left")}`}`
        }</p>`
      }
      ${photos && html`<div class="tabs" role="group" aria-label=${worded("shown")}>${SHOWN.map(([photographs, text]) => html`<button type="button" class="quiet" aria-pressed=${view.photographs === photographs} onClick=${() => change({ photographs })}>${text}</button>`)}</div>`}
      ${photos && view.photographs && html`<${Photographs} model=${model} chosen=${picked} />`}
      <div class="framed-board" hidden=${photos && view.photographs}><div class="rows">${span((row) => row + 1)}</div>
        <${Board} frame=${frame} premiums=${squares} labels />
        <div class="cols">${span((col) => "ABCDEFGHIJKLMNO"[col])}</div></div>
      <p class="bag"><b>${frame.unseen.bag}</b> ${worded("bag_by_record")}${
        senses.bag?.tiles !== undefined
          ? html`, <b>${senses.bag.tiles}</b> ${worded("bag_by_scale")} (${Math.round((senses.bag.probability ?? 0) * 100)} %)`
          : ""
      }; ${worded("unseen", { count: frame.unseen.count })}</p>`
    }
    <div class="scrub"><button type="button" aria-label=${worded("one_back")} onClick=${() => step(-1)}>\u25C0</button>
      <input type="range" min="0" max=${all.length} value=${place} aria-label=${worded("moment_of_game")} aria-valuetext=${view.at === null ? worded("now") : worded("entry_of", { place, all: all.length })} onInput=${slide} />
      <button type="button" aria-label=${worded("one_on")} onClick=${() => step(1)}>\u25B6</button>
      <button type="button" onClick=${() => lookAt(null)} disabled=${view.at === null}>${worded("live")}</button></div>
    <p class="moment" role="status">${view.at === null ? worded("now") : html`<b>${worded("not_live")}</b> ${view.moment ? worded("as_it_stood_at", { time: timeOfDay(view.moment.at) }) : worded("as_it_stood")}`}</p>
    <${Pictures} pictures=${senses.pictures} />
  </section>`;
}
