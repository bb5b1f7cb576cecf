/** Pauses between tries: longer and longer, no two pages at once, short again after a success. */
export class Pauses {
  /**
   * @param {number} firstMs
   * @param {number} longestMs
   * @param {number} [spread] the part of a pause that chance may leave out
   */
  constructor(firstMs, longestMs, spread = 0.4) {
    this.spread = spread;
    this.firstMs = firstMs;
    this.longestMs = longestMs;
    this.failures = 0;
  }

  /** It has failed again. Returns how many milliseconds to wait. */
  next() {
    const wait = Math.min(this.longestMs, this.firstMs * 1.6 ** this.failures);
    this.failures += 1;
    return wait * (1 - this.spread * Math.random());
  }

  /** It has succeeded. */
  end() {
    this.failures = 0;
  }
}
