/** Whole-picture scenes around a game: who plays next, and how it ended. */
import { html } from "../../shared/dom.js";
import { Card } from "../widgets/cards.js";
import { Graph } from "../widgets/graph.js";
import { Word, adjusted, reason, wonBy } from "../widgets/last-play.js";
import { MiniBoard, SquaresOnce } from "../../shared/game/mini-board.js";
import { Name, surnameOf } from "../../shared/game/name.js";
import { Points, seated } from "../../shared/game/score.js";
import { roundOf, signed, winnerOf, written } from "../../shared/game/standing.js";
import { leadChanges, storyOf } from "../story.js";

import { text } from "../../shared/texts.js";

/** @import { Frame, LastPlay, Player, Seated, WatchModel } from "../../shared/frames" */
/** @import { Told } from "../story" */

/** @param {{logo: string, line: string, text: string}} props */
function Head({ logo, line, text }) {
  return html`<div class="stage-head">
    ${logo && html`<img class="logo" src=${logo} alt="" />`}
    <div class="texts">${line && html`<div class="event ellipsis">${line}</div>`}
      <h1><span class="ellipsis">${text}</span></h1></div></div>`;
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
  const line = [frame.event?.title, roundOf(frame.event)].filter(Boolean).join(", ");
  return html`<section class="stage next"><${Head} line=${line} logo=${logo} text=${when ? text("next_when", { when }) : text("next")} />
    <div class="pair alike">${pair.map((player) => html`<${Card} key=${player.number} player=${player} card=${cards[player.number]} />`)}
      <span class="versus figures">${text("versus")}</span></div></section>`;
}

/** @param {{player: Seated, won: boolean, by: string}} props */
function Line({ player, won, by }) {
  return html`<div class=${`final-line player-${player.number} ${won ? "won" : ""}`}><i class="edge"></i>
    <i class="crown"></i><${Name} name=${player.name} />${won && html`<span class="by">${by}</span>`}<${Points} value=${player.score} /></div>`;
}

/**
 * A turn of the story; its number is that of its mark in the curve.
 * @param {{turn: Told, mark: number, frame: Frame}} props
 */
function Turn({ turn: { line, reasons }, mark, frame }) {
  const why = [
    surnameOf(frame.players[line.player].name),
    ...reasons.map(({ code, values }) => text(code, values)),
  ];
  const play = { ...line, total: line.totals[line.player], bonus: 0 };
  const laid = line.kind === "play" || line.kind === "withdraw";
  return html`<div class=${`story-turn player-${line.player}`}><i class="edge"></i><b class="mark figures">${mark}</b>
    <div class="what"><div class="why">${why.join(" \u00b7 ")}</div>
      <div class="line">${laid ? html`<${Word} play=${/** @type {LastPlay} */ (play)} />` : html`<span class="plain">${reason(line.kind)}</span>`}
        <span class="totals figures">${written(line.totals[0])}\u2013${written(line.totals[1])}</span></div></div>
    <b class="gain figures">${line.score ? signed(line.score) : ""}</b></div>`;
}

/**
 * The last board, the turns that decided the game, and where they stand in its curve.
 * @param {{frame: WatchModel, winner: Player | null}} props
 */
function Story({ frame, winner }) {
  const story = storyOf(frame, winner);
  const turns = [...new Set(Object.keys(frame.sheet).map((_, at) => frame.sheet[at].n))];
  const marks = story.map(({ line }) => turns.indexOf(line.n));
  const changes = leadChanges(frame);
  return html`<${SquaresOnce} /><div class="story"><div class="story-board panel"><${MiniBoard} board=${frame.board} play=${frame.last_play} /></div>
    <div class="story-side"><div class="story-turns panel">${story.map((turn, at) => html`<${Turn} key=${at} turn=${turn} mark=${at + 1} frame=${frame} />`)}
      <p class="changes">${changes ? text("lead_changes", { count: changes }) : text("lead_kept")}</p></div>
      <${Graph} frame=${frame} width=${1613} marks=${marks} /></div></div>`;
}

/** @param {{frame: WatchModel, logo: string}} props */
export function Final({ frame, logo }) {
  if (frame.phase !== "over") return null;
  const winner = /** @type {Player | null} */ (winnerOf(frame));
  const { event, table } = frame;
  const where = [event?.title, roundOf(event), text("table", { number: table })].filter(Boolean);
  const parts = (frame.adjustments ?? []).map(
    (part, at) => html`<span key=${at} class=${`part player-${part.player}`}>
    <i class="dot"></i>${adjusted(part, frame.players)}</span>`,
  );
  for (const { number, name } of seated(frame.players)) {
    const percent = frame.accuracy?.[number];
    if (typeof percent === "number")
      parts.push(
        html`<span key=${`accuracy ${number}`} class=${`part player-${number}`}><i class="dot"></i>${text("accuracy_of", { name: surnameOf(name), percent })}</span>`,
      );
  }
  const played = Object.keys(frame.sheet ?? {}).some((_, at) => frame.sheet[at].kind === "play");
  return html`<section class=${`stage final ${played ? "" : "bare"}`}><${Head} logo=${logo} line=${where.join(" \u00b7 ")} text=${text(winner === null ? "draw" : "final")} />
    <div class="final-box panel"><div class="final-lines alike">${seated(frame.players).map(
      (player) =>
        html`<${Line} key=${player.number} player=${player} won=${winner === player.number} by=${wonBy(frame)} />`,
    )}</div>
      ${parts.length > 0 && html`<div class="parts">${parts}</div>`}</div>
    ${played && html`<${Story} frame=${frame} winner=${winner} />`}</section>`;
}
