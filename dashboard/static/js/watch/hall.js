/** All games at a glance, and the standings. */
import { View, html } from "../shared/dom.js";
import { Clock } from "../shared/game/clock.js";
import { Name } from "../shared/game/name.js";
import { clocksOf, seated, stateOf } from "../shared/game/score.js";
import { roundOf, signed, written } from "../shared/game/standing.js";
import { text } from "../shared/texts.js";
import { MiniBoard, SquaresOnce } from "../shared/game/mini-board.js";
import { Archive } from "../event/highlights.js";
import { outcome, turnTold } from "./telling.js";

/** @import { EventDivision, EventModel } from "../event/models" */
/** @import { OverGame } from "../event/highlights" */
/** @import { Glimpse, HallModel, Now, Seated } from "../shared/frames" */

const FEW = 5;
const WIDE_PX = 900;
const { standings = "", home = "", earlier = "" } = document.documentElement.dataset;

/** @param {{player: Seated, game: Glimpse, now: Now}} props */
function Side({ player, game, now }) {
  const clock = clocksOf(game);
  return html`<div class=${`side player-${player.number} ${player.on_turn ? "on-turn" : ""}`}><i class="edge"></i>
    <${Name} name=${player.name} />${player.on_turn && html`<span class="sr">${text("on_turn")}</span>`}
    ${clock && html`<${Clock} clock=${clock} player=${player.number} now=${now} />`}
    <b class="figures">${written(player.score)}</b></div>`;
}

/** @param {{game: Glimpse, now: Now}} props */
function Card({ game, now }) {
  const names = game.players.map((player) => player.name);
  const said = outcome(game) || (game.last_play ? turnTold(game.last_play, names) : text("start"));
  const head = [roundOf(game.event), ...stateOf(game)].filter(Boolean);
  return html`<a class="card" href=${game.href ?? `${home}/${game.table}`}>
    <${MiniBoard} board=${game.board} play=${game.last_play} />
    <div class="facts alike"><div class="which">${[text("table", { number: game.table }), ...head].join(" \u00b7 ")}</div>
      ${seated(game.players).map((player) => html`<${Side} key=${player.number} player=${player} game=${game} now=${now} />`)}
      <p class="said">${said}</p></div></a>`;
}

/** @param {{division: EventDivision, many: boolean}} props */
function Division({ division, many }) {
  return html`<table><caption>${[many && text("division", { name: division.name }), text("after_round", { round: division.after })].filter(Boolean).join(", ")}</caption>
    <thead><tr>${["place", "name", "wins", "losses", "spread"].map((code) => html`<th scope="col" key=${code} class=${code === "name" ? "" : "num"}>${text(code)}</th>`)}</tr></thead>
    <tbody>${division.standings.map(
      (
        row,
      ) => html`<tr key=${row.id}><td class="num">${row.rank ?? ""}</td><th scope="row">${row.name}</th>
      <td class="num">${row.wins}</td><td class="num">${row.losses}</td><td class="num">${signed(row.spread)}</td></tr>`,
    )}</tbody></table>`;
}

/**
 * The standings are asked for when somebody opens them, or at once where games leave room for them.
 * @extends {View<{open: boolean}>}
 */
class Standings extends View {
  /** @type {EventModel | null} */
  event = null;

  opens = this.props.open;

  /** @param {Event} event */
  opened = async (event) => {
    if (!(event.target instanceof HTMLDetailsElement) || !event.target.open) return;
    const answer = await fetch(standings).catch(() => null);
    if (!answer?.ok) return;
    /** @type {EventModel} */
    const heard = await answer.json();
    this.event = heard;
    // What opened by itself and has nothing to show closes again.
    this.opens &&= heard.divisions.some((division) => division.after);
    this.setState({});
  };

  render() {
    const { event } = this;
    const divisions = event?.divisions.filter((division) => division.after) ?? [];
    return html`<details class="standings" open=${this.opens} onToggle=${this.opened}><summary>${text("standings")}</summary>
      ${divisions.map((division) => html`<${Division} key=${division.name} division=${division} many=${divisions.length > 1} />`)}
      ${event && !divisions.length && html`<p class="soft">\u2013</p>`}</details>`;
  }
}

/**
 * Finished games of all rounds are listed when somebody opens them, the newest first.
 * @extends {View<{}>}
 */
class Earlier extends View {
  /** @type {OverGame[] | null} */
  games = null;

  /** @param {Event} event */
  opened = async (event) => {
    if (!(event.target instanceof HTMLDetailsElement) || !event.target.open) return;
    const answer = await fetch(earlier).catch(() => null);
    if (!answer?.ok) return;
    this.games = (await answer.json()).games.reverse();
    this.setState({});
  };

  render() {
    return html`<details class="earlier" onToggle=${this.opened}><summary>${text("games_over")}</summary>
      ${this.games && html`<${Archive} games=${this.games} />`}${this.games && !this.games.length && html`<p class="soft">\u2013</p>`}</details>`;
  }
}

/**
 * @param {HallModel | null} model
 * @param {Now} now
 */
export function hall(model, now) {
  const games = Object.values(model?.tables ?? {});
  const order = { playing: 0, before: 1, over: 2 };
  games.sort((a, b) => order[a.phase] - order[b.phase] || a.table - b.table);
  const on = games.some((game) => game.phase !== "over");
  return html`<${SquaresOnce} /><h1>${text(on ? "live_games" : "games")}</h1>
    ${games.length ? html`<div class="cards">${games.map((game) => html`<${Card} key=${game.href ?? game.table} game=${game} now=${now} />`)}</div>` : html`<p class="soft">${text("no_games")}</p>`}
    ${standings && html`<${Standings} open=${games.length < FEW && innerWidth >= WIDE_PX} />`}
    ${earlier && html`<${Earlier} />`}`;
}
