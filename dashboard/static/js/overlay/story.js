/**
 * What decided a game that is over: its few turns that people will talk about, each with the reasons
 * why. Told from the score sheet, and from the chances to win where the page has them.
 */

/** @import { PublicLine, Player, WatchModel } from "../shared/frames" */
/** @typedef {{code: string, values?: Record<string, string | number>}} Reason a text by its code */
/** @typedef {{line: PublicLine, reasons: Reason[]}} Told */

const MOST = 4;
const MOST_REASONS = 3;
const LEAST_SWING = 0.15;
/**
 * What counts more is told first where there is no room for all.
 * @type {Record<string, number>}
 */
const WEIGHTS = {
  story_turning: 6,
  story_for_good: 5,
  story_highest: 4,
  comes_off: 3,
  bingo: 2,
  story_out: 1,
};

/** @param {PublicLine} line */
const leaderAfter = ({ totals }) =>
  totals[0] === totals[1] ? null : Number(totals[1] > totals[0]);

/**
 * The plays that were not taken back.
 * @param {PublicLine[]} lines
 */
export function standingPlays(lines) {
  /** @type {PublicLine[]} */
  const plays = [];
  for (const line of lines) {
    if (line.kind === "play" || line.kind === "unseen") plays.push(line);
    else if (line.kind === "withdraw") plays.pop();
  }
  return plays.filter((line) => line.kind === "play");
}

/**
 * The line from which on the winner led; null where they always did.
 * @param {PublicLine[]} lines
 * @param {Player | null} winner
 */
function forGood(lines, winner) {
  if (winner === null) return null;
  const before = lines.findLastIndex((line) => leaderAfter(line) === 1 - winner);
  const after = lines.slice(before + 1);
  return before < 0 ? null : (after.find((line) => leaderAfter(line) === winner) ?? null);
}

/**
 * The line that moved the chance to win most, with the percent of who made it before and after.
 * @param {PublicLine[]} lines
 * @param {number[]} chances of the first player, after every line
 */
function turningPoint(lines, chances) {
  /** @type {{line: PublicLine, before: number, after: number} | null} */
  let most = null;
  for (const [at, line] of lines.entries()) {
    const [before, after] = [chances[at - 1] ?? 0.5, chances[at] ?? 0.5].map((chance) =>
      line.player === 0 ? chance : 1 - chance,
    );
    if (!most || Math.abs(after - before) > Math.abs(most.after - most.before))
      most = { line, before, after };
  }
  return most && Math.abs(most.after - most.before) >= LEAST_SWING ? most : null;
}

/** @param {number} chance */
const percent = (chance) => Math.round(chance * 100);

/**
 * At most four turns in the order of the game.
 * @param {WatchModel} frame
 * @param {Player | null} winner
 * @returns {Told[]}
 */
export function storyOf({ sheet, chances }, winner) {
  const lines = Object.keys(sheet ?? {}).map((_, at) => sheet[at]);
  const plays = standingPlays(lines);
  /** @type {Map<PublicLine, Reason[]>} */
  const found = new Map();
  /** @param {PublicLine | null | undefined} line @param {Reason} reason */
  const tell = (line, reason) => {
    if (line) found.set(line, [...(found.get(line) ?? []), reason]);
  };
  const turning = turningPoint(lines, chances ?? []);
  if (turning) {
    const values = { before: percent(turning.before), after: percent(turning.after) };
    tell(turning.line, { code: "story_turning", values });
  }
  tell(forGood(lines, winner), { code: "story_for_good" });
  const highest = Math.max(0, ...plays.map((play) => play.score));
  tell(highest ? plays.find((play) => play.score === highest) : null, { code: "story_highest" });
  for (const line of lines) {
    if (line.kind === "withdraw") tell(line, { code: "comes_off" });
    if (plays.includes(line) && line.squares.length === 7) tell(line, { code: "bingo" });
  }
  if (lines.some((line) => line.kind === "end_rack")) tell(plays.at(-1), { code: "story_out" });
  /** @param {Told} turn */
  const weight = ({ reasons }) => reasons.reduce((sum, { code }) => sum + WEIGHTS[code], 0);
  return [...found]
    .map(([line, reasons]) => ({ line, reasons: reasons.slice(0, MOST_REASONS) }))
    .sort((a, b) => weight(b) - weight(a) || b.line.score - a.line.score)
    .slice(0, MOST)
    .sort((a, b) => lines.indexOf(a.line) - lines.indexOf(b.line));
}

/**
 * How often the lead went from one player to the other.
 * @param {WatchModel} frame
 */
export function leadChanges({ sheet }) {
  /** @type {(number | null)[]} */
  const leaders = Object.keys(sheet ?? {}).map((_, at) => leaderAfter(sheet[at]));
  const known = leaders.filter((leader) => leader !== null);
  return known.filter((leader, at) => at > 0 && leader !== known[at - 1]).length;
}
