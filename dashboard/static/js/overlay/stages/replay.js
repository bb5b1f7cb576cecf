/**
 * The last play once more: the board as it was, then the tiles one after the other; where best plays are
 * shown, the best one after it, translucent. Begins anew with every play, and whenever OBS shows the scene.
 */
import { View, html } from "../../shared/dom.js";
import { Board, parseSquare } from "../../shared/game/board.js";
import { LastPlay, Word } from "../widgets/last-play.js";
import { signed } from "../../shared/game/standing.js";
import { text } from "../../shared/texts.js";
import { noted, tilesIn } from "../../shared/game/tiles.js";

/** @import { Frame, Play } from "../../shared/frames" */

const COLUMNS = "ABCDEFGHIJKLMNO";
const BEFORE_MS = 900;
const PLAY_MS = 5000;

/**
 * The board without the tiles of the last play.
 * @param {Frame} frame
 */
function boardBefore({ board, last_play: play }) {
  const rows = board.map(tilesIn);
  for (const name of play?.kind === "play" ? play.squares : []) {
    const { row, col } = parseSquare(name);
    rows[row][col] = ".";
  }
  return rows.map(noted);
}

/**
 * The new tiles of a play by their square.
 * @param {Pick<Play, "position" | "word">} play
 */
function tilesOf({ position, word }) {
  const { row, col } = parseSquare(position);
  const across = /^\d/.test(position);
  const laid = tilesIn(word).map((tile, at) => {
    const [down, along] = across ? [row, col + at] : [row + at, col];
    return [`${down + 1}${COLUMNS[along]}`, tile];
  });
  return Object.fromEntries(laid.filter(([, tile]) => tile !== "."));
}

/** @param {Frame} frame */
function bestOf({ best, last_play: play }) {
  const first = best?.plays[0];
  const played = first && first.position === play?.position && first.word === play.word;
  return first && best.n === play?.n && !played ? first : null;
}

/** @extends {View<{frame: Frame, premiums: string[]}, {step: "before" | "play" | "best"}>} */
export class Replay extends View {
  timer = 0;

  componentDidMount() {
    this.next("before");
  }

  componentWillUnmount() {
    clearTimeout(this.timer);
  }

  /** @param {"before" | "play" | "best"} step */
  next(step) {
    this.setState({ step });
    if (step === "before") this.timer = window.setTimeout(() => this.next("play"), BEFORE_MS);
    if (step === "play") this.timer = window.setTimeout(() => this.next("best"), PLAY_MS);
  }

  /**
   * @param {{frame: Frame, premiums: string[]}} props
   * @param {{step?: "before" | "play" | "best"}} state
   */
  render({ frame, premiums }, { step = "before" }) {
    const best = step === "best" ? bestOf(frame) : null; // it may be found later than that
    const isBefore = step === "before" || best;
    const shown = {
      ...frame,
      board: isBefore ? boardBefore(frame) : frame.board,
      last_play: isBefore ? undefined : frame.last_play,
      forming: best ? { squares: tilesOf(best) } : undefined,
    };
    return html`<div class="replay"><${Board} frame=${shown} premiums=${premiums} ordered />
      ${
        best
          ? html`<section class="last panel"><div class="row"><div class="edge"></div><div class="what"><div class="line"><span class="position">${text("best_play")}</span></div>
        <${Word} play=${{ kind: "play", word: best.word, words: [best.text] }} /></div><div class="gain figures">${signed(best.score)}</div></div></section>`
          : html`<${LastPlay} frame=${frame} opening />`
      }</div>`;
  }
}
