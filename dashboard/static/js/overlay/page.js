/** Entry of every overlay page: which scene, which table or slot, and where its frames come from. */
import { html, render } from "../shared/dom.js";
import { Banner } from "./banner.js";
import { Best } from "./best.js";
import { Board } from "../shared/board.js";
import { Bug } from "./bug.js";
import { Cards } from "./cards.js";
import { Graph } from "./graph.js";
import { LastPlay } from "./last-play.js";
import { MomentPanel, Moments, momentsOf } from "./moments.js";
import { Link } from "../shared/link.js";
import { allow, hush } from "../shared/motion.js";
import { part } from "../shared/part.js";
import { Racks } from "./racks.js";
import { Clocks, Score } from "../shared/score.js";
import { SheetScene } from "./sheet.js";
import { Final, Next } from "./stages.js";
import { Tables } from "./tables.js";
import { framesPerSecond, wake } from "../shared/ticker.js";
import { Unseen } from "./unseen.js";

/** @import { Drawn } from "../shared/dom" */
/** @import { Frame, HallModel, Now, PageData, WatchModel } from "../shared/frames" */

const { scene, slot, table, hide, moments, player, racks, many, logo, assets, premiums } =
  /** @type {PageData} */ (document.documentElement.dataset);
const squares = premiums.split(" ");
const hidden = new Set(hide.split(" "));
const wanted = new Set(moments.split(" "));
const stage = new Moments(wanted, () => draw({ frame: shownFrame, fresh: false }));
/** @type {Frame | null} */
let shownFrame = null;
const root = part("#scene");

/**
 * The frame as the board shows it: without what the address hides.
 * @param {Frame} frame
 */
const seenBoard = (frame) => ({
  ...frame,
  forming: hidden.has("forming") ? undefined : frame.forming,
  last_play: hidden.has("last") ? undefined : frame.last_play,
});
const clocks = !hidden.has("clocks");
const bare = { count: wanted.has("count"), photo: hidden.has("photo"), plate: hidden.has("plate") };
const ordered = wanted.has("order");
/**
 * The director's word and a call go before a moment: two banners never meet.
 * @param {Frame} frame
 */
const momentOf = (frame) => (frame.banner || frame.call ? null : stage.current);
const mark = logo && !hidden.has("logo") ? logo : "";

/** @type {{[scene: string]: (frame: Frame, now: Now) => Drawn}} */
const SCENES = {
  full: (frame, now) => html`
    ${mark && html`<img class="at at-logo" src=${mark} alt="" />`}
    ${!hidden.has("banner") && html`<div class="at at-banner"><${Banner} frame=${frame} now=${now} /><${MomentPanel} moment=${momentOf(frame)} players=${frame.players} /></div>`}
    <div class="at at-board"><${Board} frame=${seenBoard(frame)} premiums=${squares} ordered=${ordered} /></div>
    ${racks && html`<div class="at at-racks"><${Racks} frame=${frame} /></div>`}
    <div class="at at-unseen"><${Unseen} frame=${frame} /></div>
    <div class="at at-last"><${LastPlay} frame=${frame} opening /></div>
    <div class="at at-score"><${Score} frame=${frame} now=${now} clocks=${clocks} bare=${bare} full /></div>`,
  score: (frame, now) => html`<${Score} frame=${frame} now=${now} bare=${bare} />`,
  bug: (frame, now) => html`<${Bug} frame=${frame} now=${now} clocks=${clocks} bare=${bare} />`,
  board: (frame) =>
    html`<${Board} frame=${seenBoard(frame)} premiums=${squares} ordered=${ordered} />`,
  vertical: (frame, now) => html`
    ${mark && html`<img class="at at-logo" src=${mark} alt="" />`}
    ${!hidden.has("banner") && html`<div class="at at-banner"><${Banner} frame=${frame} now=${now} /><${MomentPanel} moment=${momentOf(frame)} players=${frame.players} /></div>`}
    <div class="at at-score"><${Bug} frame=${frame} now=${now} clocks=${clocks} bare=${bare} /></div>
    <div class="at at-board"><${Board} frame=${seenBoard(frame)} premiums=${squares} ordered=${ordered} /></div>
    <div class="at at-last"><${LastPlay} frame=${frame} opening /></div>`,
  sheet: (frame) => html`<${SheetScene} frame=${/** @type {WatchModel} */ (frame)} />`,
  racks: (frame) => html`<${Racks} frame=${frame} only=${player} />`,
  last: (frame) => html`<${LastPlay} frame=${frame} />`,
  clocks: (frame, now) => html`<${Clocks} frame=${frame} now=${now} />`,
  unseen: (frame) => html`<${Unseen} frame=${frame} />`,
  moment: (frame) => html`<${MomentPanel} moment=${momentOf(frame)} players=${frame.players} />`,
  banner: (frame, now) => html`<${Banner} frame=${frame} now=${now} />`,
  players: (frame) => html`<${Cards} frame=${frame} only=${player} />`,
  graph: (frame) => html`<${Graph} frame=${frame} />`,
  best: (frame) => html`<${Best} frame=${frame} />`,
  next: (frame) => html`<${Next} frame=${frame} logo=${mark} />`,
  final: (frame) => html`<${Final} frame=${frame} logo=${mark} />`,
};

/**
 * The data attributes tell tests, and whoever looks, which state of the log is drawn. A frame of
 * null is a slot that shows nothing: everything goes, and the page is clear again.
 * @param {{frame: Frame | null, fresh: boolean}} told
 */
function draw({ frame, fresh }) {
  if (scene === "tables") {
    drawTables(/** @type {HallModel | null} */ (/** @type {unknown} */ (frame)));
    return;
  }
  if (fresh || !frame) stage.clear();
  else if (shownFrame && shownFrame !== frame) stage.add(momentsOf(shownFrame, frame));
  shownFrame = frame;
  if (fresh) hush();
  render(frame ? (SCENES[scene]?.(frame, now) ?? null) : null, root);
  allow();
  wake();
  root.dataset.seq = frame ? String(frame.seq) : "";
  if (!frame) delete root.dataset.seq;
}

/** @param {HallModel | null} hall */
function drawTables(hall) {
  hush();
  render(hall ? html`<${Tables} hall=${hall} many=${Number(many)} now=${now} />` : null, root);
  wake();
  if (hall && Object.keys(hall.tables).length) root.dataset.seq = "1";
}

const own = slot ? `/ws/slot/${slot}` : `/ws/table/${table}`;
/** All tables come over one socket, a score sheet with its frame. */
const path = scene === "tables" ? "/ws/watch" : scene === "sheet" ? `${own}?sheet=1` : own;
/** A key stands behind the #, so that it reaches no request line, no log and no referrer. */
const key = new URLSearchParams(location.hash.slice(1)).get("key") ?? "";
let shown = true;
const report = () => ({ fps: framesPerSecond(), shown });
const link = new Link(path, { assets, scene, key, report }, draw, (online) => {
  root.dataset.online = String(online);
});
const now = () => link.clock.now();

/** What OBS gives its browser sources; nothing in any other browser. */
const { obsstudio } =
  /** @type {{obsstudio?: {onVisibilityChange: (visible: boolean) => void}}} */ (
    /** @type {unknown} */ (window)
  );
if (obsstudio) {
  obsstudio.onVisibilityChange = (visible) => {
    shown = visible;
  };
}
