/** What people talk about after the round, and every game that is over with its page. */
import { html } from "../shared/dom.js";
import { halves, winnerOf } from "../shared/game/standing.js";
import { publicWord } from "../shared/game/tiles.js";
import { apart, text } from "../shared/texts.js";

/** @import { EventModel } from "./models" */
/** @import { Result } from "../shared/frames" */
/**
 * A game of `/public/games.json`.
 * @typedef {{table: number, game: string, round: number | null, division: string | null, counts: boolean, href: string, bingos: number[],
 *   players: {name: string, score: number}[], result: Result | null, highest: {player: number, word: string, score: number} | null}} OverGame
 */
/** @typedef {{code: string, game: OverGame, said: string}} Highlight */

/**
 * The game for which a measure is highest; none where it is 0 or less for all.
 * @param {OverGame[]} games
 * @param {(game: OverGame) => number} measure
 */
function most(games, measure) {
  const best = games.reduce(
    (kept, game) => (measure(game) > measure(kept) ? game : kept),
    games[0],
  );
  return best && measure(best) > 0 ? best : null;
}

const FAR = 10_000;

/**
 * Of the games that count: one that is played again, or was not played by the rules, is none.
 * @param {OverGame[]} all
 * @param {EventModel | null} event
 * @returns {Highlight[]}
 */
export function highlightsOf(all, event) {
  const games = all.filter((game) => game.counts);
  /** @type {Map<string, number | null>} */
  const ratings = new Map(
    event?.divisions.flatMap(({ name, standings }) =>
      standings.map((row) => [`${name}/${row.name}`, row.rating]),
    ),
  );
  /** How much lower the winner is rated. @param {OverGame} game */
  const upset = (game) => {
    const won = winnerOf(game);
    if (won === null) return 0;
    const [own, other] = [won, 1 - won].map((at) =>
      ratings.get(`${game.division}/${game.players[at].name}`),
    );
    return own && other ? other - own : 0;
  };
  /** @param {OverGame} game */
  const between = ({ players: [first, second] }) => Math.abs(first.score - second.score);
  /** @param {OverGame} game */
  const bestSide = ({ bingos }) => Number(bingos[1] > bingos[0]);
  /** Everybody who laid so many bingos in a game. @param {number} count */
  const bingoPlayers = (count) => [
    ...new Set(
      games.flatMap(({ players, bingos }) =>
        players.filter((_, side) => bingos[side] === count).map(({ name }) => apart(name)),
      ),
    ),
  ];
  /** @type {[string, (game: OverGame) => number, (game: OverGame) => string][]} */
  const kinds = [
    [
      "highest_play",
      ({ highest }) => highest?.score ?? 0,
      ({ highest, players }) =>
        highest
          ? `${apart(players[highest.player].name)}: ${publicWord(highest.word)} ${highest.score}`
          : "",
    ],
    [
      "highest_game",
      ({ players }) => Math.max(...players.map(({ score }) => score)),
      ({ players }) => {
        const [first, second] = players;
        const top = first.score >= second.score ? first : second;
        return `${apart(top.name)} ${top.score}`;
      },
    ],
    ["closest_game", (game) => (game.result ? 0 : FAR - between(game)), (game) => said(game)],
    [
      "most_bingos",
      (game) => game.bingos[bestSide(game)],
      (game) => {
        const count = game.bingos[bestSide(game)];
        return `${bingoPlayers(count).join(" \u00b7 ")}: ${text("bingos_of", { count })}`;
      },
    ],
    ["most_together", ({ players }) => players[0].score + players[1].score, (game) => said(game)],
    [
      "upset",
      upset,
      (game) =>
        `${apart(game.players[winnerOf(game) ?? 0].name)} (${text("rated_below", { points: upset(game) })})`,
    ],
  ];
  return kinds.flatMap(([code, measure, tell]) => {
    const game = most(games, measure);
    return game ? [{ code, game, said: tell(game) }] : [];
  });
}

/** @param {OverGame} game */
const said = ({ players: [first, second] }) =>
  `${apart(first.name)} ${halves(first.score)}\u2013${halves(second.score)} ${apart(second.name)}`;

/** @param {{games: OverGame[], event: EventModel | null}} props */
export function Highlights({ games, event }) {
  const found = highlightsOf(games, event);
  if (!found.length) return null;
  return html`<section class="highlights"><h2>${text("highlights")}</h2><div class="highlight-cards">${found.map(
    (highlight) =>
      html`<a key=${highlight.code} href=${highlight.game.href}><span class="soft">${text(highlight.code)}</span><b>${highlight.said}</b>
        <span class="soft">${highlight.game.round ? text("round_number", { round: highlight.game.round }) : said(highlight.game)}</span></a>`,
  )}</div></section>`;
}

/** Every game that is over, the newest round first. @param {{games: OverGame[]}} props */
export function Archive({ games }) {
  const rounds = [...new Set(games.map(({ round }) => round))].sort((a, b) => (b ?? 0) - (a ?? 0));
  return html`${rounds.map(
    (round) => html`<div key=${round}>${round && html`<h3>${text("round_number", { round })}</h3>`}
      <ul>${games
        .filter((game) => game.round === round)
        .map(
          (game) => html`<li key=${game.href}><a href=${game.href}>${said(game)}</a></li>`,
        )}</ul></div>`,
  )}`;
}
