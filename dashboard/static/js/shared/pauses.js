/** Pauses between tries: longer and longer, no two pages at once, short again after a success. */
export class Pauses {
  /**
   * @param {number} firstMs
   * @param {number} longestMs
   */
  constructor(firstMs, longestMs) {
    this.firstMs = firstMs;
    this.longestMs = longestMs;
    this.failures = 0;
  }

  /** It has failed again. Returns how many milliseconds to wait. */
  next() {
    const wait = Math.min(this.longestMs, this.firstMs * 1.6 ** this.failures);
    this.failures += 1;
    return wait * (0.6 + 0.4 * Math.random());
  }

  /** It has succeeded. */
  end() {
    this.failures = 0;
  }
}
