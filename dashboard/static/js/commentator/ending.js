/** How the game ends: exact once the bag is empty, over every draw while one or two tiles are in it. */
import { html } from "../shared/dom.js";
import { signed } from "../shared/game/standing.js";
import { text } from "../shared/texts.js";
import { worded } from "../shared/tool.js";
import { PlayWord, percent } from "./panels.js";

/** @import { Ending as End, Named, PublicPlay } from "../shared/frames" */

const TITLES = ["endgame", "one_in_bag", "two_in_bag"];
const MOST = 3;

/** @param {number} spread */
const ends = (spread) =>
  spread > 0
    ? text("wins_by_spread", { spread })
    : spread < 0
      ? text("loses_by", { spread: -spread })
      : text("ties");

/** How far plays were compared. @param {number} [depth] */
const searched = (depth = 0) => (depth ? text("searched", { depth }) : text("by_points"));

/** @param {{play: PublicPlay | null}} props */
const Made = ({ play }) =>
  play
    ? html`<span class="where">${play.position}</span> <${PlayWord} text=${play.text} word=${play.word} /> <b class="figures">${play.score}</b>`
    : html`<span class="soft">${text("kind_pass")}</span>`;

/** The end once both racks are known. @param {{ending: End, players: Named[]}} props */
function Course({ ending, players }) {
  const { course = [], spread = 0, solved, depth, player = 0 } = ending;
  if (!course.length) return html`<p class="quiet">${text("not_solved_at_all")}</p>`;
  return html`<p class="verdict-line"><${Made} play=${course[0]} /> <strong>${ends(spread)}</strong></p>
    ${
      course.length > 1 &&
      html`<ol class="course">${course.slice(1).map((play, at) => {
        const other = players[(player + at + 1) % 2];
        return html`<li class=${`player-${(player + at + 1) % 2}`}><i class="dot"></i><span class="sr">${other.name}: </span><${Made} play=${play} /></li>`;
      })}</ol>`
    }
    <p class="soft">${solved ? text("solved") : `${text("not_solved")} ${searched(depth)}`}</p>`;
}

/** Plays before the last draws. @param {{ending: End}} props */
function Options({ ending: { options = [], depth = 0 } }) {
  if (!options.length) return html`<p class="quiet">${text("none_weighed")}</p>`;
  return html`<ol class="plays">${options.slice(0, MOST).map(
    (play) =>
      html`<li key=${`${play.position} ${play.word}`} class="option"><span><${Made} play=${play} /></span>
        <span class="soft figures" title=${text("mean_spread")}>${signed(Math.round(play.spread))}</span><b class="figures" title=${text("games_won")}>${percent(play.win)}</b></li>`,
  )}</ol>
    <p class="soft">${text("every_draw")} ${searched(depth)}</p>`;
}

/** @param {{ending?: End, players: Named[]}} props */
export function Ending({ ending, players }) {
  if (!ending) return null;
  const { player = 0, bag = 0, needs = 0, why, working } = ending;
  const { name } = players[player];
  const points = Math.abs(needs > 0 ? needs : 1 - needs);
  const score = needs > 1 ? "name_needs" : needs === 1 ? "name_level" : "name_leads";
  return html`<section class="card ending"><h2>${text(TITLES[bag])}<span class="grow"></span><span class="soft">${text(score, { name, points })}</span></h2>${
    why
      ? html`<p class="quiet">${worded(text(why))}.</p>`
      : working
        ? html`<p class="quiet">${text("calculating")}</p>`
        : bag
          ? html`<${Options} ending=${ending} />`
          : html`<${Course} ending=${ending} players=${players} />`
  }</section>`;
}
