/** The panels beside the commentator's board: players and racks, best plays, odds, hooks, unseen. */
import { html } from "../shared/dom.js";
import { Clock, formatClock } from "../shared/game/clock.js";
import { openEnds } from "./game.js";
import { Name } from "../shared/game/name.js";
import { inReach, record } from "../shared/game/plate.js";
import { makeUp } from "../shared/game/replay.js";
import { seated } from "../shared/game/score.js";
import { written } from "../shared/game/standing.js";
import { text } from "../shared/texts.js";
import { age, worded } from "../shared/tool.js";
import { isBlank, labelOf, noted, plainWord, tilesIn, typedTiles } from "../shared/game/tiles.js";

/** @import { Best, BoothLine, BoothRack, Clocks, DrawOdds, Frame, Named, Now, Play, PlayerCard, Pool as Drawable, Seated, WordList } from "../shared/frames" */
/** @typedef {Record<string, number>} Tiles how many of each */
/** @typedef {{wanted: string, drawn: number, odds: DrawOdds | null}} Question */

/** @param {number} chance */
export const percent = (chance) => {
  if (chance > 0 && chance < 0.01) return "<1%";
  if (chance < 1 && chance > 0.99) return ">99%";
  return `${Math.round(100 * chance)}%`;
};

/** @param {{tile: string, values: Record<string, number>, doubtful?: boolean}} props */
function RackTile({ tile, values, doubtful }) {
  if (tile === " ") return html`<span class="slot"></span>`;
  if (tile === "#") return html`<span class="slot back"></span>`;
  const title = tile === "?" ? text("no_letter") : "";
  return html`<span class=${`slot tile-face ${doubtful ? "doubtful" : ""}`} title=${doubtful ? text("read_with_doubt") : title}>
    ${tile === "?" ? "" : tile}<small>${tile === "?" ? "" : (values[tile] ?? "")}</small></span>`;
}

/**
 * What is known of a rack in words, for the line below it and for a screen reader.
 * @param {BoothRack} rack
 * @param {number} now
 */
function rackWords({ seen, counted }, now) {
  const parts = [];
  if (seen?.doubtful.length)
    parts.push(text("places_in_doubt", { places: seen.doubtful.join(", ") }));
  if (counted && counted.count !== (seen && tilesIn(seen.letters).length))
    parts.push(text("counted", { count: counted.count }));
  if (seen && now)
    parts.push(text(seen.typed ? "typed_ago" : "seen_ago", { age: age(now - seen.at) }));
  if (!seen) parts.push(text(counted ? "letters_unknown" : "rack_unknown"));
  return parts.join(", ");
}

/**
 * `field`: what stands beside the note, such as the field to type the rack in.
 * @param {{rack: BoothRack, values: Record<string, number>, now: number, field?: unknown}} props
 */
export function Rack({ rack, values, now, field }) {
  const { seen, counted } = rack;
  const tiles = seen ? tilesIn(seen.letters) : Array(counted?.count ?? 0).fill("#");
  while (tiles.length < 7) tiles.push(" ");
  const read = seen
    ? text(seen.typed ? "typed_rack" : "read_rack", {
        tiles: tilesIn(seen.letters).join(" ").replaceAll("?", text("blank_tile")),
      })
    : "";
  return html`<div class=${`rack ${seen ? "" : "unknown"} ${seen?.typed ? "typed" : ""}`}>
    <div class="slots" role="img" aria-label=${[read, rackWords(rack, 0)].filter(Boolean).join(", ")}>
      ${tiles.map((tile, at) => html`<${RackTile} tile=${tile} values=${values} doubtful=${seen?.doubtful.includes(at + 1)} />`)}</div>
    <div class="foot"><span class="note" aria-hidden="true">${rackWords(rack, now)}</span>${field}</div></div>`;
}

/** @param {{ms: number | null}} props */
function StillClock({ ms }) {
  return html`<div class=${`still figures ${ms !== null && ms < 0 ? "overtime" : ""}`}>${ms === null ? "\u2013" : formatClock(ms)}</div>`;
}

/**
 * Whether a rack is for people to type: no camera sees it.
 * @param {BoothRack} rack
 */
const isTyped = ({ seen }) => !seen || seen.typed;

/**
 * Why no rack can be so, or nothing.
 * @param {string[]} letters
 * @param {Tiles} counts of the set
 */
