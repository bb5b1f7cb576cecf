/**
 * The phone as the camera over a board: pictures go to this server, the table's agent fetches them.
 * Where the board was seen comes back and is drawn as a grid. Nothing of the game is shown.
 */
import { Awake } from "./awake.js";
import { newBoot, phonePauses } from "./boot.js";
import { gridLines } from "./grid.js";
import { tenths } from "../shared/game/standing.js";
import { part } from "../shared/part.js";
import { text } from "../shared/texts.js";

/** @import { CameraAnswer, PageData } from "../shared/frames" */

const { table } = /** @type {PageData} */ (document.documentElement.dataset);
const LONGEST_SIDE = 1600;
const QUALITY = 0.82;
const EVERY_MS = 120;
const UNFETCHED_MS = 1000;
const ANSWER_MS = 6000;
const DARK_AFTER_MS = 60000;
const LOW_BATTERY = 0.2;
/** A picture of somebody who is not signed in is too long for the door already: 413. */
const NOT_SIGNED_IN = new Set([401, 403, 413]);
const STRAINED = "critical";
const STRAINED_EVERY_MS = 300;
/** @type {Record<string, string>} */
const REFUSED = {
  NotAllowedError: "camera_not_allowed",
  NotFoundError: "camera_missing",
  NotReadableError: "camera_taken",
};

/** @type {(selector: string) => any} elements of this page */
const $ = (selector) => part(selector);
const boot = newBoot();
const pauses = phonePauses();
const sheet = document.createElement("canvas");
const video = /** @type {HTMLVideoElement} */ ($("#video"));

/** @type {MediaStreamTrack | null} */
let track = null;
/** @type {CameraAnswer | null} */
let answer = null;
let refused = "";
let ended = "";
let isOnline = false;
let sent = 0;
/** @type {number[]} when the last pictures went out */
let times = [];
/** @type {string[]} */
let locked = [];
let strain = "";
/** @type {{level: number, charging: boolean} | null} */
let battery = null;
let touchedAt = performance.now();

const awake = new Awake(tell);

/** Ask for the camera at the back, and show what it sees. */
async function open() {
  track?.stop();
  track = null;
  if (!navigator.mediaDevices) {
    refused = text("camera_without_tls");
    tell();
    return;
  }
  try {
    const stream = await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: {
        facingMode: "environment",
        width: { ideal: LONGEST_SIDE },
        height: { ideal: (LONGEST_SIDE * 3) / 4 },
        frameRate: { ideal: 15 },
      },
    });
    video.srcObject = stream;
    await video.play();
    track = stream.getVideoTracks()[0] ?? null;
    locked = [];
    refused = "";
    $("#lock").disabled = lockable(track).length === 0;
  } catch (fault) {
    refused = text(REFUSED[fault.name] ?? "camera_refused", { why: fault.message });
  }
  tell();
}

/** @typedef {{name: string, constraint: Record<string, unknown>}} Lock */

/**
 * What of this camera can stay as it is now, as far as the browser lets a page say so.
 * @param {MediaStreamTrack | null} of
 * @returns {Lock[]}
 */
function lockable(of) {
  const can = /** @type {any} */ (of?.getCapabilities?.() ?? {});
  const now = /** @type {any} */ (of?.getSettings?.() ?? {});
  const kept = (/** @type {string[]} */ ...names) =>
    Object.fromEntries(names.filter((name) => now[name] !== undefined).map((n) => [n, now[n]]));
  return [
    { name: "lock_focus", mode: "focusMode", with: kept("focusDistance") },
    { name: "lock_exposure", mode: "exposureMode", with: kept("exposureTime", "iso") },
    { name: "lock_colours", mode: "whiteBalanceMode", with: kept("colorTemperature") },
  ]
    .filter(({ mode }) => can[mode]?.includes("manual"))
    .map(({ name, mode, with: values }) => ({ name, constraint: { [mode]: "manual", ...values } }));
}

/** Hold focus, exposure and colours as they are: each by itself, for a camera may refuse one. */
async function lock() {
  const held = [];
  for (const { name, constraint } of lockable(track)) {
    try {
      await track?.applyConstraints({ advanced: [/** @type {any} */ (constraint)] });
      held.push(text(name));
    } catch {
      // It goes on by itself.
    }
  }
  locked = held;
  tell();
}

/** @returns {Promise<Blob | null>} the picture of now, none while there is no camera */
function picture() {
  const [width, height] = [video.videoWidth, video.videoHeight];
  if (!width || !height || track?.readyState !== "live") return Promise.resolve(null);
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  sheet.width = Math.round(width * scale);
  sheet.height = Math.round(height * scale);
  sheet.getContext("2d")?.drawImage(video, 0, 0, sheet.width, sheet.height);
  return new Promise((done) => sheet.toBlob(done, "image/jpeg", QUALITY));
}

