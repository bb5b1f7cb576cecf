/** Entry of every overlay page: which scene, which table or slot, and where its frames come from. */
import { html, render } from "../shared/dom.js";
import { Banner } from "./widgets/banner.js";
import { Best } from "./widgets/best.js";
import { Board, COLUMNS } from "../shared/game/board.js";
import { Bug } from "./widgets/bug.js";
import { Cards } from "./widgets/cards.js";
import { Chance } from "./widgets/chance.js";
import { Graph } from "./widgets/graph.js";
import { LastPlay } from "./widgets/last-play.js";
import { MomentPanel, Moments, momentsOf, nameOf } from "./widgets/moments.js";
import { Link } from "../shared/link.js";
import { allow, hush } from "../shared/motion.js";
import { part } from "../shared/part.js";
import { Racks } from "./widgets/racks.js";
import { Replay } from "./stages/replay.js";
import { showSample } from "./sample.js";
import { Clocks, Score } from "../shared/game/score.js";
import { SheetScene } from "./widgets/sheet.js";
import { EVENT_SCENES } from "./stages/event-scenes.js";
import { showEvent } from "./stages/event-source.js";
import { Final, Next } from "./stages/before-and-after.js";
import { Tables } from "./stages/tables.js";
import { text } from "../shared/texts.js";
import { framesPerSecond, wake } from "../shared/ticker.js";
import { Unseen } from "./widgets/unseen.js";

/** @import { Drawn } from "../shared/dom" */
/** @import { Frame, HallModel, Now, PageData, WatchModel } from "../shared/frames" */

const {
  scene,
  feed,
  slot,
  table,
  hide,
  moments,
  player,
  racks,
  coords,
  guide,
  many,
  division,
  sample,
  logo,
  sponsor,
  assets,
  premiums,
} = /** @type {PageData} */ (document.documentElement.dataset);
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
/** A moment while it lasts, else the last play. @param {{frame: Frame}} props */
function MomentOrPlay({ frame }) {
  const moment = stage.current;
  return moment && frame.phase !== "over"
    ? html`<${MomentPanel} moment=${moment} players=${frame.players} />`
    : html`<${LastPlay} frame=${frame} opening />`;
}
const mark = logo && !hidden.has("logo") ? logo : "";
const backer = sponsor && !hidden.has("sponsor") ? sponsor : "";
/** How often OBS has shown this page: what replays begins anew. */
let times = 0;

/** @param {{frame: Frame}} props */
function AirBoard({ frame }) {
  const board = html`<${Board} frame=${seenBoard(frame)} premiums=${squares} ordered=${ordered} />`;
  if (!coords) return board;
  return html`<div class="coordinated"><div class="letters">${[...COLUMNS].map((letter) => html`<span>${letter}</span>`)}</div>
    <div class="numbers">${[...COLUMNS].map((_, at) => html`<span>${at + 1}</span>`)}</div>${board}</div>`;
}

const Sponsor = () => (backer ? html`<img class="at at-sponsor" src=${backer} alt="" />` : null);
const CameraGuide = () =>
  guide ? html`<div class="camera-guide">${text("camera", CAMERA[scene])}</div>` : null;
/** Where the camera's picture goes, in pixels of the scene; see overlay.css. */
/** @type {{[scene: string]: {width: number, height: number}}} */
const CAMERA = {
  full: { width: 876, height: racks ? 408 : 493 },
  vertical: { width: 1080, height: 612 },
};

