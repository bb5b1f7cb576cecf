/** Lines of a score sheet in words: short for the sheet, whole sentences for those who listen. */
import { hasText, text } from "../shared/texts.js";
import { plainWord, publicWord } from "../shared/game/tiles.js";

/** @import { Glimpse, PublicLine, Result } from "../shared/frames" */
/** @typedef {Pick<PublicLine, "kind" | "player" | "position" | "word" | "words" | "score" | "count"> & {tiles?: string}} Told */

/**
 * The word of a line as people read it.
 * @param {Told} line
 */
export const wordOf = (line) => publicWord(line.words[0] ?? line.word);

/**
 * What a line without tiles on the board says in the sheet.
 * @param {Told} line
 */
export function briefly(line) {
  if (line.kind === "exchange" && !line.count) return text("exchange_some");
  if (line.kind.startsWith("end_rack") && line.tiles)
    return text(`${line.kind}_tiles`, { tiles: plainWord(line.tiles) });
  return text(line.kind, { count: line.count, word: wordOf(line) });
}

/**
 * A line as a sentence.
 * @param {Told} line
 * @param {string[]} names
 */
export function turnTold(line, names) {
  const { kind } = line;
  const values = {
    name: names[line.player],
    word: wordOf(line),
    position: line.position,
    score: line.score,
    count: line.count,
  };
  const others = line.words.slice(1).map(publicWord).join(", ");
  const isSome = kind === "exchange" && !line.count;
  const isTiles = (kind === "play" || kind === "withdraw") && !values.word;
  const ending = isSome ? "_some" : isTiles ? "_tiles" : "";
  const main = text(`said_${kind}${ending}`, values);
  return kind === "play" && others ? `${main} ${text("said_words", { words: others })}` : main;
}

/**
 * Who won, and by how much; empty while the game is on.
 * @param {Pick<Glimpse, "phase" | "players" | "result">} game
 */
export function outcome({ phase, players, result }) {
  if (phase !== "over") return "";
  const [first, second] = players.map((player) => player.score);
  if (result) return text("wins_how", { name: players[1 - result.loser].name, how: how(result) });
  if (first === second) return text("draw");
  const name = players[Number(second > first)].name;
  return text("wins_by", { name, margin: Math.abs(first - second) });
}

/** @param {Result} result */
const how = (result) => (hasText(result.how) ? text(result.how) : result.how);
