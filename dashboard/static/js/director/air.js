/** The air desk: what the public sees now, what is on its way there, and whether the overlays are well. */
import { html } from "../shared/dom.js";
import { holding, playerName, view } from "./desk.js";
import { select } from "./history.js";
import { pointsOf, said } from "./sheet.js";
import { age } from "../shared/tool.js";

/** @import { DeskModel, OverlayHealth } from "./models" */
/** @import { Held } from "./sheet" */
/** @import { Now } from "../shared/frames" */

const MOST_WAITING = 4;

/**
 * What is wrong with an overlay; empty where nothing is.
 * @param {OverlayHealth} overlay
 */
function fault({ stale, age_ms, behind, shown }) {
  if (stale) return `not heard for ${age(age_ms)}`;
  if (behind) return "a moment behind";
  return shown ? "" : "hidden in OBS";
}

/** How the open overlays are, in a line; those that need a look by name. */
export function Overlays() {
  const { overlays } = view.desk;
  if (!overlays.length) return html`<p class="soft">No overlay is open.</p>`;
  const amiss = overlays.filter((overlay) => overlay.stale || !overlay.shown);
  const well = overlays.length - amiss.length;
  return html`<p class="overlays">Overlays: ${well} of ${overlays.length} well</p>
    ${amiss.map((overlay) => html`<p class="overlays why">${overlay.scene}${overlay.slot ? ` (${overlay.slot})` : ""}: ${fault(overlay)}</p>`)}`;
}

/** @param {number} delay_ms */
const lateness = (delay_ms) =>
  delay_ms ? `${age(delay_ms)} behind the table` : "no delay: a turn is on air as it is recorded";

/** @param {{held: Held}} props */
const Turn = ({ held }) =>
  html`<span>${said(held)} ${pointsOf(held)} <small class="soft">${playerName(held.entry.player)}</small></span>`;

/** @param {{model: DeskModel, now: Now}} props */
export function AirDesk({ model, now }) {
  const { air } = model;
  if (!air || !model.frame) return null;
  const lines = holding(model);
  const shown = lines.filter(({ item }) => item.seq <= air.seq);
  const waiting = lines.filter(({ item }) => item.seq > air.seq);
  const last = shown.at(-1);
  return html`<section class="card air" aria-label="On air"><h2>On air <span class="soft">${lateness(air.delay_ms)}</span></h2>
    <p class="air-line"><b class="mark">Now</b>${last ? html`<${Turn} held=${last} />` : html`<span>nothing of this game yet</span>`}</p>
    ${waiting.slice(0, MOST_WAITING).map((held) => {
      const { item, entry } = held;
      const left = Math.max(0, Math.ceil((item.received + air.delay_ms - now()) / 1000));
      return html`<p class="air-line waiting" key=${`${item.seq}.${entry.part}`}><b class="mark">in ${left} s</b><${Turn} held=${held} />
        <button type="button" class="quiet" onClick=${() => select(item.seq, entry.part)}>Check</button></p>`;
    })}
    ${waiting.length > MOST_WAITING && html`<p class="soft">and ${waiting.length - MOST_WAITING} more</p>`}
    ${waiting.length > 0 && html`<p class="soft">What is put right before its time is up goes on air right.</p>`}
    <${Overlays} /></section>`;
}
