"""The rules of play of the server in the tests: its own board, scores, racks and challenges.

Written from facts of the interface and knowing nothing of Tilecast's code, so that neither judges
itself. A game is its document, loaded for each call and stored after it.
"""

import base64
import re
from collections import Counter

SIDE = 15
RACK = 7
LAYOUT = {"A1": "3W", "A8": "3W", "B2": "2W", "C3": "2W", "D4": "2W", "E5": "2W", "H8": "2W"}
LAYOUT |= {"B6": "3L", "F6": "3L", "A4": "2L", "C7": "2L", "D8": "2L", "G7": "2L"}
SETS = {
    "english": "?2/0 A9/1 B2/3 C2/3 D4/2 E12/1 F2/4 G3/2 H2/4 I9/1 J1/8 K1/5 L4/1 M2/3 N6/1 O8/1"
    " P2/3 Q1/10 R6/1 S4/1 T6/1 U4/1 V2/4 W2/4 X1/8 Y2/4 Z1/10",
    "german": "?2/0 A5/1 Ä1/6 B2/3 C2/4 D4/1 E15/1 F2/4 G3/2 H4/2 I6/1 J1/6 K2/4 L3/2 M4/3 N9/1"
    " O3/2 Ö1/8 P1/4 Q1/10 R6/1 S7/1 T6/1 U6/1 Ü1/6 V1/6 W1/3 X1/8 Y1/10 Z1/3",
}
SETS["spanish"] = (
    "?2/0 A12/1 B2/3 C4/3 [CH]1/5 D5/2 E12/1 F1/4 G2/2 H2/4 I6/1 J1/8 L4/1 [LL]1/8 M2/3 N5/1"
    " Ñ1/8 O9/1 P2/3 Q1/5 R5/1 [RR]1/8 S6/1 T4/1 U5/1 V1/4 X1/8 Y1/4 Z1/10"
)
PREFIXES = {
    "FILE": "spanish",
    "NWL": "english",
    "CSW": "english",
    "ECWL": "english",
    "RD": "german",
}
PLAYABLE = ("TILE_PLACEMENT", "PASS", "EXCHANGE", "CHALLENGE_PLAY", "RESIGN")
RULES = ("VOID", "SINGLE", "DOUBLE", "FIVE_POINT", "TEN_POINT", "TRIPLE")


class RefusedError(Exception):
    """What the server answers instead: a code of Connect's, and a sentence."""

    def __init__(self, message, code="invalid_argument"):
        super().__init__(message)
        self.code, self.message = code, message


def b64(tiles):
    return base64.b64encode(bytes(tiles)).decode()


def unb64(text):
    text = (text or "").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except ValueError:
        raise RefusedError("bad base64") from None


def tile_set(name):
    if name not in SETS:
        raise RefusedError("no such letter distribution", "unknown")
    parts = [re.fullmatch(r"(\D+)(\d+)/(\d+)", one).groups() for one in SETS[name].split()]
    return [p[0] for p in parts], [int(p[1]) for p in parts], [int(p[2]) for p in parts]


def premium(row, column):
    """By reflection in both centre lines and in the diagonal."""
    row, column = min(row, 14 - row), min(column, 14 - column)
    for a, b in ((row, column), (column, row)):
        found = LAYOUT.get(f"{'ABCDEFGHIJKLMNO'[a]}{b + 1}")
        if found:
            return found
    return ""


def bare(tile):
    return 0 if tile & 0x80 else tile


def place(text):
    """Row, column, across; what cannot be read is 1A across, silently."""
    if found := re.fullmatch(r"(\d+)([A-O])", text or ""):
        return int(found[1]) - 1, ord(found[2]) - 65, True
    if found := re.fullmatch(r"([A-O])(\d+)", text or ""):
        return int(found[2]) - 1, ord(found[1]) - 65, False
    return 0, 0, True


