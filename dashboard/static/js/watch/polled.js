/**
 * A page's model from an address that caches keep: for pages without a socket, because a cache stands
 * before the server, nobody lets sockets through, or too many are open.
 */

/** @import { LinkMessage } from "../shared/frames" */
/** @import { ServerClock } from "../shared/server-clock.js" */

/** Pages ask at their own moments, so that a thousand of them do not ask at once. */
const EVERY_MS = 2000;

/** @template M */
export class Polled {
  /**
   * @param {string} address
   * @param {ServerClock} clock told what time it is
   * @param {(model: M | null) => void} draw what is new
   * @param {(heard: boolean) => void} tell whether there was an answer
   */
  constructor(address, clock, draw, tell) {
    this.address = address;
    this.clock = clock;
    this.draw = draw;
    this.tell = tell;
    this.mark = "";
    this.timer = 0;
  }

  /** Ask from now on, until `end`; asking twice is asking once. */
  begin() {
    if (!this.timer) this.next(0);
  }

  end() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.mark = "";
  }

  /** @param {number} wait */
  next(wait) {
    this.timer = setTimeout(() => this.ask(), wait * (0.8 + 0.4 * Math.random()));
  }

  async ask() {
    const asked = this.timer;
    const heard = document.hidden || (await this.heard().catch(() => false));
    if (asked !== this.timer) return;
    this.tell(heard);
    this.next(EVERY_MS);
  }

  async heard() {
    const answer = await fetch(this.address);
    if (!answer.ok) return false;
    /** @type {Extract<LinkMessage<M>, {type: "snapshot"}>} */
    const { epoch, seq, frame } = await answer.json();
    this.clock.kept(Number(answer.headers.get("Tilecast-Now")));
    const mark = `${epoch} ${seq}`;
    if (this.timer && mark !== this.mark) this.draw(frame);
    this.mark = mark;
    return true;
  }
}
