/** Scenes of the event rather than of a table: drawn from what everybody may know of it by now. */
import { html } from "../../shared/dom.js";
import { Card } from "../widgets/cards.js";
import { Name } from "../../shared/game/name.js";
import { text } from "../../shared/texts.js";
import { inReach } from "../../shared/game/plate.js";
import { halves, signed, tenths, written } from "../../shared/game/standing.js";

/** @import { Drawn } from "../../shared/dom" */
/** @import { EventDivision, EventModel, EventPlace } from "../../event/models" */
/** @import { Frame } from "../../shared/frames" */
/** @typedef {{logo: string, sponsor: string}} Marks addresses of pictures; empty where there is none */
/** @typedef {Pick<Frame, "table"> & Partial<Pick<Frame, "phase" | "event">>} Playing a table, and what is played there */
/** @typedef {{event: EventModel, division: EventDivision, game: Playing, page: number, marks: Marks}} Shown */

const ROWS = 10;
const LATEST = 5;
const MEDALS = 3;

/** @param {Shown} shown */
const placesOf = ({ division }) => new Map(division.standings.map((row) => [row.id, row]));

/**
 * The rows of the page that is due: they take turns where there are more than fit.
 * @template T
 * @param {T[]} rows
 * @param {number} page
 */
function due(rows, page) {
  const pages = Math.max(1, Math.ceil(rows.length / ROWS));
  const size = Math.ceil(rows.length / pages); // the last page is as full as the first
  const at = page % pages;
  return { rows: rows.slice(at * size, (at + 1) * size), number: at + 1, pages };
}

/** @param {{shown: Shown, kind?: string, title: string, note?: string, children?: unknown}} props */
function Stage({ shown, kind = "", title, note = "", children }) {
  const { event, division, marks } = shown;
  const line = [event.name, text("division", { name: division.name })].filter(Boolean).join(", ");
  return html`<section class=${`stage event-stage ${kind}`}><div class="stage-head">${marks.logo && html`<img class="logo" src=${marks.logo} alt="" />`}<div class="texts">
    <div class="event ellipsis">${line}</div><h1><span class="ellipsis">${title}</span><span class="rest">${note}</span></h1></div>${marks.sponsor && html`<img class="logo backer" src=${marks.sponsor} alt="" />`}</div>
    <div class="event-box panel">${children}</div></section>`;
}

/** @param {{number: number, pages: number}} props */
const leaf = ({ number, pages }) => (pages > 1 ? `${number}/${pages}` : "");

/** Heads of columns, by the codes of their texts; empty for none. @param {{kind: string, codes: string[]}} props */
const Heads = ({ kind, codes }) =>
  html`<div class=${`event-row heads ${kind}`}>${codes.map((code, at) => html`<span key=${at}>${code && text(code)}</span>`)}</div>`;

/** @param {Shown} shown */
function standings(shown) {
  const { division } = shown;
  if (!division.standings.length) return null;
  const page = due(division.standings, shown.page);
  const title = division.after
    ? `${text("standings")} ${text("after_round", { round: division.after })}`
    : text("standings");
  return html`<${Stage} shown=${shown} title=${title} note=${leaf(page)}>
    <${Heads} kind="places" codes=${["place", "name", "card_record", "spread", "average"]} />
    ${page.rows.map(
      (
        row,
      ) => html`<div class=${`event-row places ${row.rank && row.rank <= MEDALS ? "top" : ""}`} key=${row.id}><span class="figures">${row.rank ?? ""}</span><${Name} name=${row.name} />
      <span class="figures">${record(row)}</span><span class="figures">${signed(row.spread)}</span>
      <span class="figures soft">${tenths(row.average[0])}</span></div>`,
    )}<//>`;
}

/** Everybody who can still win, or reach a place that pays. @param {Shown} shown */
function race(shown) {
  const { after, prizes, rounds, standings } = shown.division;
  const open = standings.filter(({ reach }) => reach && reach[0] <= Math.max(prizes, 1));
  if (!open.length || !rounds) return null;
  const page = due(open, shown.page);
  const note = text("rounds_left", { count: rounds - after });
  return html`<${Stage} shown=${shown} title=${text("race")} note=${[note, leaf(page)].filter(Boolean).join(" ")}>
    ${page.rows.map(
      (
        row,
      ) => html`<div class="event-row race" key=${row.id}><span class="figures">${row.rank}</span><${Name} name=${row.name} />
      <span class="figures">${record(row)}</span><span class="figures">${signed(row.spread)}</span><span>${inReach(row.reach)}</span></div>`,
    )}<//>`;
}

/** @param {EventPlace | undefined} row */
const record = (row) =>
  row && row.wins + row.losses ? `${halves(row.wins)}\u2013${halves(row.losses)}` : "";