def new_document(uid, players, lexicon, distribution, rule, variant="classic"):
    wanted = next((PREFIXES[p] for p in PREFIXES if lexicon.upper().startswith(p)), None)
    if wanted is None or wanted != distribution:
        raise RefusedError("lexicon and letter distribution do not fit")
    _, counts, _ = tile_set(distribution)
    return {
        "players": [
            {"nickname": n, "real_name": f, "user_id": f"internal-{n}", "quit": False}
            for n, f in players
        ],
        "events": [],
        "version": 2,
        "lexicon": lexicon,
        "uid": uid,
        "description": "",
        "racks": ["", ""],
        "challenge_rule": rule,
        "play_state": "UNSTARTED",
        "current_scores": [0, 0],
        "variant": variant,
        "winner": 0,
        "board_layout": "CrosswordGame",
        "letter_distribution": distribution,
        "type": "ANNOTATED",
        "timers_started": False,
        "end_reason": "NONE",
        "created_at": "2026-09-26T09:15:02.125Z",
        "board": {"num_rows": 15, "num_cols": 15, "tiles": b64(bytes(225)), "is_empty": True},
        "bag": {"tiles": b64(t for t, n in enumerate(counts) for _ in range(n))},
        "scoreless_turns": 0,
        "player_on_turn": 0,
        "timers": {"time_remaining": ["0", "0"], "untimed": True},
    }


