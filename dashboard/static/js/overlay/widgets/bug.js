/** The score bug: two rows for a corner of the picture. The left player stands above. */
import { html } from "../../shared/dom.js";
import { Clock } from "../../shared/game/clock.js";
import { Name } from "../../shared/game/name.js";
import { Flag, Portrait, record } from "../../shared/game/plate.js";
import { Points, Review, clocksOf, seated } from "../../shared/game/score.js";
import { winnerOf } from "../../shared/game/standing.js";
import { wonBy } from "./last-play.js";

/** @import { Clocks, Frame, Now, PlayerCard, Seated } from "../../shared/frames" */

/** @param {{player: Seated, card?: PlayerCard | null, pictured: boolean, plated: boolean, count?: boolean, clock: Clocks | false, won: string, now: Now}} props */
function Row({ player, card, pictured, plated, count, clock, won, now }) {
  const facts = plated && (card?.country || record(card));
  return html`<div class=${`bug-row player-${player.number} ${player.on_turn ? "on-turn" : ""} ${won ? "won" : ""}`} data-player=${player.number}>
    <div class="edge"></div>${pictured && html`<${Portrait} player=${player} card=${card} />`}<i class="mark"></i>
    <div class="named"><${Name} name=${player.name} />${facts && html`<div class="plate-facts"><${Flag} card=${card} /><b class="figures">${record(card)}</b></div>`}</div>
    ${won && html`<span class="by">${won}</span>`}
    ${clock && html`<${Clock} clock=${clock} player=${player.number} now=${now} />`}
    <${Points} value=${player.score} count=${count} /><${Review} player=${player} />
  </div>`;
}

/**
 * Portraits only where there is a picture: a corner has no room for initials.
 * @param {{frame: Frame, now: Now, clocks?: boolean, bare?: import("../../shared/game/score.js").Bare}} props
 */
export function Bug({ frame, now, clocks = true, bare = {} }) {
  const pictured = !bare.photo && Boolean(frame.cards?.some((card) => card?.photo));
  const winner = frame.phase === "over" ? winnerOf(frame) : null;
  return html`<section class="bug alike panel">${seated(frame.players).map(
    (player) =>
      html`<${Row} key=${player.number} count=${bare.count} player=${player} card=${frame.cards?.[player.number]} pictured=${pictured} plated=${!bare.plate} clock=${clocks && clocksOf(frame)} won=${winner === player.number ? wonBy(frame) : ""} now=${now} />`,
  )}</section>`;
}
