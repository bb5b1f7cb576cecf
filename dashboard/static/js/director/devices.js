/** The devices of the table, the overlays that are open, and the programs: who is heard, and since when. */
import { html } from "../shared/dom.js";
import { view } from "./desk.js";
import { age } from "../shared/tool.js";

/** @import { DeskModel, DeviceVerdict, RecorderTold } from "./models" */
/** @import { Now } from "../shared/frames" */

/** What a device said last, by the type of its message. */
/** @type {{[type: string]: string}} */
const SAID = {
  "board.seen": "saw the board",
  "board.not_seen": "saw no board",
  "board.stirred": "saw something move",
  "board.reached": "saw who reached in",
  "clock.press": "was pressed",
  "clock.change": "changed",
  "rack.seen": "saw a rack",
  "rack.count": "counted a rack",
  "rack.typed": "was told a rack",
  "bag.weight": "weighed the bag",
  "time.sync": "agreed on the time",
};

/** How a device is that is expected, and what helps. @param {{device: DeviceVerdict, at?: number, now: Now}} props */
function Expected({ device, at, now }) {
  const known = [
    device.picture,
    device.delay_ms == null ? "" : `delay ${device.delay_ms} ms`,
    device.waiting ? `${device.waiting} waiting` : "",
    device.version && `version ${device.version}`,
  ];
  return html`<div class=${`device ${device.grade === "well" ? "" : "lost"}`}><b>${device.name}</b>
    <span class="soft">${at === undefined ? "" : `${age(now() - at)} ago`}</span>
    <span class="state">${SAID[device.says] ?? device.says}${device.remedy && `: ${device.remedy}`}</span>
    <span class="state known">${known.filter(Boolean).join(", ")}</span></div>`;
}

/** @param {{table?: number, devices: DeskModel["devices"], now: Now}} props */
export function Devices({ table, devices, now }) {
  const expected = (view.desk.devices ?? []).filter((device) => device.table === table);
  const listed = new Set(expected.map((device) => device.name));
  const names = Object.keys(devices)
    .filter((name) => name && !listed.has(name))
    .sort();
  return html`<section class="card"><h2>Devices</h2>
  ${expected.map((device) => html`<${Expected} device=${device} at=${devices[device.name]?.at} now=${now} />`)}
  ${names.map((name) => {
    const device = devices[name];
    const state =
      device.lost === undefined
        ? (device.reason ?? SAID[device.type] ?? "heard")
        : `lost: ${device.lost}`;
    return html`<div class=${`device ${device.lost === undefined ? "" : "lost"}`}><b>${name}</b>
      <span class="soft">${age(now() - device.at)} ago</span><span class="state">${state}</span></div>`;
  })}${names.length + expected.length === 0 && html`<p class="soft">Nothing heard from any device yet.</p>`}
  ${(view.desk.overlays ?? []).length > 0 && html`<h2 class="next">Overlays open</h2>`}
  ${(view.desk.overlays ?? []).map(
    (
      overlay,
    ) => html`<div class=${`device ${overlay.stale ? "lost" : ""}`}><b>${overlay.scene}${overlay.slot ? ` (${overlay.slot})` : ""}</b>
    <span class="soft">table ${overlay.table}</span><span class="state">${[
      overlay.stale ? `not heard for ${age(overlay.age_ms)}` : "on",
      overlay.shown ? "" : "hidden in OBS",
      overlay.behind ? "a moment behind" : "",
      overlay.fps === null ? "" : `${overlay.fps} fps`,
      overlay.racks ? "shows racks" : "",
    ]
      .filter(Boolean)
      .join(", ")}</span></div>`,
  )}
  <${Programs} version=${view.desk.version} recorders=${view.desk.recorders} /></section>`;
}

/** @param {{version: string, recorders: RecorderTold[]}} props */
function Programs({ version, recorders }) {
  return html`<h2 class="next">Programs</h2>
  ${recorders.map((recorder) => {
    const other = recorder.version !== version && recorder.state === "ready";
    return html`<div class=${`device ${recorder.state === "ready" ? "" : "lost"}`}><b>${recorder.name}</b>
      <span class="soft">${recorder.state}</span><span class="state">${other ? "another version: " : ""}${recorder.version || "version not told"}</span></div>`;
  })}
  <div class="device"><b>dashboard</b><span class="soft"></span><span class="state">${version}</span></div>`;
}