class Game:
    """A document while a call changes it."""

    def __init__(self, document, rng, is_word):
        self.doc, self.rng, self.is_word = document, rng, is_word
        for needed in ("timers", "bag", "board"):
            if needed not in document:
                raise ConnectionAbortedError(needed)  # their handler crashes
        self.board = bytearray(unb64(document["board"]["tiles"]))
        self.bag = list(unb64(document["bag"]["tiles"]))
        self.racks = [list(unb64(rack)) for rack in document["racks"]]
        self.scores = list(document["current_scores"])
        self.labels, self.counts, self.values = tile_set(document["letter_distribution"])

    def store(self):
        self.check()
        self.doc["board"] |= {"tiles": b64(self.board), "is_empty": not any(self.board)}
        self.doc["bag"] = {"tiles": b64(self.bag)}
        self.doc["racks"] = [b64(rack) for rack in self.racks]
        self.doc["current_scores"] = list(self.scores)
        return self.doc

    def check(self):
        """The invariant: bag, racks and board are the whole set."""
        held = Counter(self.bag) + Counter(self.racks[0]) + Counter(self.racks[1])
        held += Counter(bare(tile) for tile in self.board if tile)
        if held != +Counter(dict(enumerate(self.counts))):
            raise RefusedError("tiles do not add up", "internal")

    @property
    def rule(self):
        return self.doc["challenge_rule"].removeprefix("ChallengeRule_")

    @property
    def events(self):
        return self.doc["events"]

    # --- racks ---

    def draw(self, player, count):
        for _ in range(min(count, len(self.bag))):
            self.racks[player].append(self.bag.pop(self.rng.randrange(len(self.bag))))

    def fill(self, *players):
        for player in players:
            self.draw(player, RACK - len(self.racks[player]))

    def put_back(self, *players):
        for player in players:
            self.bag += self.racks[player]
            self.racks[player] = []

    def take(self, player, tiles, borrow=False):
        other = 1 - player
        borrowed = False
        for tile in tiles:
            if tile in self.bag:
                self.bag.remove(tile)
            elif borrow and tile in self.racks[other]:
                self.racks[other].remove(tile)
                borrowed = True
            else:
                raise RefusedError(f"asks for a tile ({self.labels[tile]}) that is not in the bag")
            self.racks[player].append(tile)
        return borrowed

    def set_racks(self, racks):
        self.put_back(0, 1)
        for player, rack in enumerate(racks):
            self.take(player, rack)
        empty = [player for player in (0, 1) if not racks[player]]
        if len(self.bag) <= RACK * len(empty):
            self.fill(*empty)
            self.fill(*(player for player in (0, 1) if racks[player]))

    # --- events ---

    def add(self, kind, player, **fields):
        event = {
            "note": "",
            "rack": "",
            "type": kind,
            "cumulative": self.scores[player],
            "row": 0,
            "column": 0,
            "direction": "HORIZONTAL",
            "position": "",
            "played_tiles": "",
            "exchanged": "",
            "score": 0,
            "bonus": 0,
            "end_rack_points": 0,
            "lost_score": 0,
            "is_bingo": False,
            "words_formed": [],
            "millis_remaining": 0,
            "player_index": player,
            "words_formed_friendly": [],
            "challenged_word_indices": [],
        }
        self.events.append({**event, **fields})

    def play(self, player, position, tiles):
        row, column, across = place(position)
        needed = [bare(tile) for tile in tiles if tile]
        rack = self._rack_for(player, needed)
        self._check_state("TILE_PLACEMENT")
        laid = self._check_placement(row, column, across, tiles)
        for square, tile in laid.items():
            self.board[square] = tile
        words = self._words(row, column, across, laid)
        texts = ["".join(self.labels[self.board[s] & 0x7F] for s in word) for word in words]
        if self.rule == "VOID" and not all(map(self.is_word, texts)):
            raise RefusedError("invalid words")
        points = sum(self._points(word, laid) for word in words) + (50 if len(laid) == 7 else 0)
        self.scores[player] += points
        self.doc["scoreless_turns"] = 0
        self.add(
            *("TILE_PLACEMENT_MOVE", player),
            rack=b64(rack),
            row=row,
            column=column,
            direction="HORIZONTAL" if across else "VERTICAL",
            position=position,
            played_tiles=b64(tiles),
            score=points,
            is_bingo=len(laid) == 7,
            words_formed=[b64(self.board[s] & 0x7F for s in word) for word in words],
            words_formed_friendly=texts,
        )
        for tile in needed:
            self.racks[player].remove(tile)
        self.fill(player, 1 - player)
        self.doc["player_on_turn"] = 1 - player
        if not self.racks[player]:
            if self.rule == "VOID":
                self._end_standard(player)
            else:
                self.doc["play_state"] = "WAITING_FOR_FINAL_PASS"

    def _rack_for(self, player, needed):
        if not Counter(needed) - Counter(self.racks[player]):
            return list(self.racks[player])
        self.put_back(player)
        sent = list(needed)
        borrowed = self.take(player, sent, borrow=True)
        if borrowed:
            self.fill(1 - player)
        return sent

    def _check_state(self, kind):
        if self.doc["play_state"] == "WAITING_FOR_FINAL_PASS" and kind not in (
            "PASS",
            "CHALLENGE_PLAY",
        ):
            raise RefusedError("can only pass or challenge")

    def _check_placement(self, row, column, across, tiles):
        laid, squares = {}, []
        for at, tile in enumerate(tiles):
            r, c = (row, column + at) if across else (row + at, column)
            if not (0 <= r < SIDE and 0 <= c < SIDE):
                raise RefusedError("leaves the board")
            square = r * SIDE + c
            squares.append(square)
            if tile and self.board[square]:
                raise RefusedError("a tile on a tile")
            if not tile and not self.board[square]:
                raise RefusedError("plays through an empty square")
            if tile and not 0 < tile & 0x7F < len(self.labels):
                raise RefusedError("no such letter")
            if tile:
                laid[square] = tile
        if not laid or len(squares) < 2:
            raise RefusedError("no tile, or a word of one square")
        if not any(self.board):
            if 112 not in laid:
                raise RefusedError("the first play must cover the center square")
        elif not any(self.board[near] for square in laid for near in self._near(square)):
            raise RefusedError("touches no tile")
        step = 1 if across else SIDE
        for end, way in ((squares[0], -step), (squares[-1], step)):
            if self._has_next(end, way) and self.board[end + way]:
                raise RefusedError("a tile stands directly before or after the word")
        return laid

    @staticmethod
    def _has_next(square, step):
        if abs(step) == 1:
            return 0 <= square % SIDE + step < SIDE
        return 0 <= square + step < SIDE * SIDE

    def _near(self, square):
        return [square + s for s in (1, -1, SIDE, -SIDE) if self._has_next(square, s)]

    def _run(self, square, step):
        first = square
        while self._has_next(first, -step) and self.board[first - step]:
            first -= step
        run = [first]
        while self._has_next(run[-1], step) and self.board[run[-1] + step]:
            run.append(run[-1] + step)
        return run

    def _words(self, row, column, across, laid):
        main, cross = (1, SIDE) if across else (SIDE, 1)
        words = [self._run(row * SIDE + column, main)]
        words += [self._run(square, cross) for square in sorted(laid)]
        return [word for word in words if len(word) > 1]

    def _points(self, word, laid):
        total, times = 0, 1
        for square in word:
            tile = self.board[square]
            value = 0 if tile & 0x80 else self.values[tile]
            sign = premium(*divmod(square, SIDE)) if square in laid else ""
            total += value * (int(sign[0]) if sign.endswith("L") else 1)
            times *= int(sign[0]) if sign.endswith("W") else 1
        return total * times

    def pass_(self, player):
        self.add("PASS", player, rack=b64(self.racks[player]))
        if self.doc["play_state"] == "WAITING_FOR_FINAL_PASS":
            self._end_standard(1 - player)
            return
        self.doc["player_on_turn"] = 1 - player
        self.fill(1 - player)
        self._zero(player)

    def exchange(self, player, tiles):
        self._check_state("EXCHANGE")
        if len(self.bag) < RACK:
            raise RefusedError("not enough tiles in the bag")
        if Counter(tiles) - Counter(self.racks[player]):
            raise RefusedError("tile not in rack")
        rack = list(self.racks[player])
        for tile in tiles:
            self.racks[player].remove(tile)
        self.draw(player, len(tiles))
        self.bag += list(tiles)
        self.add("EXCHANGE", player, rack=b64(rack), exchanged=b64(tiles))
        self.fill(1 - player)
        self.doc["player_on_turn"] = 1 - player
        self._zero(player)

    def _zero(self, player):
        self.doc["scoreless_turns"] += 1
        if self.doc["scoreless_turns"] >= 6:
            self.doc |= {"play_state": "GAME_OVER", "end_reason": "CONSECUTIVE_ZEROES"}
            self._penalties(player)

    def _penalties(self, first):
        for player in (first, 1 - first):
            lost = sum(self.values[tile] for tile in self.racks[player])
            self.scores[player] -= lost
            rack = b64(self.racks[player])
            self.add("END_RACK_PENALTY", player, rack=rack, lost_score=lost)

    def _end_standard(self, out):
        if self.racks[out]:
            raise RefusedError("no rack is empty")
        left = self.racks[1 - out]
        points = 2 * sum(self.values[tile] for tile in left)
        self.scores[out] += points
        self.add("END_RACK_PTS", out, rack=b64(left), end_rack_points=points)
        self.doc |= {"play_state": "GAME_OVER", "end_reason": "STANDARD"}
        a, b = self.scores
        self.doc["winner"] = -1 if a == b else int(b > a)

    def challenge(self, player, indices):
        last = self.events[-1] if self.events else None
        if last is None or self.rule == "VOID" or not last["words_formed_friendly"]:
            raise RefusedError("no words to challenge")
        words = last["words_formed_friendly"]
        if any(not 0 <= at < len(words) for at in indices):
            raise RefusedError("no such word")
        chosen = [words[at] for at in indices] or words
        final = self.doc["play_state"] == "WAITING_FOR_FINAL_PASS"
        if not all(map(self.is_word, chosen)):
            self._take_off(last)
            return
        if self.rule == "DOUBLE":
            self.add("UNSUCCESSFUL_CHALLENGE_TURN_LOSS", player, rack=b64(self.racks[player]))
            if not final:
                self.doc["player_on_turn"] = 1 - player
                self._zero(player)
        else:
            each = {"SINGLE": 0, "FIVE_POINT": 5 * max(1, len(indices)), "TEN_POINT": 10}
            bonus = each.get(self.rule, 0)
            self.scores[1 - player] += bonus
            self.add("CHALLENGE_BONUS", 1 - player, bonus=bonus)
        if final:
            self._end_standard(1 - player)

    def _take_off(self, last):
        player = last["player_index"]
        tiles, rack = unb64(last["played_tiles"]), list(unb64(last["rack"]))
        leave = list(rack)
        for tile in tiles:
            if tile:
                leave.remove(bare(tile))
        for tile in leave:
            if tile not in self.racks[player]:
                raise RefusedError(f"tile {tile} not in rack")
            self.racks[player].remove(tile)
        self.put_back(player)
        step = 1 if last["direction"] == "HORIZONTAL" else SIDE
        start = last["row"] * SIDE + last["column"]
        for at, tile in enumerate(tiles):
            if tile:
                self.board[start + at * step] = 0
        self.racks[player] = rack
        self.scores[player] -= last["score"]
        self.add(
            *("PHONY_TILES_RETURNED", player),
            rack=last["rack"],
            played_tiles=last["played_tiles"],
            lost_score=last["score"],
            position=last["position"],
            row=last["row"],
            column=last["column"],
            direction=last["direction"],
        )
        self.doc |= {"play_state": "PLAYING", "player_on_turn": 1 - player}
        zeros = 0
        for event in reversed(self.events):
            if event["type"] == "TILE_PLACEMENT_MOVE" and event is not last:
                break
            zeros += event["type"] in (
                *("PASS", "EXCHANGE", "UNSUCCESSFUL_CHALLENGE_TURN_LOSS", "PHONY_TILES_RETURNED"),
            )
        self.doc["scoreless_turns"] = zeros - 1
        self._zero(1 - player)

    def resign(self, player):
        self.add("RESIGNED", player)
        self.doc["players"][player]["quit"] = True
        self.doc |= {"play_state": "GAME_OVER", "end_reason": "RESIGNED", "winner": 1 - player}

    # --- calls ---

    def send(self, event, user_id):
        kind = event.get("type", 0)
        kind = PLAYABLE[kind] if isinstance(kind, int) else kind
        kind = kind if kind in PLAYABLE else "TILE_PLACEMENT"  # unknown names become the first
        if self.doc["play_state"] == "GAME_OVER":
            raise RefusedError("game not active")
        users = [player["user_id"] for player in self.doc["players"]]
        on_turn = self.doc["player_on_turn"]
        if kind == "RESIGN":
            if user_id not in users:
                raise RefusedError("no such player")
            self.resign(users.index(user_id))
            return
        if users[on_turn] != user_id:
            raise RefusedError("not on turn")
        tiles = unb64(event.get("machine_letters", event.get("machineLetters", "")))
        position = event.get("position_coords", event.get("positionCoords", ""))
        if kind == "TILE_PLACEMENT":
            self.play(on_turn, position, tiles)
        elif kind == "PASS":
            self.pass_(on_turn)
        elif kind == "EXCHANGE":
            self.exchange(on_turn, list(tiles))
        else:
            self.challenge(on_turn, event.get("challenged_word_indices", []))


