/** The play that was just made; after the game, who won. One banner, never two. */
import { View, html } from "../../shared/dom.js";
import { enter } from "../../shared/motion.js";
import { Name, surnameOf } from "../../shared/game/name.js";
import { roundOf, signed, winnerOf } from "../../shared/game/standing.js";
import { text } from "../../shared/texts.js";
import { isBlank, labelOf, publicWord, tilesIn } from "../../shared/game/tiles.js";

/** @import { Drawn } from "../../shared/dom" */
/** @import { Adjustment, Frame, LastPlay as Last, Named } from "../../shared/frames" */

const PLAIN = new Set(["exchange", "pass", "no_play", "unseen"]);
/**
 * What points were for that no play made.
 * @param {string} kind
 */
export const reason = (kind) => text(kind);

/**
 * The word as laid: letters that were there already and blanks stand out from the rest.
 * @param {{play: Last}} props
 */
export function Word({ play }) {
  const text = play.words[0] ?? play.word;
  const gone = play.kind === "withdraw";
  const laid = tilesIn(play.word);
  const letters = tilesIn(text).map((tile, at) => {
    const through = laid[at] === ".";
    const kind = gone ? "gone" : through ? "through" : isBlank(tile) ? "blank" : "";
    const label = labelOf(tile);
    return html`<span class=${`${kind} ${label ? "" : "nameless"}`}>${label || "\u25a1"}</span>`;
  });
  return html`<div class="word figures">${letters}</div>`;
}

/** @param {Last} play */
function tagOf(play) {
  if (play.bonus) return text("tag_challenged", { points: signed(play.bonus) });
  if (play.kind === "withdraw") return text("comes_off");
  return play.kind === "play" && play.squares.length === 7 ? text("tag_bingo") : "";
}

/** The other words of a play; a blank without a letter is an empty tile. @param {Last} play */
const others = (play) => play.words.slice(1).map(publicWord).join(", ");

/** @param {{play: Last, players: Named[]}} props */
function PlayRow({ play, players }) {
  const plain = PLAIN.has(play.kind);
  const did = play.kind === "exchange" && !play.count ? "exchange_some" : play.kind;
  const tag = tagOf(play);
  return html`<div class=${`row player-${play.player}`}>
    <div class="edge"></div>
    <div class="what">
      <div class="line"><${Name} name=${players[play.player].name} />
        ${play.position && html`<span class="position">${play.position}</span>`}
        ${play.words.length > 1 && play.kind === "play" && html`<span class="also ellipsis">${text("also", { words: others(play) })}</span>`}
        ${tag && html`<span class="tag">${tag}</span>`}</div>
      ${plain ? html`<div class="word plain">${text(`did_${did}`, { count: play.count })}</div>` : html`<${Word} play=${play} />`}
    </div>
    <div class="gain figures">${plain ? "" : signed(play.score)}</div>
  </div>`;
}

/** Points that no play made, and what for. @param {Adjustment} part */
const adjustedBy = ({ kind, points }) => `${signed(points)} ${reason(kind)}`;

/**
 * Points that no play made, with whose they are: colour alone would not say it.
 * @param {Adjustment} part
 * @param {Named[]} players
 */
export const adjusted = (part, players) =>
  `${surnameOf(players[part.player].name)} ${adjustedBy(part)}`;

/**
 * What stands behind the winner's name; empty for a draw.
 * @param {Pick<Frame, "players" | "result">} frame
 */
export function wonBy({ players, result }) {
  const gap = Math.abs(players[0].score - players[1].score);
  if (result) return text("wins_decided", { how: text(result.how), points: signed(result.margin) });
  return gap ? text("wins_margin", { points: gap }) : "";
}

/** @param {{frame: Frame}} props */
function ResultRow({ frame }) {
  const { players, adjustments = [] } = frame;
  const winner = winnerOf(frame);
  const named = [0, 1]
    .map((player) => adjustments.filter((part) => part.player === player))
    .filter((theirs) => theirs.length > 0);
  const parts = named.map(
    (theirs) =>
      html`<span class=${`part player-${theirs[0].player}`}><span class="who ellipsis">${surnameOf(players[theirs[0].player].name)}</span> <span class="for">${theirs.map(adjustedBy).join(", ")}</span></span>`,
  );
  return html`<div class=${`row player-${winner ?? 0}`}>
    <div class="edge"></div>
    <div class="what wide">
      <div class=${`line ${["", "", "two"][adjustments.length] ?? "many"}`}>${adjustments.length < 3 && html`<span class="position">${text("final")}</span>`}${parts}</div>
      <div class="word plain">${winner === null ? text("draw") : html`<${Name} name=${players[winner].name} /><span class="rest">${wonBy(frame)}</span>`}</div>
    </div>
  </div>`;
}

/** @extends {View<{children?: Drawn}>} */
export class Entering extends View {
  componentDidMount() {
    enter(this.root, { from: "translateY(18%)", faint: 0.4 }); // a panel is never empty
  }

  /** @param {{children?: Drawn}} props */
  render({ children }) {
    return html`<div class="entering" ref=${this.own}>${children}</div>`;
  }
}

/** @param {{frame: Frame}} props */
function Opening({ frame }) {
  const { players, event } = frame;
  const { name } = players[0];
  const about = [event?.title, roundOf(event), text("table", { number: frame.table })];
  return html`<section class="last panel"><${Entering} key="opening"><div class="row player-0"><div class="edge"></div>
    <div class="what"><div class="line"><span class="ellipsis">${about.filter(Boolean).join(" \u00b7 ")}</span></div>
      <div class="word plain"><${Name} name=${name} /><span class="rest">${text("to_start")}</span></div></div></div></${Entering}></section>`;
}

/**
 * `opening`: what stands in its place before the first play.
 * @param {{frame: Frame, opening?: boolean}} props
 */
export function LastPlay({ frame, opening }) {
  const { last_play: play, players, phase } = frame;
  if (phase === "over") {
    return html`<section class="last panel"><${Entering} key="final">
      <${ResultRow} frame=${frame} /></${Entering}></section>`;
  }
  if (!play) return opening ? html`<${Opening} frame=${frame} />` : null;
  const key = `${play.n}-${play.kind}-${play.position}-${play.word}-${play.score}`;
  return html`<section class="last panel"><${Entering} key=${key}>
    <${PlayRow} play=${play} players=${players} /></${Entering}></section>`;
}