/** @param {Shown} shown */
function pairings(shown) {
  const { division } = shown;
  if (!division.games.length) return null;
  const places = placesOf(shown);
  const page = due(division.games, shown.page);
  /** @param {number} id @param {boolean} winner */
  const named = (id, winner) =>
    html`<span class=${`named ${winner ? "winner" : ""}`}><${Name} name=${places.get(id)?.name ?? ""} /><small class="figures">${record(places.get(id))}</small></span>`;
  return html`<${Stage} shown=${shown} title=${roundTitle(division)} note=${leaf(page)}>
    <${Heads} kind="pairs" codes=${["table_head", "", "", "", "", ""]} />
    ${page.rows.map(
      ({
        table,
        players: [first, second],
        scores,
        winner,
      }) => html`<div class="event-row pairs" key=${`${first}-${second}`}><span class="figures">${table ?? ""}</span>
      ${named(first, winner === 0)}<b class=${`figures ${won(winner, 0)}`}>${scores ? written(scores[0]) : ""}</b><i class="dash"></i>
      <b class=${`figures ${won(winner, 1)}`}>${scores ? written(scores[1]) : ""}</b>${named(second, winner === 1)}</div>`,
    )}<//>`;
}

/** @param {EventDivision} division */
const roundTitle = ({ round, rounds }) =>
  rounds ? text("round_of", { round, rounds }) : text("round_number", { round });

/**
 * @param {number | null} winner
 * @param {number} at
 */
const won = (winner, at) => (winner === at ? "won" : "");

/** A line of the latest results, the newest first; one at a time in turn. @param {Shown} shown */
function results(shown) {
  const { division } = shown;
  if (!division.results.length) return null;
  const latest = division.results.slice(0, LATEST);
  const { round, names, scores, forfeited, winner } = latest[shown.page % latest.length];
  const [first, second] = scores.map(forfeited ? signed : written);
  return html`<div class="event-ticker panel" key=${names.join()}><span class="what">${text("round_number", { round })}</span>
    <${Name} name=${names[0]} /><b class=${`figures ${won(winner, 0)}`}>${first}</b><i class="dash"></i><b class=${`figures ${won(winner, 1)}`}>${second}</b><${Name} name=${names[1]} /></div>`;
}

/**
 * What the standings say of a player, as a card has it.
 * @param {EventPlace} row
 * @param {number} after the rounds that count
 */
const cardOf = ({ wins, losses, spread, rank, rating, average }, after) => ({
  ...(after ? { wins, losses, spread, place: rank ?? undefined, average: average[0] } : {}),
  rating: rating ?? undefined,
});

/** The pair of the table; nobody while it plays an earlier round yet. @param {Shown} shown */
function meeting(shown) {
  const { division } = shown;
  const { table, phase, event } = shown.game;
  if (phase === "playing" && event?.number && event.number !== division.round) return null;
  const game = division.games.find((game) => game.table === table);
  if (!game) return null;
  const places = placesOf(shown);
  const sides = game.players.map((id) => places.get(id));
  return html`<${Stage} shown=${shown} kind="next" title=${text("head_to_head")} note=${text("table", { number: table })}>
    <div class="pair alike">${sides.map((row, number) => row && html`<${Card} key=${row.id} player=${{ name: row.name, number, seat: number ? "right" : "left" }} card=${cardOf(row, division.after)} latest=${row.latest} />`)}</div>
    ${game.met.length === 0 && html`<p class="event-none">${text("first_meeting")}</p>`}
    ${game.met.map(
      ({ round, scores, winner }) =>
        html`<div class="event-row met" key=${round}><b class=${`figures ${won(winner, 0)}`}>${written(scores[0])}</b>
          <span>${text("round_number", { round })}</span><b class=${`figures ${won(winner, 1)}`}>${written(scores[1])}</b></div>`,
    )}<//>`;
}

/** @param {Shown} shown */
function highGames(shown) {
  const { high } = shown.division;
  if (!high.length) return null;
  return html`<${Stage} shown=${shown} title=${text("high_games")}>
    ${high.map(
      ({
        name,
        score,
        other,
        round,
      }) => html`<div class="event-row high" key=${`${name}${round}`}><b class="figures">${written(score)}</b><${Name} name=${name} />
      <${Name} name=${other} /><span>${text("round_number", { round })}</span></div>`,
    )}<//>`;
}

/** @param {Shown} shown */
function title(shown) {
  const { event, division, marks } = shown;
  if (!division.round) return null;
  const shownMarks = [marks.logo, marks.sponsor].filter(Boolean);
  return html`<section class="stage event-title"><div class="texts">${shownMarks.length > 0 && html`<div class="marks">${shownMarks.map((mark) => html`<img key=${mark} src=${mark} alt="" />`)}</div>`}<div class="event">${event.name}</div>
    <h1>${roundTitle(division)}</h1><div class="event">${text("division", { name: division.name })}</div></div></section>`;
}

/** @type {{[scene: string]: (shown: Shown) => Drawn}} */
export const EVENT_SCENES = {
  standings,
  pairings,
  results,
  meeting,
  race,
  high: highGames,
  round: title,
};
