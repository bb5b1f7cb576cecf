/** Whole-picture scenes around a game: who plays next, and how it ended. */
import { html } from "../shared/dom.js";
import { Card } from "./cards.js";
import { Graph } from "./graph.js";
import { adjusted, winnerOf, wonBy } from "./last-play.js";
import { Name } from "../shared/name.js";
import { Points, seated } from "../shared/score.js";

import { text } from "../shared/texts.js";

/** @import { Frame, Seated } from "../shared/frames" */

/** @param {{frame: Frame, logo: string, name?: string, text: string}} props */
function Head({ frame, logo, name = "", text }) {
  const { event } = frame;
  const line = [event?.title, event?.round].filter(Boolean).join(", ");
  return html`<div class="stage-head">
    ${logo && html`<img class="logo" src=${logo} alt="" />`}
    <div class="texts">${line && html`<div class="event ellipsis">${line}</div>`}
      <h1>${name && html`<${Name} name=${name} />`}<span class=${name ? "rest" : "ellipsis"}>${text}</span></h1></div></div>`;
}

/**
 * The next game: from the tournament's file, else the one that waits at this table.
 * @param {{frame: Frame, logo: string}} props
 */
export function Next({ frame, logo }) {
  const next = frame.event?.next;
  const waiting = frame.phase === "before" ? seated(frame.players) : null;
  if (!next?.players && !waiting) return null;
  const pair =
    next?.players?.map((name, number) => ({ name, number, seat: number ? "right" : "left" })) ??
    waiting ??
    [];
  const cards = next?.players ? (next.cards ?? []) : (frame.cards ?? []);
  const at = waiting && !next?.players ? text("table", { number: frame.table }) : "";
  const when = [next?.round, next?.at, at].filter(Boolean).join(", ");
  return html`<section class="stage next"><${Head} frame=${frame} logo=${logo} text=${when ? text("next_when", { when }) : text("next")} />
    <div class="pair alike">${pair.map((player) => html`<${Card} key=${player.number} player=${player} card=${cards[player.number]} />`)}
      <span class="versus figures">${text("versus")}</span></div></section>`;
}

/** @param {{player: Seated, won: boolean}} props */
function Line({ player, won }) {
  return html`<div class=${`final-line player-${player.number} ${won ? "won" : ""}`}><i class="edge"></i>
    <i class="crown"></i><${Name} name=${player.name} /><${Points} value=${player.score} /></div>`;
}

/** @param {{frame: Frame, logo: string}} props */
export function Final({ frame, logo }) {
  if (frame.phase !== "over") return null;
  const winner = winnerOf(frame);
  const said = wonBy(frame) || text("draw");
  const parts = (frame.adjustments ?? []).map(
    (part, at) => html`<span key=${at} class=${`part player-${part.player}`}>
    <i class="dot"></i>${adjusted(part, frame.players)}</span>`,
  );
  return html`<section class="stage final"><${Head} frame=${frame} logo=${logo} name=${winner === null ? "" : frame.players[winner].name} text=${said} />
    <div class="final-box alike panel">${seated(frame.players).map(
      (player) =>
        html`<${Line} key=${player.number} player=${player} won=${winner === player.number} />`,
    )}
      ${parts.length > 0 && html`<div class="parts">${parts}</div>`}</div>
    <${Graph} frame=${frame} width=${1320} /></section>`;
}
