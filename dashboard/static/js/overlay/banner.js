/**
 * One banner at a time: the director's word before a challenge, a challenge before a hold. Nothing
 * is drawn while there is nothing to say.
 */
import { html } from "../shared/dom.js";
import { Entering } from "./last-play.js";
import { CALLS, Countdown } from "../shared/countdown.js";
import { LONG_NAME } from "../shared/score.js";

/** @import { Call as Called, Frame, Now } from "../shared/frames" */

/** @param {{call: Called, name: string, now: Now}} props */
function Call({ call, name, now }) {
  return html`<div class=${`call row player-${call.player}`}>
    <div class="edge"></div><span class="title">${CALLS[call.kind] ?? call.kind}</span>
    <span class=${`name ellipsis ${name.length > LONG_NAME ? "long" : ""}`}>${name}</span>
    ${call.kind === "hold" && html`<${Countdown} ends=${call.ends} since=${call.since} now=${now} />`}</div>`;
}

/** @param {{frame: Frame, now: Now}} props */
export function Banner({ frame, now }) {
  const { banner, call, players } = frame;
  if (banner) {
    return html`<section class="banner panel"><${Entering} key=${`said ${banner}`}><div class="said row">
      <span class="title">Director</span><span class=${`text ${banner.length > 64 ? "long" : ""}`}>${banner}</span></div></${Entering}></section>`;
  }
  if (!call) return null;
  return html`<section class="banner panel"><${Entering} key=${`${call.kind} ${call.since}`}>
    <${Call} call=${call} name=${players[call.player].name} now=${now} /></${Entering}></section>`;
}
