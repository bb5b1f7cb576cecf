/**
 * Moments: what a viewer would be sorry to miss, told for some seconds and then gone. They come from what
 * changed between two frames; a first picture and one after a lost connection tell none.
 */
import { html } from "../../shared/dom.js";
import { Name, surnameOf } from "../../shared/game/name.js";
import { text } from "../../shared/texts.js";
import { signed, winnerOf } from "../../shared/game/standing.js";
import { Entering, Word } from "./last-play.js";

/** @import { Frame, LastPlay, Named, Player } from "../../shared/frames" */
/** @typedef {{kind: string, title?: string, player: Player, play?: LastPlay, points?: number}} Moment */

/** A bingo stays longer than the rest. */
const SHOWN_MS = { bingo: 4000, other: 3200 };
/** So long the play itself is shown before what follows from it takes its place. */
const PLAY_FIRST_MS = 2000;
const MOST_WAITING = 3;
const WHOLE_RACK = 7;

/** Which play it is. @param {LastPlay | undefined} play */
export const nameOf = (play) => (play ? `${play.n} ${play.kind} ${play.word} ${play.score}` : "");

/**
 * What has happened between two frames of one game, the greatest moment first.
 * @param {Frame} before
 * @param {Frame} now
 * @returns {Moment[]}
 */
export function momentsOf(before, now) {
  const play = now.last_play;
  if (before.table !== now.table || before.game !== now.game || now.phase === "over" || !play)
    return [];
  const made = nameOf(before.last_play) !== nameOf(play);
  const { player } = play;
  /** @type {Moment[]} */
  const found = [];
  if (made && play.kind === "play" && play.squares.length === WHOLE_RACK)
    found.push({ kind: "bingo", player, play, points: play.score });
  const highest = before.highest ?? Infinity;
  if (made && play.kind === "play" && play.score > highest && play.score === now.highest)
    found.push({ kind: "record", player, play, points: play.score });
  if (made && play.kind === "withdraw")
    found.push({ kind: "challenge", title: "phony", player, play, points: play.score });
  if (!made && play.bonus && before.last_play?.bonus !== play.bonus)
    found.push({ kind: "challenge", player, play, points: play.bonus });
  const [led, leads] = [winnerOf(before), winnerOf(now)];
  if (made && leads !== null && led !== null && led !== leads)
    found.push({
      kind: "lead",
      player: leads,
      points: now.players[leads].score - now.players[led].score,
    });
  if (before.unseen.bag > 0 && now.unseen.bag === 0) found.push({ kind: "bag", player });
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
    if (this.current || !this.waiting.length) return;
    if (this.waiting[0].play) this.next();
    else this.later(PLAY_FIRST_MS);
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
    this.later(this.current.kind === "bingo" ? SHOWN_MS.bingo : SHOWN_MS.other);
  }

  /** @param {number} ms */
  later(ms) {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.next();
      this.changed();
    }, ms);
  }
}

/** What comes of a challenge, after the word. @param {Moment} moment */
const verdict = ({ kind, title }) => {
  if (kind !== "challenge") return "";
  return html`<span class="rest">${text(title === "phony" ? "comes_off" : "stands")}</span>`;
};

/** @param {{moment: Moment | null, players: Named[]}} props */
export function MomentPanel({ moment, players }) {
  if (!moment) return null;
  const { kind, title = kind, player, play, points } = moment;
  const challenger = kind === "challenge" && surnameOf(players[1 - player].name);
  return html`<section class=${`moment last panel player-${player}`} data-moment=${kind}>
    <${Entering} key=${`${kind} ${nameOf(play)} ${player}`}><div class="row"><b class="title figures">${text(title === "bingo" ? title : `moment_${title}`)}</b>
      <div class="what">${
        play
          ? html`<div class="line"><${Name} name=${players[player].name} />${challenger && html`<span class="also ellipsis">${text("challenged_by", { name: challenger })}</span>`}</div>
        <div class="spoken"><${Word} play=${play} />${verdict(moment)}</div>`
          : html`<div class="word plain"><${Name} name=${players[player].name} /><span class="rest">${text(`moment_said_${kind}`)}</span></div>`
      }</div>
      ${points !== undefined && html`<div class="gain figures">${kind === "lead" ? points : signed(points)}</div>`}</div></${Entering}></section>`;
}
