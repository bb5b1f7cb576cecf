/** How the game ends: exact once the bag is empty, over every draw while one or two tiles are in it. */
import { html } from "../shared/dom.js";
import { signed } from "../shared/game/standing.js";
import { worded } from "../shared/tool.js";
import { PlayWord, percent } from "./panels.js";

/** @import { Ending as End, Named, PublicPlay } from "../shared/frames" */

const TITLES = ["Endgame", "One tile in the bag", "Two tiles in the bag"];
const MOST = 3;

/** @param {number} spread */
const ends = (spread) =>
  spread > 0 ? `wins by ${spread}` : spread < 0 ? `loses by ${-spread}` : "ties";

/** How far plays were compared. @param {number} [depth] */
const searched = (depth = 0) =>
  depth
    ? `Searched ${depth === 1 ? "1 turn" : `${depth} turns`} deep, then by points.`
    : "Both play by points from there.";

/** @param {{play: PublicPlay | null}} props */
const Made = ({ play }) =>
  play
    ? html`<span class="where">${play.position}</span> <${PlayWord} text=${play.text} word=${play.word} /> <b class="figures">${play.score}</b>`
    : html`<span class="soft">pass</span>`;

/** The end once both racks are known. @param {{ending: End, players: Named[]}} props */
function Course({ ending, players }) {
  const { course = [], spread = 0, solved, depth, player = 0 } = ending;
  if (!course.length) return html`<p class="quiet">Not solved: no play was weighed in time.</p>`;
  return html`<p class="verdict-line"><${Made} play=${course[0]} /> <strong>${ends(spread)}</strong></p>
    ${
      course.length > 1 &&
      html`<ol class="course">${course.slice(1).map((play, at) => {
        const other = players[(player + at + 1) % 2];
        return html`<li class=${`player-${(player + at + 1) % 2}`}><i class="dot"></i><span class="sr">${other.name}: </span><${Made} play=${play} /></li>`;
      })}</ol>`
    }
    <p class="soft">${solved ? "Solved: neither player can do better with the words of the list." : `Not solved: best so far. ${searched(depth)}`}</p>`;
}

/** Plays before the last draws. @param {{ending: End}} props */
function Options({ ending: { options = [], depth = 0 } }) {
  if (!options.length) return html`<p class="quiet">No play was weighed in time.</p>`;
  return html`<ol class="plays">${options.slice(0, MOST).map(
    (play) =>
      html`<li key=${`${play.position} ${play.word}`} class="option"><span><${Made} play=${play} /></span>
        <span class="soft figures" title="mean spread at the end">${signed(Math.round(play.spread))}</span><b class="figures" title="games won">${percent(play.win)}</b></li>`,
  )}</ol>
    <p class="soft">Every draw tried. ${searched(depth)}</p>`;
}

/** @param {{ending?: End, players: Named[]}} props */
export function Ending({ ending, players }) {
  if (!ending) return null;
  const { player = 0, bag = 0, needs = 0, why, working } = ending;
  const { name } = players[player];
  const score = needs > 1 ? `needs ${needs}` : needs === 1 ? "is level" : `leads by ${1 - needs}`;
  return html`<section class="card ending"><h2>${TITLES[bag]}<span class="grow"></span><span class="soft">${name} ${score}</span></h2>${
    why
      ? html`<p class="quiet">${worded(why)}.</p>`
      : working
        ? html`<p class="quiet">Calculating\u2026</p>`
        : bag
          ? html`<${Options} ending=${ending} />`
          : html`<${Course} ending=${ending} players=${players} />`
  }</section>`;
}
