/**
 * Calls the director: the number of what is open stands in the tab's title, a screen reader says what is
 * new, and where the director wants it a tone sounds and the system shows a notification.
 */
import { part } from "../shared/part.js";

const TITLE = document.title;
const TONE_HZ = 660;
const TONE_S = 0.35;

/** What was open when it was last looked at; null before the first look, which calls nobody. */
/** @type {Set<string> | null} */
let known = null;
/** @type {AudioContext | null} */
let speaker = null;

/** @param {string} name */
const isOn = (name) => localStorage.getItem(`call-${name}`) === "on";

function sound() {
  speaker ??= new AudioContext();
  const [tone, gain] = [speaker.createOscillator(), speaker.createGain()];
  const from = speaker.currentTime;
  tone.frequency.value = TONE_HZ;
  gain.gain.setValueAtTime(0.2, from);
  gain.gain.exponentialRampToValueAtTime(0.001, from + TONE_S);
  tone.connect(gain).connect(speaker.destination);
  tone.start(from);
  tone.stop(from + TONE_S);
}

/** @param {string} text */
function notify(text) {
  if (document.hidden && Notification.permission === "granted")
    new Notification(TITLE, { body: text });
}

/**
 * Say what is open now: by a key that stays while it is open, with the text for people.
 * @param {Map<string, string>} open
 */
export function call(open) {
  document.title = open.size ? `(${open.size}) ${TITLE}` : TITLE;
  const before = known;
  known = new Set(open.keys());
  if (!before) return;
  const fresh = [...open].filter(([key]) => !before.has(key)).map(([, text]) => text);
  if (!fresh.length) return;
  const text = fresh.join(". ");
  part("#called").textContent = text;
  if (isOn("sound")) sound();
  if (isOn("notify")) notify(text);
}

/**
 * A button that stays pressed, on this machine, until it is pressed again.
 * @param {string} name
 * @param {() => unknown} turnedOn what the browser wants to be asked at a press
 */
function toggle(name, turnedOn) {
  const button = part(`#call-${name}`);
  const show = () => button.setAttribute("aria-pressed", String(isOn(name)));
  button.addEventListener("click", () => {
    localStorage.setItem(`call-${name}`, isOn(name) ? "off" : "on");
    if (isOn(name)) turnedOn();
    show();
  });
  show();
}

toggle("sound", sound);
toggle("notify", () => Notification.requestPermission());
// Browsers show notifications only to pages that came over https, or from this machine.
part("#call-notify").hidden = !("Notification" in window) || !isSecureContext;
