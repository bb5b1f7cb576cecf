/** One game: plates, board, what is unseen, and a score sheet to step through. */
import { html } from "../shared/dom.js";
import { Board } from "../shared/game/board.js";
import { Clock } from "../shared/game/clock.js";
import { Name } from "../shared/game/name.js";
import { boardsOf, makeUp, unseenAt } from "../shared/game/replay.js";
import { Chance } from "../overlay/widgets/chance.js";
import { Graph } from "../overlay/widgets/graph.js";
import { Review, clocksOf, seated } from "../shared/game/score.js";
import { roundOf } from "../shared/game/standing.js";
import { winnerOf, written } from "../shared/game/standing.js";
import { text } from "../shared/texts.js";
import { Share } from "./share.js";
import { AFTER, Sheet, Steps, TURNS } from "./sheet.js";
import { outcome, turnTold } from "./telling.js";

/** @import { Frame, Now, PublicLine, Seated, WatchModel } from "../shared/frames" */
/** @typedef {{model: WatchModel, lines: PublicLine[], step: number | null, onStep: (step: number | null) => void}} Shown */

const premiums = (document.documentElement.dataset.premiums ?? "").split(" ");
const SEVEN_EACH = 14;
const EMPTY = Array.from({ length: 15 }, () => ".".repeat(15));

/**
 * The lines of a sheet in order.
 * @param {WatchModel} model
 */
export const linesOf = (model) => Object.keys(model.sheet).map((_, at) => model.sheet[at]);

/**
 * The game as it was after a line, before the first one where `step` is -1, or as it is.
 * @param {Shown} shown
 * @returns {Frame}
 */
function frameAt({ model, lines, step }) {
  if (step === null) return model;
  const line = lines[step];
  const turn = lines.slice(0, step + 1).findLast(({ kind }) => TURNS.has(kind));
  const next = turn ? 1 - turn.player : 0;
  const board = line ? boardsOf(lines)[step] : EMPTY;
  const tiles = unseenAt(model, board);
  const made = makeUp(tiles, model.tile_set.vowels);
  return {
    ...model,
    phase: "playing",
    board,
    forming: undefined,
    last_play:
      line?.kind === "play" ? { ...line, total: line.totals[line.player], bonus: 0 } : undefined,
    players: model.players.map((player, number) => ({
      ...player,
      score: line?.totals[number] ?? 0,
      on_turn: number === next && !AFTER.has(line?.kind ?? ""),
    })),
    unseen: { ...made, tiles, bag: Math.max(0, made.count - SEVEN_EACH) },
  };
}

/** @param {{player: Seated, frame: Frame, now: Now, clocks: boolean}} props */
function Plate({ player, frame, now, clocks }) {
  const clock = clocks && clocksOf(frame);
  const won = frame.phase === "over" && winnerOf(frame) === player.number;
  return html`<section class=${`plate player-${player.number} ${player.on_turn ? "on-turn" : ""} ${won ? "won" : ""}`} aria-label=${player.name}>
    <i class="edge"></i><${Name} name=${player.name} />
    ${player.on_turn && html`<span class="turn">${text("on_turn")}</span>`}
    <b class="figures">${written(player.score)}</b><${Review} player=${player} />
    ${clock && html`<${Clock} clock=${clock} player=${player.number} now=${now} />`}</section>`;
}

/** @param {{frame: Frame}} props */
function Pool({ frame }) {
  const { tiles, bag, count, vowels, consonants, blanks } = frame.unseen;
  const kinds = [...Object.keys(frame.tile_set.values), "?"];
  return html`<section class="pool"><h2>${text("unseen_title")}</h2>
    <p><b>${text(bag ? "bag" : "on_racks")} ${bag || count}</b> </p><p class="soft">${text("unseen", { count, vowels, consonants, blanks })}</p>
    <ul>${kinds.map((letter) => {
      const left = Math.max(0, tiles[letter] ?? 0);
      return html`<li key=${letter} class=${left ? "" : "none"}><i>${letter === "?" ? "" : letter}</i><span class="sr">${letter === "?" ? text("blank") : ""}</span>${left}</li>`;
    })}</ul></section>`;
}

/** The lead after each turn, and where the director lets it out the chance to win. @param {Shown} props */
function Curves({ model }) {
  if (!model.scores.length) return null;
  return html`<section class="curves"><h2>${text("graph")}</h2><${Graph} frame=${model} />
    ${model.chances?.length ? html`<h2>${text("chance")}</h2><${Chance} frame=${model} />` : null}</section>`;
}

/** @param {Shown & {now: Now}} props */
export function Game(props) {
  const { model, lines, step, now } = props;
  const frame = frameAt(props);
  const names = model.players.map((player) => player.name);
  const line = lines[step ?? lines.length - 1];
  const play = line && (step === null || step >= 0) ? turnTold(line, names) : "";
  const said = step === null ? outcome(model) || play || text("start") : play || text("start");
  const spoken = play ? text("board_at", { number: line.n, play }) : text("board_empty");
  const [first, second] = frame.players;
  const totals = text("said_totals", {
    first: first.name,
    first_score: first.score,
    second: second.name,
    second_score: second.score,
  });
  const where = [model.event?.title, roundOf(model.event), text("table", { number: model.table })];
  return html`<h1>${where.filter(Boolean).join(" \u00b7 ")}</h1>
    <div class="game">
      <div class="stage"><div class="plates alike">${seated(frame.players).map((player) => html`<${Plate} key=${player.number} player=${player} frame=${frame} now=${now} clocks=${step === null && model.clock} />`)}</div>
        <div class=${`held ${step === null ? "" : "past"}`}><div role="img" aria-label=${spoken}><div aria-hidden="true"><${Board} frame=${frame} premiums=${premiums} labels /></div></div></div>
        <${Steps} ...${props} />
        <${Share} ...${props} />
        <p class="said">${said}</p><p class="sr" role="status">${play && `${said} ${totals}`}</p></div>
      <div class="beside"><${Sheet} ...${props} /><${Pool} frame=${frame} /><${Curves} ...${props} /></div></div>`;
}