function rackFault(letters, counts) {
  if (letters.length > 7) return text("seven_at_most");
  const over = letters.find((letter) => countOf(letters, letter) > (counts[letter] ?? 0));
  if (!over) return "";
  if (!counts[over]) return text("no_such_tile", { tile: over });
  return text("only_so_many", { count: counts[over], tile: over });
}

/**
 * @param {string[]} letters
 * @param {string} wanted
 */
const countOf = (letters, wanted) => letters.filter((letter) => letter === wanted).length;

/**
 * A field for a rack that no camera sees. Enter sends it, empty takes it back.
 * @param {{player: Seated, counts: Tiles, answer: string, onType: (player: Seated, letters: string) => void}} props
 */
function TypedRack({ player, counts, answer, onType }) {
  /** @param {Event} event */
  const send = (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("rack"));
    const letters = typedTiles(field.value, Object.keys(counts));
    field.setCustomValidity(rackFault(letters, counts));
    if (!form.reportValidity()) return;
    onType(player, noted(letters));
    field.value = "";
    field.blur();
  };
  /** @param {Event} event */
  const mend = (event) => /** @type {HTMLInputElement} */ (event.target).setCustomValidity("");
  return html`<form class="type-rack" onSubmit=${send} onInput=${mend}>
    <input name="rack" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="40"
      placeholder=${text("type_the_rack")} aria-label=${text("rack_of", { name: player.name })} />
    <span class="told" role="status">${answer}</span></form>`;
}

/**
 * How a player stands in the event: record, place, and what is still in reach.
 * @param {PlayerCard | null | undefined} card
 */
const stands = (card) =>
  [record(card), card?.place ? text("rank_of", { place: card.place }) : "", inReach(card?.reach)]
    .filter(Boolean)
    .join(", ");

/**
 * Both players as they sit: name, clock, score, rack. `racks` by player; `typing` has what is said
 * of a rack that was typed, by player, and is left out where nobody types.
 * @param {{frame: Frame & {clock?: Clocks & {known?: boolean}}, racks: BoothRack[], now: Now, live: boolean,
 *   typing?: false | {answers: string[], onType: (player: Seated, letters: string) => void}}} props
 */
export function Players({ frame, racks, now, live, typing }) {
  return html`<div class="players alike">${seated(frame.players).map(
    (player) => html`
    <section class=${`card player player-${player.number} ${player.on_turn ? "on-turn" : ""}`} key=${player.number}>
      <div class="head"><${Name} name=${player.name} />
        <span class="points figures">${written(player.score)}</span>
        ${
          frame.clock &&
          (live
            ? html`<${Clock} clock=${frame.clock} player=${player.number} now=${now} />`
            : html`<${StillClock} ms=${frame.clock.known ? frame.clock.remaining_ms[player.number] : null} />`)
        }</div>
      ${stands(frame.cards?.[player.number]) && html`<p class="stands soft">${stands(frame.cards?.[player.number])}</p>`}
      <${Rack} rack=${racks[player.number]} values=${frame.tile_set.values} now=${live ? now() : 0}
        field=${live && typing && isTyped(racks[player.number]) && html`<${TypedRack} player=${player} counts=${frame.tile_set.counts} answer=${typing.answers[player.number]} onType=${typing.onType} />`} />
      ${player.on_turn && html`<span class="turn">${text(live ? "on_turn" : "this_turn")}</span>`}
    </section>`,
  )}</div>`;
}

/**
 * A play's main word: tiles that lay there before are soft, blanks in the other ink.
 * @param {{text: string, word: string}} props
 */
export function PlayWord({ text, word }) {
  const placed = tilesIn(word);
  return html`<span class="laid">${tilesIn(text).map((tile, at) => {
    const kind = placed[at] === "." ? "through" : isBlank(tile) ? "blank" : "";
    return html`<span class=${kind}>${labelOf(tile) || "\u25a1"}</span>`;
  })}</span>`;
}

/** @param {{best: Best | null, players: Named[], hidden: boolean, last: unknown, onPreview: (play: Play | null) => void, onToggle: () => void, turn: number}} props */
export function BestPlays({ best, players, hidden, last, onPreview, onToggle, turn }) {
  const whose = best?.player === undefined ? "" : players[best.player].name;
  const title = turn ? text("best_plays_at", { turn }) : text("best_plays");
  return html`<section class="card best"><h2>${title}<span class="grow"></span>
      <button class="small" aria-keyshortcuts="b" onClick=${onToggle}>${text(hidden ? "show" : "hide")} <kbd>b</kbd></button></h2>
    ${hidden ? html`<p class="quiet">${text("hidden_here")}</p>` : html`${last}<${BestList} best=${best} whose=${whose} onPreview=${onPreview} />`}</section>`;
}

