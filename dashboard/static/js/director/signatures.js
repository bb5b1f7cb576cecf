/** Who has signed the result: orders in the record, so that every director sees it, on any screen. */
import { html } from "../shared/dom.js";
import { give, playerName } from "./desk.js";
import { timeOfDay } from "../shared/tool.js";
import { text as worded } from "../shared/texts.js";

/** @import { DeskModel, Signature as Noted } from "./models" */
/** @import { Player } from "../shared/frames" */

/** @param {Pick<DeskModel, "signatures">} model */
export const bothSigned = (model) => model.signatures.every(Boolean);

/** @param {Player} player */
const sign = (player) => give({ type: "order.sign", data: { player } });

/**
 * Have those of the two sign who have not yet.
 * @param {Pick<DeskModel, "signatures">} model
 */
export async function signBoth({ signatures }) {
  for (const player of [0, 1]) if (!signatures[player]) await sign(player);
}

/** @param {{player: Player, noted: Noted | null, can: boolean, onUndo: (order: string) => void}} props */
function Signature({ player, noted, can, onUndo }) {
  return html`<div class=${`order-line player-${player}`}><span><i class="dot"></i> ${playerName(player)}
      <small class="soft">${noted ? ` ${worded("signed_noted", { time: timeOfDay(noted.at), who: noted.who })}` : ` ${worded("not_signed")}`}</small>
      ${noted?.stale && html`<b class="why">${worded("signed_before_change")}</b>`}</span>
    ${(!noted || noted.stale) && html`<button type="button" disabled=${!can} onClick=${() => sign(player)}>${noted ? worded("signed_again") : worded("has_signed")}</button>`}
    ${noted && !noted.stale && html`<button type="button" disabled=${!can} onClick=${() => onUndo(noted.order)}>${worded("undo")}</button>`}</div>`;
}

/**
 * Once the game is over: the slip to show or print, and both signatures.
 * @param {{model: DeskModel, can: boolean, onUndo: (order: string) => void}} props
 */
export function Signatures({ model, can, onUndo }) {
  if (model.frame?.phase !== "over") return null;
  return html`<section class="card signatures" aria-label=${worded("result_slip")}><h2>${worded("result_slip")}</h2>
    ${[0, 1].map((player) => html`<${Signature} key=${player} player=${player} noted=${model.signatures[player]} can=${can} onUndo=${onUndo} />`)}</section>`;
}
