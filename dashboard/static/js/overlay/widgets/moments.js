/**
 * Moments: what a viewer would be sorry to miss, told for some seconds and then gone. They come from what
 * changed between two frames; a first picture and one after a lost connection tell none.
 */
import { html } from "../../shared/dom.js";
import { Name } from "../../shared/game/name.js";
import { text } from "../../shared/texts.js";
import { Entering, Word, signed } from "./last-play.js";

/** @import { Frame, LastPlay, Named, Player } from "../../shared/frames" */
/** @typedef {{kind: string, title: string, player: Player, play?: LastPlay, points?: number}} Moment */

/** A bingo stays longer than the rest. */
const SHOWN_MS = { bingo: 4000, other: 3200 };
const MOST_WAITING = 3;
const WHOLE_RACK = 7;

/** @param {LastPlay | undefined} play */
const nameOf = (play) => (play ? `${play.n} ${play.kind} ${play.word} ${play.score}` : "");

/**
 * Who leads; null where nobody does.
 * @param {Named[]} players
 */
function leaderOf([first, second]) {
  return first.score === second.score ? null : Number(second.score > first.score);
}

/**
 * What has happened between two frames of one game, the greatest moment first.
 * @param {Frame} before
 * @param {Frame} now
 * @returns {Moment[]}
 */
export function momentsOf(before, now) {
  const play = now.last_play;
  if (before.game !== now.game || now.phase === "over" || !play) return [];
  const made = nameOf(before.last_play) !== nameOf(play);
  const { player } = play;
  /** @type {Moment[]} */
  const found = [];
  if (made && play.kind === "play" && play.squares.length === WHOLE_RACK)
    found.push({ kind: "bingo", title: text("bingo"), player, play, points: play.score });
  const highest = before.highest ?? Infinity;
  if (made && play.kind === "play" && play.score > highest && play.score === now.highest)
    found.push({ kind: "record", title: text("record"), player, play, points: play.score });
  if (made && play.kind === "withdraw")
    found.push({ kind: "challenge", title: text("comes_off"), player, play, points: play.score });
  if (!made && play.bonus && before.last_play?.bonus !== play.bonus)
    found.push({ kind: "challenge", title: text("stands"), player, play, points: play.bonus });
  const [led, leads] = [leaderOf(before.players), leaderOf(now.players)];
  if (made && leads !== null && led !== null && led !== leads)
    found.push({ kind: "lead", title: text("takes_lead"), player: leads });
  if (before.unseen.bag > 0 && now.unseen.bag === 0)
    found.push({ kind: "bag", title: text("bag_empty"), player });
  return found;
}

/** One moment at a time, in order; `changed` is called when another one is due. */
export class Moments {
  /** @type {Moment | null} */
  current = null;
  /** @type {Moment[]} */
  waiting = [];
  timer = 0;

  /**
   * @param {Set<string>} wanted which kinds are told
   * @param {() => void} changed
   */
  constructor(wanted, changed) {
    this.wanted = wanted;
    this.changed = changed;
  }

  /** @param {Moment[]} found */
  add(found) {
    this.waiting.push(...found.filter((moment) => this.wanted.has(moment.kind)));
    this.waiting.splice(MOST_WAITING);
    if (!this.current) this.next();
  }

  /** Nothing is told any more. */
  clear() {
    clearTimeout(this.timer);
    this.waiting = [];
    this.current = null;
  }

  next() {
    this.current = this.waiting.shift() ?? null;
    if (!this.current) return;
    const { kind } = this.current;
    this.timer = window.setTimeout(
      () => {
        this.next();
        this.changed();
      },
      kind === "bingo" ? SHOWN_MS.bingo : SHOWN_MS.other,
    );
  }
}

/** @param {{moment: Moment | null, players: Named[]}} props */
export function MomentPanel({ moment, players }) {
  if (!moment) return null;
  const { kind, title, player, play, points } = moment;
  return html`<section class=${`moment panel ${kind} player-${player}`} data-moment=${kind}>
    <${Entering} key=${`${kind} ${nameOf(play)} ${player}`}><div class="row"><div class="edge"></div>
      ${kind === "bingo" && html`<b class="title figures">${title}</b>`}
      <div class="what"><${Name} name=${players[player].name} />
        ${play ? html`<${Word} play=${play} />` : html`<div class="said">${title}</div>`}</div>
      ${play && kind !== "bingo" && html`<span class="verdict">${title}</span>`}
      ${points !== undefined && html`<div class="gain figures">${signed(points)}</div>`}</div></${Entering}></section>`;
}