/** Send one picture. Returns how long to wait before the next. */
async function send() {
  const taken = performance.now();
  const body = await picture();
  if (!body) {
    if (track?.readyState === "ended" && document.visibilityState === "visible") await open();
    return UNFETCHED_MS;
  }
  try {
    const said = await fetch(`/camera/${table}/picture`, {
      method: "POST",
      headers: { "content-type": "image/jpeg", "x-phone": boot, "x-taken-ms": taken.toFixed(1) },
      body,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    isOnline = true;
    pauses.end();
    if (said.status === 409) ended = text("other_camera");
    else if (NOT_SIGNED_IN.has(said.status)) ended = text("code_ended");
    else if (said.ok) await heard(await said.json(), taken);
  } catch {
    isOnline = false;
    return pauses.next();
  }
  const busy = strain === STRAINED ? STRAINED_EVERY_MS : EVERY_MS;
  const every = answer?.fetched ? busy : UNFETCHED_MS;
  return Math.max(0, taken + every - performance.now());
}

/**
 * @param {CameraAnswer} said
 * @param {number} taken
 */
async function heard(said, taken) {
  const isFirst = said.corners && !answer?.corners;
  answer = said;
  sent += 1;
  times = [...times.slice(-19), taken];
  draw();
  if (isFirst && locked.length === 0) await lock();
}

async function work() {
  const wait = await send();
  tell();
  if (ended) track?.stop();
  else setTimeout(work, wait);
}

/** The grid over the picture, where the agent's eyes saw the board. */
function draw() {
  const canvas = /** @type {HTMLCanvasElement} */ ($("#grid"));
  canvas.width = sheet.width;
  canvas.height = sheet.height;
  const pen = canvas.getContext("2d");
  if (!pen || !answer?.corners) return;
  pen.strokeStyle = "#ffb638";
  pen.lineWidth = Math.max(1, sheet.width / 300);
  for (const [from, to] of gridLines(answer.corners)) {
    pen.beginPath();
    pen.moveTo(...from);
    pen.lineTo(...to);
    pen.stroke();
  }
}

/** The most urgent thing first. */
function message() {
  if (ended || refused) return ended || refused;
  if (!track) return text("waiting_for_camera");
  if (!isOnline) return text(sent ? "no_connection" : "connecting");
  if (!answer?.fetched) return text("not_fetched");
  if (battery && !battery.charging && battery.level < LOW_BATTERY)
    return text("battery_low", { percent: Math.round(battery.level * 100) });
  if (strain === STRAINED) return text("phone_strained");
  if (awake.way === "") return text("stays_not_lit");
  if (answer.reason) return text("no_board", { why: answer.reason });
  return text(answer.corners ? "board_found" : "board_sought");
}

/** @param {{level: number, charging: boolean}} of */
function charge({ level, charging }) {
  const percent = Math.round(level * 100);
  return charging ? text("charging", { percent }) : `${percent} %`;
}

function figures() {
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  const rate = span > 0 ? ((times.length - 1) * 1000) / span : 0;
  return [
    [
      text("figure_picture"),
      sheet.width && sent ? `${sheet.width} × ${sheet.height}` : text("none_yet"),
    ],
    [text("figure_sent"), text("a_second", { rate: tenths(rate) })],
    [text("figure_locked"), locked.join(", ") || text("nothing_locked")],
    [text("figure_battery"), battery ? charge(battery) : text("unknown")],
    [text("figure_load"), strain ? text(`load_${strain}`) : text("unknown")],
  ];
}

function tell() {
  $("#state").textContent = message();
  const said = Boolean(ended || refused || (sent && !isOnline));
  document.body.dataset.state = said ? "wrong" : answer?.corners ? "found" : "looking";
  $("#figures").replaceChildren(
    ...figures().flatMap(([name, value]) => [
      Object.assign(document.createElement("dt"), { textContent: name }),
      Object.assign(document.createElement("dd"), { textContent: value }),
    ]),
  );
  const rests = performance.now() - touchedAt > DARK_AFTER_MS;
  if (rests && document.body.dataset.state === "found") $("#dark").hidden = false;
}

/** Battery and heat, where the browser tells them. */
async function feel() {
  const found = await /** @type {any} */ (navigator).getBattery?.();
  if (found) {
    const note = () => {
      battery = { level: found.level, charging: found.charging };
      tell();
    };
    for (const change of ["levelchange", "chargingchange"]) found.addEventListener(change, note);
    note();
  }
  const Observer = /** @type {any} */ (globalThis).PressureObserver;
  if (!Observer) return;
  const observer = new Observer((/** @type {{state: string}[]} */ records) => {
    strain = records.at(-1)?.state ?? "";
    tell();
  });
  await observer.observe("cpu", { sampleInterval: 2000 });
}

addEventListener("pointerdown", () => {
  touchedAt = performance.now();
});
addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && track?.readyState !== "live" && !ended) open();
});
$("#lock").addEventListener("click", lock);
$("#rest").addEventListener("click", () => {
  $("#dark").hidden = false;
});
$("#dark").addEventListener("click", () => {
  $("#dark").hidden = true;
});

feel().catch(() => {});
open().then(work);
