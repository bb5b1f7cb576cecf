/** Player cards: name, and what the tournament's file says. What it does not say leaves no gap. */
import { html } from "../../shared/dom.js";
import { signed, tenths } from "../../shared/game/standing.js";
import { Name } from "../../shared/game/name.js";
import { Flag, Portrait, inReach, ordinal, record } from "../../shared/game/plate.js";
import { seated } from "../../shared/game/score.js";

import { text } from "../../shared/texts.js";

/** @import { Frame, PlayerCard, Seated } from "../../shared/frames" */
/** @import { LatestGame } from "../../event/models" */

/** @param {PlayerCard | null | undefined} card */
function facts(card) {
  if (!card) return [];
  return [
    [text("card_record"), record(card)],
    [text("spread"), card.spread === undefined ? "" : signed(card.spread)],
    [text("average"), tenths(card.average)],
    [inReach(card.reach) || text("place"), card.place === undefined ? "" : ordinal(card.place)],
  ].filter(([, text]) => text);
}

/**
 * What the last games ended with, the newest at the right.
 * @param {{games: LatestGame[]}} props
 */
const Latest = ({ games }) =>
  html`<div class="latest"><span>${text("last_games", { count: games.length })}</span>${games.map(
    ({ round, margin }) =>
      html`<b key=${round} class=${`figures ${margin > 0 ? "won" : ""}`}>${signed(margin)}</b>`,
  )}</div>`;

/** @param {{player: Pick<Seated, "name" | "number" | "seat">, card?: PlayerCard | null, latest?: LatestGame[]}} props */
export function Card({ player, card, latest = [] }) {
  const lines = facts(card);
  const under = [
    card?.from,
    card?.rating === undefined ? "" : text("rated", { rating: card.rating }),
  ]
    .filter(Boolean)
    .join(", ");
  return html`<div class=${`card-face panel ${player.seat} player-${player.number} ${lines.length ? "" : "plain"}`}>
    <div class="edge"></div><${Portrait} player=${player} card=${card} />
    <div class="body">
      <${Name} name=${player.name} />
      ${(under || card?.country) && html`<div class="under"><${Flag} card=${card} /><span class="ellipsis">${under}</span></div>`}
      ${
        lines.length > 0 &&
        html`<div class="facts">${lines.map(
          ([label, text]) => html`<div class="fact" key=${label}>
        <b class="figures">${text}</b><span>${label}</span></div>`,
        )}</div>`
      }
      ${latest.length > 0 && html`<${Latest} games=${latest} />`}
    </div></div>`;
}

/** @param {{frame: Frame, only?: string}} props */
export function Cards({ frame, only }) {
  const shown = seated(frame.players).filter(
    (player) => !only || Number(only) === player.number + 1,
  );
  return html`<section class=${`cards alike ${only ? "one" : ""}`}>${shown.map(
    (player) =>
      html`<${Card} key=${player.number} player=${player} card=${frame.cards?.[player.number]} />`,
  )}</section>`;
}