def replayed(document, events, rng, is_word):
    """A game from an empty board; the first event that does not fit is dropped with all later."""
    _, counts, _ = tile_set(document["letter_distribution"])
    bare_document = {
        **document,
        "events": [],
        "racks": ["", ""],
        "current_scores": [0, 0],
        "play_state": "PLAYING",
        "end_reason": "NONE",
        "scoreless_turns": 0,
        "player_on_turn": 0,
        "board": {"num_rows": 15, "num_cols": 15, "tiles": b64(bytes(225)), "is_empty": True},
        "bag": {"tiles": b64(t for t, n in enumerate(counts) for _ in range(n))},
    }
    game = Game(bare_document, rng, is_word)
    for event in events:
        before = [game.board[:], game.bag[:], [r[:] for r in game.racks], game.scores[:]]
        kept = {**game.doc, "events": list(game.events)}
        try:
            reapply(game, event)
        except (RefusedError, ValueError):
            game.board, game.bag, game.racks, game.scores = before
            game.doc = kept
            break
    return game


def reapply(game, event):
    kind, player = event["type"], event["player_index"]
    if kind in ("END_RACK_PTS", "END_RACK_PENALTY"):
        return  # made by what comes before
    if kind == "TIME_PENALTY":
        game.add(kind, player, lost_score=event["lost_score"])
        game.events[-1]["cumulative"] = event["cumulative"]
        game.scores[player] = event["cumulative"]
        return
    game.doc["player_on_turn"] = player
    if kind == "PHONY_TILES_RETURNED":
        last = game.events[-1]
        if last["type"] != "TILE_PLACEMENT_MOVE":
            return
        game.put_back(0, 1)
        game.take(player, list(unb64(event["rack"])))
        leave = Counter(unb64(last["rack"]))
        leave.subtract(bare(t) for t in unb64(last["played_tiles"]) if t)
        game.put_back(player)
        game.take(player, list((+leave).elements()))
        game._take_off(last)
    elif kind == "CHALLENGE_BONUS":
        game.scores[player] += event["bonus"]
        game.add(kind, player, bonus=event["bonus"])
        game.doc["player_on_turn"] = 1 - player
    elif kind == "UNSUCCESSFUL_CHALLENGE_TURN_LOSS":
        game.add(kind, player, rack=event["rack"])
        game.doc["player_on_turn"] = 1 - player
        game._zero(player)
    elif kind == "RESIGNED":
        game.resign(player)
    else:
        rack = list(unb64(event["rack"]))
        game.put_back(0, 1)
        game.take(player, rack)
        game.fill(1 - player)
        if kind == "TILE_PLACEMENT_MOVE":
            game.play(player, event["position"], unb64(event["played_tiles"]))
        elif kind == "PASS":
            game.pass_(player)
        else:
            game.exchange(player, list(unb64(event["exchanged"])))
