/**
 * Keep the screen on. Browsers allow it by Wake Lock, on https or this machine only; elsewhere a
 * tiny silent video of this page does it on most phones. Says which way works, or that none does.
 */
export class Awake {
  /** @param {() => void} onChange called when `way` changes */
  constructor(onChange) {
    /** @type {"" | "lock" | "video"} */
    this.way = "";
    /** @type {HTMLVideoElement | null} */
    this.video = null;
    this.onChange = onChange;
    addEventListener("visibilitychange", () => this.keep());
    addEventListener("pointerdown", () => this.way || this.keep());
    this.keep();
  }

  async keep() {
    if (document.visibilityState !== "visible") return;
    try {
      const lock = await navigator.wakeLock.request("screen");
      lock.addEventListener("release", () => this.tell(""));
      this.tell("lock");
    } catch {
      this.tell((await this.play()) ? "video" : "");
    }
  }

  async play() {
    if (this.video && !this.video.paused) return true;
    const canvas = Object.assign(document.createElement("canvas"), { width: 2, height: 2 });
    const paint = () => canvas.getContext("2d")?.fillRect(0, 0, 2, 2);
    paint();
    setInterval(paint, 1000);
    this.video = Object.assign(document.createElement("video"), {
      muted: true,
      playsInline: true,
      srcObject: canvas.captureStream(1),
    });
    try {
      await this.video.play();
      return true;
    } catch {
      return false;
    }
  }

  /** @param {"" | "lock" | "video"} way */
  tell(way) {
    this.way = way;
    this.onChange();
  }
}
