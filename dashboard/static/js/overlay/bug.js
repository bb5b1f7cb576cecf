/** The score bug: two rows for a corner of the picture. The left player stands above. */
import { html } from "../shared/dom.js";
import { Clock } from "../shared/clock.js";
import { Name } from "../shared/name.js";
import { Points, clocksOf, seated } from "../shared/score.js";

/** @import { Clocks, Frame, Now, Seated } from "../shared/frames" */

/** @param {{player: Seated, clock: Clocks | false, now: Now}} props */
function Row({ player, clock, now }) {
  return html`<div class=${`bug-row player-${player.number} ${player.on_turn ? "on-turn" : ""}`} data-player=${player.number}>
    <div class="edge"></div><i class="mark"></i>
    <${Name} name=${player.name} />
    ${clock && html`<${Clock} clock=${clock} player=${player.number} now=${now} />`}
    <${Points} value=${player.score} />
  </div>`;
}

/** @param {{frame: Frame, now: Now, clocks?: boolean}} props */
export function Bug({ frame, now, clocks = true }) {
  return html`<section class="bug panel">${seated(frame.players).map(
    (player) =>
      html`<${Row} key=${player.number} player=${player} clock=${clocks && clocksOf(frame)} now=${now} />`,
  )}</section>`;
}