/** @param {{best: Best | null, whose?: string, onPreview: (play: Play | null) => void}} props */
function BestList({ best, whose, onPreview }) {
  if (!best) return html`<p class="quiet">${text("looking_up")}</p>`;
  if (best.why)
    return html`<p class="quiet"><b>${text("none_to_show")}</b>${worded(text(best.why))}.</p>`;
  const sure = best.doubtful ? html`<span class="warn">${text("rack_in_doubt")}</span>` : "";
  const head = html`<p class="for">${whose}, <span class="mono">${plainWord(best.rack ?? "")}</span> ${sure}</p>`;
  if (best.working) return html`${head}<p class="quiet">${text("searching")}</p>`;
  if (!best.plays?.length)
    return html`${head}<p class="quiet"><b>${text("no_best")}</b>${text("no_best_about")}</p>`;
  return html`${head}<p class="play plays-head"><span></span><span></span><span>${text("column_keeps")}</span><span>${text("column_worth")}</span><span>${text("column_scores")}</span></p><ol class="plays" onMouseLeave=${() => onPreview(null)}>${best.plays.map(
    (play) => html`
    <li><button class="play" onMouseEnter=${() => onPreview(play)} onFocus=${() => onPreview(play)} onBlur=${() => onPreview(null)}>
      <span class="where">${play.position}</span><${PlayWord} text=${play.text} word=${play.word} />
      <span class="leave" title=${text("stays_on_rack")}>${plainWord(play.leave) || "\u2013"}</span><span class="worth figures" title=${text("worth_about")}>${written(Math.round(play.worth))}</span><b class="figures">${play.score}</b></button></li>`,
  )}</ol>`;
}

/**
 * `win`: null once the game is decided, when the accuracies alone are left.
 * @param {{win: number | null, method: string, players: Named[], accuracy: unknown}} props
 */
export function Chance({ win, method, players, accuracy }) {
  if (win === null) return html`<section class="card chance">${accuracy}</section>`;
  const [left, right] = seated(players);
  /** @param {Seated} player */
  const share = (player) => (player.number === 0 ? win : 1 - win);
  const shown = percent(share(left));
  // Rounded each for itself, the two could make 101.
  const rest = /^\d/.test(shown) ? `${100 - parseInt(shown, 10)}%` : percent(share(right));
  return html`<section class="card chance"><h2>${text("chance")}</h2>
    <div class="odds"><b class=${`figures player-${left.number}`}>${shown}</b>
      <div class="bar" role="img" aria-label=${`${left.name} ${shown}, ${right.name} ${rest}`}>
        <i class=${`player-${left.number}`} style=${{ flexGrow: share(left) }}></i><i class=${`player-${right.number}`} style=${{ flexGrow: share(right) }}></i></div>
      <b class=${`figures player-${right.number}`}>${rest}</b></div>
    ${accuracy}
    <details><summary>${text("how_estimated")}</summary><p>${text(method)}</p></details></section>`;
}

/**
 * `ends`: which ends of the word lie free; `tiles`: what is still unseen.
 * @param {{letters: string, open: boolean, tiles: Tiles, name: string}} props
 */
function HookLetters({ letters, open, tiles, name }) {
  const none = !open ? text("no_free_square") : letters ? "" : text("none");
  return html`<dt>${name}</dt><dd>${
    none
      ? html`<span class="soft">${none}</span>`
      : tilesIn(letters).map(
          (letter) => html`<span class=${`hook ${tiles[letter] || tiles["?"] ? "" : "gone"}`}
      title=${tiles[letter] ? text("so_many_unseen", { count: tiles[letter] }) : text("none_unseen")}>${letter}</span>`,
        )
  }</dd>`;
}

