/** Pairings, standings and high scores of a division, as the public reads them and the director. */
import { html } from "../shared/dom.js";
import { inReach } from "../shared/game/plate.js";
import { halves, signed, tenths } from "../shared/game/standing.js";
import { text } from "../shared/texts.js";
import { publicWord } from "../shared/game/tiles.js";

/** @import { Drawn } from "../shared/dom" */
/** @import { EventDivision, EventGame, HighGame, HighWord } from "./models" */

/**
 * What a game counts where the scores do not say so.
 * @param {number | undefined} margin
 */
const counted = (margin) => (margin === undefined ? "" : `(${signed(margin)})`);

/** @param {EventDivision} division */
export const namesOf = (division) => new Map(division.standings.map((row) => [row.id, row.name]));

/**
 * `numbered`: with the numbers that directors type; `after`: what stands behind a game.
 * @param {{division: EventDivision, numbered?: boolean, after?: (game: EventGame) => Drawn}} props
 */
export function Games({ division, numbered, after }) {
  const names = namesOf(division);
  /** @param {number} number */
  const player = (number) => (numbered ? `${number} ` : "") + names.get(number);
  /** @param {EventGame} game @param {0 | 1} at */
  const won = ({ winner }, at) => (winner === at ? "won" : "");
  /** @param {EventGame} game @param {0 | 1} at */
  const result = ({ scores, margins }, at) =>
    [scores?.[at], counted(margins?.[at])].filter((part) => part !== undefined).join(" ");
  return html`<table class="event-table"><thead><tr><th>${text("table_head")}</th><th>${text("goes_first")}</th><th></th><th>${text("goes_second")}</th><th></th>${after && html`<th></th>`}</tr></thead>
    <tbody>${division.games.map((game) => {
      const {
        table,
        players: [first, second],
      } = game;
      return html`<tr key=${first}><td>${table ?? ""}</td><td class=${won(game, 0)}>${player(first)}</td><td class=${`figure ${won(game, 0)}`}>${result(game, 0)}</td>
      <td class=${won(game, 1)}>${player(second)}</td><td class=${`figure ${won(game, 1)}`}>${result(game, 1)}</td>${after && html`<td>${after(game)}</td>`}</tr>`;
    })}</tbody></table>`;
}

/** @param {{division: EventDivision, numbered?: boolean}} props */
export function Standings({ division, numbered }) {
  const rated = division.standings.some((row) => row.rating !== null);
  const expected = division.standings.some((row) => row.expected !== null);
  const heads = ["wins", "losses", "spread"];
  const roomy = ["scored_for", "scored_against", ...(rated ? ["rating"] : [])];
  return html`<table class="event-table"><thead><tr><th class="figure">${text("place")}</th><th>${text("player_head")}</th>${heads.map((code) => html`<th key=${code} class="figure">${text(code)}</th>`)}
      ${roomy.map((code) => html`<th key=${code} class="figure roomy">${text(code)}</th>`)}${expected && html`<th class="figure roomy">${text("expected")}</th>`}</tr></thead>
    <tbody>${division.standings.map(
      (
        row,
      ) => html`<tr key=${row.id}><td class="figure">${row.rank ?? text("has_left")}</td><td>${numbered && `${row.id} `}${row.name} <small class="soft">${inReach(row.reach, division.prizes)}</small></td><td class="figure">${halves(row.wins)}</td>
      <td class="figure">${halves(row.losses)}</td><td class="figure">${signed(row.spread)}</td>
      <td class="figure roomy">${tenths(row.average[0])}</td><td class="figure roomy">${tenths(row.average[1])}</td>
      ${rated && html`<td class="figure roomy">${row.rating ?? ""}</td>`}${expected && html`<td class="figure roomy">${tenths(row.expected)}</td>`}</tr>`,
    )}</tbody></table>${expected && html`<p class="soft roomy">${text("expected_note")}</p>`}`;
}

/** @param {{games: HighGame[]}} props */
const Scores = ({ games }) =>
  html`<table class="event-table"><tbody>${games.map(
    ({ name, score, other, round }) =>
      html`<tr key=${`${name}${round}`}><td class="figure">${score}</td><td>${name}</td><td>${text("against", { name: other })}</td><td>${text("round_number", { round })}</td></tr>`,
  )}</tbody></table>`;

/** @param {{words: HighWord[]}} props */
const Words = ({ words }) =>
  html`<table class="event-table"><tbody>${words.map(
    ({ name, word, score, round }) =>
      html`<tr key=${`${name}${word}${round}`}><td class="figure">${score}</td><td>${publicWord(word)}</td><td>${name}</td><td>${text("round_number", { round })}</td></tr>`,
  )}</tbody></table>`;

/** @param {{division: EventDivision}} props */
export const Highs = ({ division: { high, high_losses, high_words } }) =>
  high.length > 0 &&
  html`<details><summary>${text("high_games")}</summary><${Scores} games=${high} /><h3>${text("high_losses")}</h3><${Scores} games=${high_losses} />
    ${high_words.length > 0 && html`<h3>${text("high_words")}</h3><${Words} words=${high_words} />`}</details>`;

/** Those who play nobody in the newest round. @param {{division: EventDivision}} props */
export function Out({ division }) {
  const names = namesOf(division);
  if (!division.out.length) return null;
  const out = division.out.map((number) => names.get(number)).join("; ");
  return html`<p class="soft">${text("no_opponents", { names: out })}</p>`;
}

/**
 * When the next round starts, where somebody said; the day only when it is another one.
 * @param {{division: EventDivision}} props
 */
export function Next({ division }) {
  const { name, round, times } = division;
  const [day, time] = times[round]?.split(" ") ?? [];
  const before = times[round - 1]?.split(" ")[0];
  const at = day === before ? time : `${time}, ${day}`;
  return (
    times.length > 0 &&
    html`<p class="soft">${time && text("starts_at", { round: round + 1, at })} <a href=${`/event/rounds.ics?division=${encodeURIComponent(name)}`}>${text("calendar")}</a></p>`
  );
}

/** @param {EventDivision} division */
export const standingsTitle = ({ after }) =>
  after ? `${text("standings")} ${text("after_round", { round: after })}` : text("standings");
