/**
 * A table clock without a face: two times, which half runs, what a touch means. Times come in as
 * milliseconds of the device and are never read here. Negative time left is overtime.
 */

/** @import { ClockHeard, Side as Half, Told } from "../shared/frames" */
/** @import { Observations } from "../shared/messages" */
/** @typedef {Half | "N"} Side */
/** @typedef {{left: number, right: number}} Starts milliseconds of both halves */
/** @typedef {{starts: Starts, times: {L: number, R: number}, running: Side, held: Side, begun: boolean, wall: number}} Saved */

/** @type {Record<Side, Side>} */
const OTHER = { L: "R", R: "L", N: "N" };

export class TableClock {
  /** @param {Starts} starts */
  constructor(starts) {
    this.starts = starts;
    this.times = { L: starts.left, R: starts.right };
    /** @type {Side} */
    this.running = "N";
    /** @type {Side} the half that a hold stopped */
    this.held = "N";
    this.since = 0;
    this.begun = false;
  }

  /**
   * Time left of a half at `now`.
   * @param {Half} side
   * @param {number} now
   */
  remaining(side, now) {
    return this.running === side ? this.times[side] - (now - this.since) : this.times[side];
  }

  /**
   * A half is touched: it ends its player's turn; on a clock at rest it starts the other one.
   * @param {Half} side
   * @param {number} now
   * @returns {Told | null}
   */
  press(side, now) {
    if (this.running === OTHER[side] || this.held !== "N") return null;
    this.settle(now);
    this.running = OTHER[side];
    this.begun = true;
    return ["clock.press", { side, ...this.face() }];
  }

  /**
   * The middle button: both halves stop, or the one that was running goes on.
   * @param {number} now
   * @returns {Told | null}
   */
  hold(now) {
    if (this.held !== "N") return this.run(this.held, now);
    if (this.running === "N") return null;
    this.settle(now);
    this.held = this.running;
    this.running = "N";
    return this.change("pause");
  }

  /**
   * Let a half run, or none: an order, not a turn.
   * @param {Side} side
   * @param {number} now
   * @returns {Told | null}
   */
  run(side, now) {
    if (side === "N") return this.held === "N" ? this.hold(now) : null;
    this.settle(now);
    this.held = "N";
    this.running = side;
    this.begun = true;
    return this.change("resume");
  }

  /**
   * Other times, by an order or by hand; what runs goes on.
   * @param {number} left
   * @param {number} right
   * @param {number} now
   */
  set(left, right, now) {
    this.settle(now);
    this.times = { L: left, R: right };
    return this.change("adjust");
  }

  /**
   * Go on from what the clock of this table said last, which was another one.
   * @param {ClockHeard} heard
   * @param {number} now
   */
  takeOver({ left_ms, right_ms, running, ago_ms }, now) {
    this.times = { L: left_ms, R: right_ms };
    if (running !== "N") this.times[running] -= ago_ms;
    this.running = running;
    this.held = "N";
    this.since = now;
    this.begun = true;
  }

  /**
   * Back to the starting times, at rest.
   * @param {number} now
   */
  reset(now) {
    this.settle(now);
    this.times = { L: this.starts.left, R: this.starts.right };
    this.running = this.held = "N";
    this.begun = false;
    return this.change("reset");
  }

  /**
   * Whether the running half has just passed zero; told once.
   * @param {number} now
   */
  flag(now) {
    if (this.running === "N" || this.times[this.running] <= 0) return null;
    if (this.remaining(this.running, now) > 0) return null;
    this.settle(now);
    return this.change("flag");
  }

  /** @param {number} now */
  settle(now) {
    if (this.running !== "N") this.times[this.running] = this.remaining(this.running, now);
    this.since = now;
  }

  /**
   * @param {Observations["clock.change"]["act"]} act
   * @returns {Told}
   */
  change(act) {
    return ["clock.change", { act, ...this.face() }];
  }

  face() {
    return {
      left_ms: Math.round(this.times.L),
      right_ms: Math.round(this.times.R),
      running: this.running,
    };
  }

  /**
   * What a reloaded page needs to go on; `wall` is the time of day, which outlives the page.
   * @param {number} now
   * @param {number} wall
   * @returns {Saved}
   */
  saved(now, wall) {
    return {
      starts: this.starts,
      times: { L: this.remaining("L", now), R: this.remaining("R", now) },
      running: this.running,
      held: this.held,
      begun: this.begun,
      wall,
    };
  }

  /**
   * The clock as it was, the time that the page was away counted to the half that ran.
   * @param {Saved} saved
   * @param {number} now
   * @param {number} wall
   */
  static restored(saved, now, wall) {
    const clock = new TableClock(saved.starts);
    Object.assign(clock, {
      times: { ...saved.times },
      running: saved.running,
      held: saved.held,
      begun: saved.begun,
      since: now,
    });
    if (clock.running !== "N") clock.times[clock.running] -= Math.max(0, wall - saved.wall);
    return clock;
  }
}
