/** The devices of the table, the overlays that are open, and the programs: who is heard, and since when. */
import { html } from "../shared/dom.js";
import { view } from "./desk.js";
import { age } from "../shared/tool.js";
import { text as worded } from "../shared/texts.js";

/** @import { DeskModel, DeviceVerdict, RecorderState } from "./models" */
/** @import { Now } from "../shared/frames" */

/** How a device is that is expected, and what helps. @param {{device: DeviceVerdict, at?: number, now: Now}} props */
function Expected({ device, at, now }) {
  const known = [
    device.picture,
    device.delay_ms == null ? "" : worded("delay_ms", { ms: device.delay_ms }),
    device.waiting ? worded("count_waiting", { count: device.waiting }) : "",
    device.version && worded("version_is", { version: device.version }),
  ];
  return html`<div class=${`device ${device.grade === "well" ? "" : "lost"}`}><b>${device.name}</b>
    <span class="soft">${at === undefined ? "" : worded("ago", { age: age(now() - at) })}</span>
    <span class="state">${device.says}${device.remedy && `: ${device.remedy}`}</span>
    <span class="state known">${known.filter(Boolean).join(", ")}</span></div>`;
}

/** @param {{table?: number, devices: DeskModel["devices"], now: Now}} props */
export function Devices({ table, devices, now }) {
  const expected = (view.desk.devices ?? []).filter((device) => device.table === table);
  const listed = new Set(expected.map((device) => device.name));
  const names = Object.keys(devices)
    .filter((name) => name && !listed.has(name))
    .sort();
  return html`<section class="card"><h2>${worded("devices")}</h2>
  ${expected.map((device) => html`<${Expected} device=${device} at=${devices[device.name]?.at} now=${now} />`)}
  ${names.map((name) => {
    const device = devices[name];
    const state =
      device.lost === undefined
        ? (device.says ?? worded("heard"))
        : device.floods
          ? device.lost
          : worded("lost_why", { why: device.lost });
    return html`<div class=${`device ${device.lost === undefined ? "" : "lost"}`}><b>${name}</b>
      <span class="soft">${worded("ago", { age: age(now() - device.at) })}</span><span class="state">${state}</span></div>`;
  })}${names.length + expected.length === 0 && html`<p class="soft">${worded("no_device_heard")}</p>`}
  ${(view.desk.overlays ?? []).length > 0 && html`<h2 class="next">${worded("overlays_open")}</h2>`}
  ${(view.desk.overlays ?? []).map(
    (
      overlay,
    ) => html`<div class=${`device ${overlay.stale ? "lost" : ""}`}><b>${overlay.scene}${overlay.slot ? ` (${overlay.slot})` : ""}</b>
    <span class="soft">${worded("table_number", { table: overlay.table })}</span><span class="state">${[
      overlay.stale ? worded("not_heard_for", { age: age(overlay.age_ms) }) : worded("is_on"),
      overlay.shown ? "" : worded("hidden_in_obs"),
      overlay.behind ? worded("moment_behind") : "",
      overlay.fps === null ? "" : `${overlay.fps} fps`,
      overlay.racks ? worded("shows_racks") : "",
    ]
      .filter(Boolean)
      .join(", ")}</span></div>`,
  )}
  <${Programs} version=${view.desk.version} recorders=${view.desk.recorders} /></section>`;
}

/** @param {{version: string, recorders: RecorderState[]}} props */
function Programs({ version, recorders }) {
  return html`<h2 class="next">${worded("programs")}</h2>
  ${recorders.map((recorder) => {
    const other = recorder.version !== version && recorder.state === "ready";
    return html`<div class=${`device ${recorder.state === "ready" ? "" : "lost"}`}><b>${recorder.name}</b>
      <span class="soft">${worded(`recorder_${recorder.state}`)}</span><span class="state">${other ? `${worded("another_version")} ` : ""}${recorder.version || worded("version_not_told")}</span></div>`;
  })}
  <div class="device"><b>dashboard</b><span class="soft"></span><span class="state">${version}</span></div>`;
}
