/**
 * The server's time on this page, from the echo of pings: the sample with the shortest way there
 * and back is the best one. A delayed channel tells its own, delayed time, so that the clocks of
 * the game run right there too.
 */
const KEPT = 10;
/** So long the time runs on without a word of the server; then it stands, and the clocks with it. */
const ALONE_MS = 10000;

export class ServerClock {
  constructor() {
    /** @type {{way: number, offset: number}[]} */
    this.samples = [];
    this.offset = 0;
    this.heardAt = performance.now();
  }

  /**
   * A first guess, before any echo.
   * @param {number} serverNow
   */
  first(serverNow) {
    this.samples = [];
    this.heardAt = performance.now();
    this.offset = serverNow - this.heardAt;
  }

  /**
   * An echo: sent at `sentAt` (this page's time), answered at `serverNow` (the server's).
   * @param {number} sentAt
   * @param {number} serverNow
   */
  sample(sentAt, serverNow) {
    const back = performance.now();
    this.heardAt = back;
    this.samples.push({ way: back - sentAt, offset: serverNow - (sentAt + back) / 2 });
    if (this.samples.length > KEPT) this.samples.shift();
    this.offset = this.samples.reduce((best, sample) =>
      sample.way < best.way ? sample : best,
    ).offset;
  }

  /**
   * An answer that a cache may have kept for a while: of the last ten the freshest counts.
   * @param {number} serverNow when it was made (the server's time)
   */
  kept(serverNow) {
    this.heardAt = performance.now();
    const offset = serverNow - this.heardAt;
    // The later it was made, the larger: what lay in a cache never comes before what did not.
    this.samples.push({ way: -offset, offset });
    if (this.samples.length > KEPT) this.samples.shift();
    this.offset = Math.max(...this.samples.map((sample) => sample.offset));
  }

  /**
   * Milliseconds since 1970, by the server. It stands when the server has been silent for ten
   * seconds: a clock that nobody hears of must not run into an overtime that nobody has seen.
   */
  now() {
    return Math.min(performance.now(), this.heardAt + ALONE_MS) + this.offset;
  }
}