/** @param {{line?: BoothLine, rows: string[], tiles: Tiles, list: WordList}} props */
export function Hooks({ line, rows, tiles, list }) {
  if (list.why)
    return html`<section class="card hooks"><h2>${text("hooks")}</h2><p class="quiet">${worded(text(list.why))}.</p></section>`;
  if (!line?.hooks)
    return html`<section class="card hooks"><h2>${text("hooks")}</h2><p class="quiet">${text(line ? "blank_not_known" : "no_word_yet")}</p></section>`;
  const ends = openEnds(line, rows);
  return html`<section class="card hooks"><h2>${text("hooks_for")} <${PlayWord} text=${line.words[0]} word=${line.words[0]} /></h2><dl>
    <${HookLetters} name=${text("front")} letters=${line.hooks.front} open=${ends.front} tiles=${tiles} />
    <${HookLetters} name=${text("back")} letters=${line.hooks.back} open=${ends.back} tiles=${tiles} /></dl></section>`;
}

/**
 * Odds of a draw: `draw` holds what is asked and the answer; `onAsk` gets changes.
 * @param {{draw: Question, pool: Drawable, live: boolean, onAsk: (change: Partial<Question>) => void}} props
 */
export function Draw({ draw, pool, live, onAsk }) {
  const { wanted, drawn, odds } = draw;
  /** @param {{target: HTMLInputElement}} event */
  const typed = (event) =>
    onAsk({
      wanted: noted(
        [...new Set(typedTiles(event.target.value, Object.keys(pool.tiles)))].filter(
          (face) => face in pool.tiles,
        ),
      ),
    });
  /** @param {{target: HTMLInputElement}} event */
  const number = (event) =>
    onAsk({ drawn: Math.min(7, Math.max(1, Number(event.target.value) || 1)) });
  return html`<section class="card draw"><h2>${text("chance_of_drawing")}</h2>
    <div class="ask"><label>${text("any_of")} <input id="wanted" value=${wanted} onInput=${typed} autocomplete="off" spellcheck="false" maxlength="30" /></label>
      <label>${text("in_a_draw")} <input type="number" min="1" max="7" value=${drawn} onInput=${number} aria-label=${text("tiles_drawn")} /> ${text(drawn === 1 ? "tile_noun" : "tiles_noun")}</label>
      <b class="figures total" aria-live="polite">${odds ? percent(odds.any) : "\u2013"}</b></div>
    <ul class="each">${tilesIn(wanted).map(
      (
        face,
      ) => html`<li class=${pool.tiles[face] ? "" : "gone"}><span class="slot tile-face" data-long=${face.length}>${face === "?" ? "" : face}</span>
      <span class="figures">${odds?.each[face] === undefined ? "\u2013" : percent(odds.each[face])}</span></li>`,
    )}</ul>
    <p class="soft">${live ? text(pool.less.length === 2 ? "from_bag" : "from_drawable", { count: pool.count }) : text("as_of_now")}</p></section>`;
}

/** @param {{tiles: Tiles, faces: string[], name: string, total: number}} props */
function Kinds({ tiles, faces, name, total }) {
  return html`<div class="kinds"><div class="sum"><span class="soft">${name}</span> <b class="figures">${total}</b></div>
    <div class="grid">${faces.map((face) => html`<span class=${`kind ${tiles[face] ? "" : "none"}`}><span class="slot tile-face" data-long=${face.length}>${face === "?" ? "" : face}</span><b class="figures">${tiles[face] ?? 0}</b></span>`)}</div></div>`;
}

/**
 * `less`: the racks taken off, by player; `bag`: how many tiles are in the bag.
 * @param {{tiles: Tiles, bag: number, less: boolean, canLess: boolean, onToggle: () => void, alphabet: string[], open: string[]}} props
 */
export function Pool({ tiles, bag, less, canLess, onToggle, alphabet, open }) {
  const { count, vowels, consonants, blanks } = makeUp(tiles, open);
  const what = text(less ? "unseen_less" : "unseen_tiles");
  return html`<section class="card pool"><h2>${what}<span class="grow"></span>
    ${canLess && html`<button class="small" aria-keyshortcuts="u" onClick=${onToggle}>${text(less ? "with_racks" : "less_racks")} <kbd>u</kbd></button>`}</h2>
    <div class="totals"><span><b class="figures">${count}</b> ${text("of_unseen")}</span><span><b class="figures">${bag}</b> ${text("in_bag")}</span></div>
    <${Kinds} name=${text("vowels")} total=${vowels} tiles=${tiles} faces=${open} />
    <${Kinds} name=${text("consonants")} total=${consonants} tiles=${tiles} faces=${alphabet.filter((face) => !open.includes(face))} />
    <${Kinds} name=${text("blanks")} total=${blanks} tiles=${tiles} faces=${["?"]} /></section>`;
}
