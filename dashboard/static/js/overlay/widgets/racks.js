/**
 * Both racks, with room for seven tiles each. They come only to a page with the racks' key, or to a
 * slot whose racks the director opened; without them the scene stays clear.
 */
import { html } from "../../shared/dom.js";
import { Entering } from "./last-play.js";
import { Letter } from "../../shared/game/lettering.js";
import { seated } from "../../shared/game/score.js";
import { tilesIn } from "../../shared/game/tiles.js";

/** @import { Frame, Seated } from "../../shared/frames" */

const PLACES = 7;
const BACK = "#";

/** @param {{tile?: string, value: number}} props */
function Place({ tile, value }) {
  if (!tile) return html`<i class="place"></i>`;
  if (tile === BACK) return html`<i class="place"><i class="back"></i></i>`;
  const blank = tile === "?";
  return html`<i class="place"><i class="rack-tile">
    <${Letter} letter=${blank ? "" : tile} />
    ${!blank && html`<span class="value">${value}</span>`}</i></i>`;
}

/** @param {{player: Seated, tiles: string, values: Record<string, number>}} props */
function Rack({ player, tiles, values }) {
  const held = tilesIn(tiles);
  const places = Array.from({ length: PLACES }, (_, at) => held[at]);
  return html`<div class=${`rack panel ${player.seat} player-${player.number}`} data-player=${player.number}>
    <div class="edge"></div>
    <div class="places">${places.map((tile, at) => html`<${Place} key=${`${at}${tile}`} tile=${tile} value=${values[tile]} />`)}</div>
  </div>`;
}

/** @param {{frame: Frame, only?: string}} props */
export function Racks({ frame, only }) {
  const racks = frame.racks ?? [];
  const shown = seated(frame.players).filter(
    (player) =>
      tilesIn(racks[player.number] ?? "").some((tile) => tile !== BACK) &&
      (!only || Number(only) === player.number + 1),
  );
  if (!shown.length) return null;
  return html`<section class=${`racks ${only ? "one" : ""}`}>${shown.map(
    (player) => html`<${Entering} key=${player.number}>
    <${Rack} player=${player} tiles=${racks[player.number]} values=${frame.tile_set.values} /></${Entering}>`,
  )}</section>`;
}
