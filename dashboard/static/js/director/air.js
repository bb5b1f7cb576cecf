/** The air desk: what the public sees now, what is on its way there, and whether the overlays are well. */
import { html } from "../shared/dom.js";
import { holding, playerName, view } from "./desk.js";
import { select } from "./history.js";
import { pointsOf, said } from "./sheet.js";
import { age } from "../shared/tool.js";
import { text as worded } from "../shared/texts.js";

/** @import { DeskModel, Item, OverlayHealth } from "./models" */
/** @import { Held } from "./sheet" */
/** @import { Now } from "../shared/frames" */

const MOST_WAITING = 4;

/**
 * What is wrong with an overlay; empty where nothing is.
 * @param {OverlayHealth} overlay
 */
function fault({ stale, age_ms, behind, shown }) {
  if (stale) return worded("not_heard_for", { age: age(age_ms) });
  if (behind) return worded("moment_behind");
  return shown ? "" : worded("hidden_in_obs");
}

/** How the open overlays are, in a line; those that need a look by name. */
export function Overlays() {
  const { overlays } = view.desk;
  if (!overlays.length) return html`<p class="soft">${worded("no_overlay")}</p>`;
  const amiss = overlays.filter((overlay) => overlay.stale || !overlay.shown);
  const well = overlays.length - amiss.length;
  return html`<p class="overlays">${worded("overlays_well", { well, all: overlays.length })}</p>
    ${amiss.map((overlay) => html`<p class="overlays why">${overlay.scene}${overlay.slot ? ` (${overlay.slot})` : ""}: ${fault(overlay)}</p>`)}`;
}

/** @param {number} delay_ms */
const lateness = (delay_ms) =>
  delay_ms ? worded("behind_table", { age: age(delay_ms) }) : worded("no_delay");

/** @param {{held: Held}} props */
const Turn = ({ held }) =>
  html`<span>${said(held)} ${pointsOf(held)} <small class="soft">${playerName(held.entry.player)}</small></span>`;

/** @param {{model: DeskModel, now: Now}} props */
export function AirDesk({ model, now }) {
  const { air } = model;
  if (!air || !model.frame) return null;
  /** @param {Item} item */
  const isOut = ({ seq }) => seq <= air.seq || air.ahead.includes(seq);
  // What is corrected is on air as it was, until the correction is out.
  const last = holding({ ...model, timeline: model.timeline.filter(isOut) }).at(-1);
  const waiting = holding(model).filter(({ item }) => !isOut(item));
  return html`<section class="card air" aria-label=${worded("on_air")}><h2>${worded("on_air")} <span class="soft">${lateness(air.delay_ms)}</span></h2>
    <p class="air-line"><b class="mark">${worded("now")}</b>${last ? html`<${Turn} held=${last} />` : html`<span>${worded("nothing_on_air")}</span>`}</p>
    ${waiting.slice(0, MOST_WAITING).map((held) => {
      const { item, entry } = held;
      const left = Math.max(0, Math.ceil((item.received + air.delay_ms - now()) / 1000));
      return html`<p class="air-line waiting" key=${`${item.seq}.${entry.part}`}><b class="mark">${worded("in_seconds", { seconds: left })}</b><${Turn} held=${held} />
        <button type="button" class="quiet" onClick=${() => select(item.seq, entry.part)}>${worded("check")}</button></p>`;
    })}
    ${waiting.length > MOST_WAITING && html`<p class="soft">${worded("and_others", { count: waiting.length - MOST_WAITING })}</p>`}
    ${waiting.length > 0 && html`<p class="soft">${worded("right_in_time")}</p>`}
    <${Overlays} /></section>`;
}
