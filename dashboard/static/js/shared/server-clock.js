/**
 * The server's time on this page, from the echo of pings: the sample with the shortest way there
 * and back is the best one. A delayed channel tells its own, delayed time, so that the clocks of
 * the game run right there too.
 */
const KEPT = 10;

export class ServerClock {
  constructor() {
    /** @type {{way: number, offset: number}[]} */
    this.samples = [];
    this.offset = 0;
  }

  /**
   * A first guess, before any echo.
   * @param {number} serverNow
   */
  first(serverNow) {
    this.samples = [];
    this.offset = serverNow - performance.now();
  }

  /**
   * An echo: sent at `sentAt` (this page's time), answered at `serverNow` (the server's).
   * @param {number} sentAt
   * @param {number} serverNow
   */
  sample(sentAt, serverNow) {
    const back = performance.now();
    this.samples.push({ way: back - sentAt, offset: serverNow - (sentAt + back) / 2 });
    if (this.samples.length > KEPT) this.samples.shift();
    this.offset = this.samples.reduce((best, one) => (one.way < best.way ? one : best)).offset;
  }

  /** Milliseconds since 1970, by the server. */
  now() {
    return performance.now() + this.offset;
  }
}
