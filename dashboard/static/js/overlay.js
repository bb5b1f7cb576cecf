/** Entry of every overlay page: which scene, which table, and where its frames come from. */
import { html, render } from "./dom.js";
import { Board } from "./board.js";
import { LastPlay } from "./last-play.js";
import { Link } from "./link.js";
import { allow, hush } from "./motion.js";
import { Clocks, Score } from "./score.js";
import { wake } from "./ticker.js";
import { Unseen } from "./unseen.js";

const { scene, table, assets, premiums } = document.documentElement.dataset;
const squares = premiums.split(" ");
const root = document.getElementById("scene");

const SCENES = {
  full: (frame, now) => html`
    <div class="at at-board"><${Board} frame=${frame} premiums=${squares} /></div>
    <div class="at at-unseen"><${Unseen} frame=${frame} /></div>
    <div class="at at-last"><${LastPlay} frame=${frame} /></div>
    <div class="at at-score"><${Score} frame=${frame} now=${now} clocks /></div>`,
  score: (frame, now) => html`<${Score} frame=${frame} now=${now} />`,
  board: (frame) => html`<${Board} frame=${frame} premiums=${squares} />`,
  last: (frame) => html`<${LastPlay} frame=${frame} />`,
  clocks: (frame, now) => html`<${Clocks} frame=${frame} now=${now} />`,
  unseen: (frame) => html`<${Unseen} frame=${frame} />`,
};

/** The data attributes tell tests, and whoever looks, which state of the log is drawn. */
function draw({ frame, fresh }) {
  if (fresh) hush();
  render(SCENES[scene](frame, now), root);
  allow();
  wake();
  root.dataset.seq = frame.seq;
}

const link = new Link(`/ws/table/${table}`, { assets, scene }, draw,
  (online) => { root.dataset.online = online; });
const now = () => link.clock.now();
