/** Several tables in one picture: those that play before those that are over, by number. */
import { html } from "../../shared/dom.js";
import { Clock } from "../../shared/game/clock.js";
import { MiniBoard, SquaresOnce } from "../../shared/game/mini-board.js";
import { Name } from "../../shared/game/name.js";
import { clocksOf, seated, stateOf } from "../../shared/game/score.js";
import { signed, written } from "../../shared/game/standing.js";
import { text } from "../../shared/texts.js";
import { Word } from "../widgets/last-play.js";

/** @import { Marks } from "./event-scenes" */
/** @import { Glimpse, HallModel, LastPlay, Now, Seated } from "../../shared/frames" */

/** @param {{player: Seated, game: Glimpse, now: Now}} props */
function Side({ player, game, now }) {
  const clock = clocksOf(game);
  return html`<div class=${`cell-side player-${player.number} ${player.on_turn ? "on-turn" : ""}`}><i class="edge"></i><i class="mark"></i>
    <${Name} name=${player.name} /><b class="figures">${written(player.score)}</b>
    ${clock && html`<${Clock} clock=${clock} player=${player.number} now=${now} />`}</div>`;
}

/** @param {{play: Glimpse["last_play"]}} props */
function Play({ play }) {
  if (!play) return null;
  if (play.kind !== "play" && play.kind !== "withdraw")
    return html`<div class="cell-play"><span class="plain">${text(`did_${play.kind === "exchange" && !play.count ? "exchange_some" : play.kind}`, { count: play.count })}</span></div>`;
  return html`<div class=${`cell-play player-${play.player}`}><${Word} play=${/** @type {LastPlay} */ (play)} /><b class="figures">${signed(play.score)}</b></div>`;
}

/** @param {{game: Glimpse, now: Now}} props */
function Cell({ game, now }) {
  return html`<section class="cell panel"><${MiniBoard} board=${game.board} play=${game.last_play} />
    <div class="cell-facts alike"><div class="cell-head">${[text("table", { number: game.table }), ...stateOf(game)].filter(Boolean).join(" \u00b7 ")}</div>
      ${seated(game.players).map((player) => html`<${Side} key=${player.number} player=${player} game=${game} now=${now} />`)}
      ${game.phase !== "over" && html`<${Play} play=${game.last_play} />`}</div></section>`;
}

/** How many cells a wall may have: as few as the tables need. */
const ROOMS = [1, 2, 3, 4, 6, 9];
const ORDER = { playing: 0, before: 1, over: 2 };

/**
 * What no table fills bears the event's marks.
 * @param {{hall: HallModel, many: number, now: Now, marks: Marks}} props
 */
export function Tables({ hall, many, now, marks }) {
  const games = Object.values(hall.tables ?? {});
  games.sort((a, b) => ORDER[a.phase] - ORDER[b.phase] || a.table - b.table);
  const shown = games.slice(0, many);
  const room = ROOMS.find((cells) => cells >= Math.min(shown.length, many)) ?? many;
  return html`<${SquaresOnce} /><div class=${`wall wall-${room}`}>${shown.map((game) => html`<${Cell} key=${game.table} game=${game} now=${now} />`)}
    ${shown.length < room && html`<div class="cell-marks">${[marks.logo, marks.sponsor].filter(Boolean).map((mark) => html`<img key=${mark} src=${mark} alt="" />`)}</div>`}</div>`;
}