/** @type {{[scene: string]: (frame: Frame, now: Now) => Drawn}} */
const SCENES = {
  full: (frame, now) => html`
    <${CameraGuide} /><${Sponsor} />
    ${mark && html`<img class="at at-logo" src=${mark} alt="" />`}
    ${!hidden.has("banner") && html`<div class="at at-banner"><${Banner} frame=${frame} now=${now} /></div>`}
    <div class="at at-board"><${AirBoard} frame=${frame} /></div>
    ${racks && html`<div class="at at-racks"><${Racks} frame=${frame} /></div>`}
    ${frame.phase !== "over" && html`<div class="at at-unseen"><${Unseen} frame=${frame} /></div>`}
    <div class="at at-last"><${MomentOrPlay} frame=${frame} /></div>
    <div class="at at-score"><${Score} frame=${frame} now=${now} clocks=${clocks} bare=${bare} full /></div>`,
  score: (frame, now) => html`<${Score} frame=${frame} now=${now} bare=${bare} />`,
  bug: (frame, now) => html`<${Bug} frame=${frame} now=${now} clocks=${clocks} bare=${bare} />`,
  board: (frame) => html`<${AirBoard} frame=${frame} />`,
  replay: (frame) =>
    html`<${Replay} key=${`${times} ${frame.game} ${frame.last_play?.n} ${frame.last_play?.word}`} frame=${frame} premiums=${squares} />`,
  chance: (frame) => html`<${Chance} frame=${/** @type {WatchModel} */ (frame)} />`,
  vertical: (frame, now) => html`
    <${CameraGuide} /><${Sponsor} />
    ${mark && html`<img class="at at-logo" src=${mark} alt="" />`}
    ${!hidden.has("banner") && html`<div class="at at-banner"><${Banner} frame=${frame} now=${now} /></div>`}
    <div class="at at-score"><${Bug} frame=${frame} now=${now} clocks=${clocks} bare=${bare} /></div>
    <div class="at at-board"><${AirBoard} frame=${frame} /></div>
    <div class="at at-last"><${MomentOrPlay} frame=${frame} /></div>`,
  sheet: (frame) => html`<${SheetScene} frame=${/** @type {WatchModel} */ (frame)} />`,
  racks: (frame) => html`<${Racks} frame=${frame} only=${player} />`,
  last: (frame) => html`<${LastPlay} frame=${frame} />`,
  clocks: (frame, now) => html`<${Clocks} frame=${frame} now=${now} />`,
  unseen: (frame) => html`<${Unseen} frame=${frame} />`,
  moment: (frame) => html`<${MomentPanel} moment=${stage.current} players=${frame.players} />`,
  banner: (frame, now) => html`<${Banner} frame=${frame} now=${now} />`,
  qr: () =>
    html`<section class="qr panel"><img src="/watch/qr.svg" alt="" /><p>${text("watch_here")}</p></section>`,
  players: (frame) => html`<${Cards} frame=${frame} only=${player} />`,
  graph: (frame) => html`<${Graph} frame=${frame} />`,
  best: (frame) => html`<${Best} frame=${frame} />`,
  next: (frame) => html`<${Next} frame=${frame} logo=${mark} /><${Sponsor} />`,
  final: (frame) =>
    html`<${Final} frame=${/** @type {WatchModel} */ (frame)} logo=${mark} /><${Sponsor} />`,
};

/**
 * The data attributes tell tests, and whoever looks, which state of the log is drawn. A frame of
 * null is a slot that shows nothing: everything goes, and the page is clear again.
 * @param {{frame: Frame | null, fresh: boolean}} drawn
 */
function draw({ frame, fresh }) {
  if (feed === "hall") {
    drawTables(/** @type {HallModel | null} */ (/** @type {unknown} */ (frame)));
    return;
  }
  if (scene in EVENT_SCENES) {
    shownFrame = frame;
    return;
  }
  if (fresh || !frame) stage.clear();
  else if (shownFrame && shownFrame !== frame) {
    // What the turn before was praised for is no longer so.
    if (nameOf(shownFrame.last_play) !== nameOf(frame.last_play)) stage.clear();
    stage.add(momentsOf(shownFrame, frame));
  }
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
  render(
    hall
      ? html`<${Tables} hall=${hall} many=${Number(many)} now=${now} marks=${{ logo: mark, sponsor: backer }} />`
      : null,
    root,
  );
  wake();
  if (hall && Object.keys(hall.tables).length) root.dataset.seq = "1";
}

const own = slot ? `/ws/slot/${slot}` : `/ws/table/${table}`;
/** All tables come over one socket, a score sheet with its frame. */
const path = feed === "hall" ? "/ws/watch" : feed === "sheet" ? `${own}?sheet=1` : own;
/** A key stands behind the #, so that it reaches no request line, no log and no referrer. */
const key = new URLSearchParams(location.hash.slice(1)).get("key") ?? "";
let shown = true;
const report = () => ({ fps: framesPerSecond(), shown });
/** Draws what the server tells; the answer is its time. */
function follow() {
  const link = new Link(path, { assets, scene, key, report }, draw, (online) => {
    if (!(scene in EVENT_SCENES)) root.dataset.online = String(online);
  });
  return () => link.clock.now();
}
const now = !sample ? follow() : scene in EVENT_SCENES ? Date.now : showSample(scene, draw);

const marks = { logo: mark, sponsor: backer };
if (scene in EVENT_SCENES && sample)
  showEvent(scene, root, "", () => ({ table: 1 }), marks, `/api/sample/${scene}`);
else if (scene in EVENT_SCENES)
  showEvent(scene, root, division, () => shownFrame ?? { table: Number(table) }, marks);

/** What OBS gives its browser sources; nothing in any other browser. */
const { obsstudio } =
  /** @type {{obsstudio?: {onVisibilityChange: (visible: boolean) => void}}} */ (
    /** @type {unknown} */ (window)
  );
if (obsstudio) {
  obsstudio.onVisibilityChange = (visible) => {
    shown = visible;
    times += visible ? 1 : 0;
    if (visible && shownFrame) draw({ frame: shownFrame, fresh: false });
  };
}
