/** Names, scores and clocks: two mirrored halves around a dash that never moves. */
import { View, html } from "../dom.js";
import { Clock } from "./clock.js";
import { mayMove, settle } from "../motion.js";
import { Name } from "./name.js";
import { Facts, Portrait, hasFacts } from "./plate.js";
import { winnerOf, written } from "./standing.js";
import { text as said } from "../texts.js";
import { onFrame } from "../ticker.js";

/** @import { Clocks as Times, Frame, Named, Now, PlayerCard, Seated } from "../frames" */

const COUNT_MS = 400;
/**
 * A score; with `count` it counts to its new value instead of jumping there.
 * @extends {View<{value: number, count?: boolean}>}
 */
export class Points extends View {
  stop = () => {};

  /** @param {{value: number}} before */
  componentDidUpdate(before) {
    const { value, count } = this.props;
    if (before.value === value) return;
    if (count && mayMove()) this.count(before.value, value);
    else settle(this.root.firstElementChild);
  }

  componentWillUnmount() {
    this.stop();
  }

  /**
   * Written into the text that is there: the view goes on from it.
   * @param {number} from
   * @param {number} to
   */
  count(from, to) {
    this.stop();
    const began = performance.now();
    this.stop = onFrame(() => {
      const share = Math.min(1, (performance.now() - began) / COUNT_MS);
      const eased = 1 - (1 - share) ** 3;
      const line = this.root.firstElementChild?.firstChild;
      if (line) line.nodeValue = written(Math.round(from + (to - from) * eased));
      if (share === 1) this.stop();
      return share < 1;
    });
  }

  /** @param {{value: number}} props */
  render({ value }) {
    const text = written(value);
    return html`<div class=${`points figures ${text.length > 3 ? "four" : ""}`} ref=${this.own}><span>${text}</span></div>`;
  }
}

/**
 * The two players as they sit: the left one first. Each carries its number.
 * @param {Named[]} players
 * @returns {Seated[]}
 */
export function seated(players) {
  const numbered = players.map((player, number) => ({ ...player, number }));
  return numbered[0].seat === "left" ? numbered : numbered.reverse();
}

/**
 * The clocks while they mean anything: after the game their time is in the score.
 * @param {Pick<Frame, "phase" | "clock">} frame
 * @returns {Times | false | undefined}
 */
export const clocksOf = (frame) => frame.phase !== "over" && frame.clock;

/**
 * What an address hides of the plates, and whether scores count up.
 * @typedef {{photo?: boolean, plate?: boolean, count?: boolean}} Bare
 */
/**
 * What is said of a game in a list: a total of it is under review, or it is over.
 * @param {{phase: string, players: Named[]}} game
 */
export const stateOf = ({ phase, players }) => [
  players.some((player) => player.under_review) ? said("under_review") : "",
  phase === "over" ? said("final") : "",
];

/**
 * Beside a total: a doubt is open whose readings score otherwise.
 * @param {{player: Named}} props
 */
export const Review = ({ player }) =>
  player.under_review ? html`<b class="review">${said("under_review")}</b>` : null;

/** @param {{player: Seated, card?: PlayerCard | null, clock?: Times | false, now: Now, points?: boolean, won?: boolean, bare?: Bare}} props */
function Half({ player, card, clock, now, points = true, won, bare = {} }) {
  const facts = !bare.plate && hasFacts(card);
  const classes = `half ${player.seat} player-${player.number} ${player.on_turn ? "on-turn" : ""} ${facts ? "plated" : ""} ${won ? "won" : ""}`;
  return html`<div class=${classes} data-player=${player.number}>
    <div class="edge"></div>${!bare.photo && html`<${Portrait} player=${player} card=${card} />`}
    <div class="who"><div class="named"><${Name} name=${player.name} />${facts && html`<${Facts} card=${card} />`}</div><i class="mark"></i></div>
    ${clock && html`<${Clock} clock=${clock} player=${player.number} now=${now} />`}
    ${points && html`<${Points} value=${player.score} count=${bare.count} />`}
    ${points && html`<${Review} player=${player} />`}
    <div class="bar"></div>
  </div>`;
}

/**
 * Between the scores: a dash, and below it how many points the player leads by to whom the arrow points.
 * @param {{frame: Frame}} props
 */
function Middle({ frame }) {
  const [left, right] = seated(frame.players);
  const lead = Math.abs(left.score - right.score);
  const leader = left.score > right.score ? left : right;
  return html`<div class="between"><i class="dash"></i>${lead > 0 && html`<b class=${`lead figures ${leader.seat} player-${leader.number}`}>${lead}</b>`}</div>`;
}

/** @param {{frame: Frame, now: Now, clocks?: boolean, full?: boolean, bare?: Bare}} props */
export function Score({ frame, now, clocks, full, bare }) {
  const [left, right] = seated(frame.players);
  const clock = clocks && clocksOf(frame);
  const winner = frame.phase === "over" ? winnerOf(frame) : null;
  return html`<section class=${`score alike panel ${full || clocks ? "wide" : ""}`}>
    <${Half} key=${`left-${left.number}`} player=${left} card=${frame.cards?.[left.number]} clock=${clock} now=${now} won=${winner === left.number} bare=${bare} />
    <${Middle} frame=${frame} />
    <${Half} key=${`right-${right.number}`} player=${right} card=${frame.cards?.[right.number]} clock=${clock} now=${now} won=${winner === right.number} bare=${bare} />
  </section>`;
}

/** @param {{frame: Frame, now: Now}} props */
export function Clocks({ frame, now }) {
  const clock = clocksOf(frame);
  if (!clock) return null;
  return html`<section class="clocks alike panel">
    ${seated(frame.players).map(
      (player) => html`<${Half} key=${player.number} player=${player}
      clock=${clock} now=${now} points=${false} bare=${{ photo: true, plate: true }} />`,
    )}
  </section>`;
}
