"""A server of the interface for the tests: Connect's JSON over POST, owners, broadcasts, faults.

``faults`` decides of each call whether something goes wrong: it gets the method's name and how
often that was called, and answers None or one of the words of ``_Handler.do_POST``.
"""

import contextlib
import json
import random
import secrets
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.woogles import their_rules as rules
from tests.woogles.their_rules import RefusedError

GAMES, BROADCASTS = "omgwords_service.GameEventService", "broadcast_service.BroadcastService"


class TheirServer:
    """Games, broadcasts and users in memory; ``url`` is the address of the interface."""

    def __init__(self, seed=1):
        self.rng = random.Random(seed)
        self.users = {"key-of-ann": "ann"}
        self.creators = {"ann"}
        self.lexicons = {"NWL23", "CSW24", "RD29", "FILE2017"}
        self.phonies = set()
        self.documents, self.owners, self.done, self.claims = {}, {}, set(), {}
        self.broadcasts, self.slots, self.sources = {}, {}, {}
        self.calls, self.counts = [], {}
        self.accepted = {}
        self.faults = lambda method, count: None
        self.lock = threading.RLock()
        self.at_end = []
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.owner = self
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/api"
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.01,), daemon=True
        )
        self._thread.start()

    def close(self):
        for closes in self.at_end:
            closes()
        self._server.shutdown()
        self._server.hang_up()
        self._server.server_close()
        self._thread.join()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def is_word(self, word):
        return word not in self.phonies

    # --- users ---

    def user(self, key):
        if key is None:
            raise RefusedError("auth-methods-failed", "unauthenticated")
        if key not in self.users:
            raise RefusedError("user not found", "unknown")
        return self.users[key]

    def owned(self, key, uid):
        user = self.user(key)
        if self.owners.get(uid) != user:
            raise RefusedError("no rows in result set")
        return self.documents[uid]

    def unfinished(self, user):
        return [uid for uid, owner in self.owners.items() if owner == user and uid not in self.done]

    # --- GameEventService ---

    def CreateAnnotatedGame(self, body, key):
        user = self.user(key)
        players = body.get("players_info", [])
        names = [player.get("nickname", "") for player in players]
        if len(players) != 2 or len(set(names)) != 2 or not all(names):
            raise RefusedError("two players with different names are needed")
        if [bool(player.get("first")) for player in players] != [True, False]:
            raise RefusedError("the first player must be first")
        given = body.get("rules")
        if not given or not body.get("lexicon"):
            raise RefusedError("rules and lexicon are needed")
        if self.unfinished(user):
            raise RefusedError("please finish or delete your unfinished game first")
        people = [(p["nickname"], p.get("full_name", "")) for p in players]
        rule = body.get("challenge_rule", "ChallengeRule_VOID")
        known = rule.removeprefix("ChallengeRule_") in rules.RULES and rule.startswith("Challenge")
        rule = rule if known else "ChallengeRule_VOID"
        return {
            "game_id": self._make(
                user, people, body["lexicon"], given.get("letter_distribution_name"), rule
            )
        }

    def _make(self, user, people, lexicon, distribution, rule, variant="classic"):
        uid = secrets.token_urlsafe(16).replace("-", "x").replace("_", "y")
        document = rules.new_document(uid, people, lexicon, distribution, rule, variant)
        if lexicon not in self.lexicons:
            raise RefusedError("no such lexicon file", "unknown")
        game = rules.Game(document, self.rng, self.is_word)
        game.fill(0, 1)
        self.documents[uid] = game.store()
        self.owners[uid] = user
        return uid

    def GetMyUnfinishedGames(self, body, key):
        games = [
            {"game_id": uid, "creator_id": "u1", "private": True, "finished": False}
            for uid in self.unfinished(self.user(key))
        ]
        return {"games": games}

    def GetGameDocument(self, body, key):
        uid = body.get("game_id", body.get("gameId"))
        if uid not in self.documents:
            raise RefusedError("no rows in result set")
        return self.documents[uid]

    def SetRacks(self, body, key):
        document = self.owned(key, body.get("game_id"))
        racks = [list(rules.unb64(rack)) for rack in body.get("racks", [])]
        if len(racks) != 2:
            raise RefusedError("one rack per player")
        if any(tile & 0x80 for rack in racks for tile in rack):
            raise RefusedError("a designated blank on a rack")
        if any(62 <= tile <= 127 for rack in racks for tile in rack):
            raise ConnectionAbortedError("crash")
        game = self._game(document)
        game.set_racks(racks)
        if document["end_reason"] == "CONSECUTIVE_ZEROES":
            ends = [e for e in game.events if e["type"] == "END_RACK_PENALTY"]
            first = ends[0]["player_index"]
            for event in ends:
                game.scores[event["player_index"]] += event["lost_score"]
                game.events.remove(event)
            game._penalties(first)
        self._store(game)
        return {}

    def SendGameEvent(self, body, key):
        event = body.get("event")
        self.user(key)
        if event is None:
            raise RefusedError("event is required")
        document = self.owned(key, event.get("game_id", event.get("gameId")))
        user_id = body.get("user_id", body.get("userId", ""))
        game = self._game(document)
        game.send(event, user_id)
        self._store(game)
        if game.doc["play_state"] == "GAME_OVER":
            self.done.add(game.doc["uid"])
        return {}

    def PatchGameDocument(self, body, key):
        given = body.get("document") or {}
        document = self.owned(key, given.get("uid"))
        if {"events", "board", "bag", "racks"} & set(given):
            raise RefusedError("patch of these is not supported", "unknown")
        if "players" in given and len(given["players"]) != 2:
            raise RefusedError("players of another length", "unknown")
        zero = "ChallengeRule_VOID"
        document.update({k: v for k, v in given.items() if v and v != zero})
        for player in document["players"]:
            player.setdefault("user_id", "")
        return {}

    def ReplaceGameDocument(self, body, key):
        given = body.get("document")
        if not given:
            raise RefusedError("document is required", "unknown")
        self.owned(key, given.get("uid"))
        self.documents[given["uid"]] = json.loads(json.dumps(given))
        return {}

    def _game(self, document):
        return rules.Game(json.loads(json.dumps(document)), self.rng, self.is_word)

    def _store(self, game):
        document = game.store()
        before = len(self.documents[document["uid"]]["events"])
        self.documents[document["uid"]] = document
        if len(document["events"]) > before:
            self.accepted[document["uid"], len(document["events"])] = time.monotonic()

    # --- BroadcastService ---

    def broadcast(self, slug):
        if slug not in self.broadcasts:
            raise RefusedError("no such broadcast", "not_found")
        return self.broadcasts[slug]

    def directed(self, slug, key):
        found = self.broadcast(slug)
        if self.user(key) not in found["directors"]:
            raise RefusedError("not a director", "permission_denied")
        return found

    def add_broadcast(self, slug, feed, **fields):
        """A broadcast that is there already; ``feed`` is the text of tourney.js."""
        self.broadcasts[slug] = {
            "slug": slug,
            "name": slug,
            "description": "",
            "broadcast_url": "https://example.org/tourney.js",
            "broadcast_url_format": "tsh_newt_json",
            "poll_interval_seconds": 60,
            "lexicon": "NWL23",
            "board_layout": "CrosswordGame",
            "letter_distribution": "english",
            "challenge_rule": 2,
            "active": True,
            "directors": ["ann"],
            "annotators": [],
            "feed": feed,
            **fields,
        }

    def CreateBroadcast(self, body, key):
        user = self.user(key)
        if user not in self.creators:
            raise RefusedError("no right", "permission_denied")
        for needed in ("slug", "name", "broadcast_url"):
            if not body.get(needed):
                raise RefusedError(f"{needed} is required")
        if body["slug"] in self.broadcasts:
            raise RefusedError("slug taken", "internal")
        self.add_broadcast(body["slug"], "")
        made = {"challenge_rule": 0, **body, "directors": [user], "annotators": []}
        self.broadcasts[body["slug"]].update(made)
        return {"uuid": "2f6c1f0e", "slug": body["slug"]}

    def UpdateBroadcast(self, body, key):
        found = self.directed(body.get("slug"), key)
        kept = {name: found[name] for name in ("slug", "directors", "annotators", "feed")}
        blank = {name: type(value)() for name, value in found.items()}
        self.broadcasts[kept["slug"]] = {**blank, **body, **kept}
        return {}

    def GetBroadcast(self, body, key):
        found = self.broadcast(body.get("slug"))
        said = {k: v for k, v in found.items() if k not in ("directors", "annotators", "feed")}
        return {
            "broadcast": said,
            "players": [],
            "director_usernames": found["directors"],
            "annotator_usernames": found["annotators"],
            "total_rounds": 0,
            "divisions": [one["name"] for one in read_feed(found["feed"])],
        }

    def GetBroadcastGames(self, body, key):
        slug = body.get("slug")
        divisions = read_feed(self.broadcast(slug)["feed"])
        wanted = body.get("division") or (divisions[0]["name"] if divisions else "")
        total = total_rounds(divisions, wanted)
        number = min(body.get("round", 0) or 1, total or 1)
        games = []
        for place, (first, second) in pairings(divisions, wanted, number).items():
            uid = self.claims.get((slug, wanted, number, place), "")
            games.append(
                {
                    "round": number,
                    "table_number": place,
                    "player1_name": first,
                    "player2_name": second,
                    "game_uuid": uid,
                    "annotator_username": self.owners.get(uid, ""),
                    "annotation_done": uid in self.done,
                    "division": wanted,
                }
            )
        return {"games": games, "round": number, "total_rounds": total}

    def ClaimGame(self, body, key):
        user, slug = self.user(key), body.get("slug")
        found = self.broadcast(slug)
        if user not in (*found["directors"], *found["annotators"]):
            raise RefusedError("not an annotator", "permission_denied")
        division, number, place = body.get("division"), body["round"], body["table_number"]
        claim = slug, division, number, place
        if claim in self.claims:
            return {"game_id": self.claims[claim]}
        pair = pairings(read_feed(found["feed"]), division, number).get(place)
        if pair is None:
            raise RefusedError(f"no pairing for round {number} table {place}")
        rule = f"ChallengeRule_{rules.RULES[found['challenge_rule']]}"
        people = [(name, name) for name in pair]
        try:
            uid = self._make(user, people, found["lexicon"], found["letter_distribution"], rule, "")
        except RefusedError as fault:
            raise RefusedError(fault.message, "internal") from None
        self.claims[claim] = uid
        return {"game_id": uid}

    def GetMyClaimedGames(self, body, key):
        user = self.user(key)
        self.broadcast(body.get("slug"))
        mine = [
            {"round": number, "table_number": place, "division": division, "game_uuid": uid}
            for (slug, division, number, place), uid in self.claims.items()
            if slug == body["slug"] and self.owners.get(uid) == user
        ]
        return {"games": mine[::-1][: min(body.get("limit") or 10, 50)]}

    def TriggerPoll(self, body, key):
        found = self.directed(body.get("slug"), key)
        found["feed"] = self.sources.get(body["slug"], found["feed"])
        return {"data_changed": True}

    def CreateSlot(self, body, key):
        self.directed(body.get("slug"), key)
        if (
            not (body.get("slot_name") and body.get("division"))
            or min(body.get("round", 0), body.get("table_number", 0)) < 1
        ):
            raise RefusedError("a slot needs name, division, round and table")
        self.slots.setdefault((body["slug"], body["slot_name"]), _slot(body))
        return {}

    def AssignSlot(self, body, key):
        self.directed(body.get("slug"), key)
        if (body["slug"], body["slot_name"]) in self.slots:
            self.slots[body["slug"], body["slot_name"]] = _slot(body)
        return {}


def _slot(body):
    return body["division"], body["round"], body["table_number"]


def read_feed(text):
    """The divisions of a tourney.js, by name: strict JSON after the first ``newt=``."""
    if not text:
        return []
    body = text.split("newt=", 1)[1] if "newt=" in text else text
    body = body.rstrip().rstrip(";").rstrip().replace("undefined", "null")
    found = []
    for division in json.loads(body)["divisions"]:
        players = [one for one in division["players"] if one and _is_player(one)]
        found.append({"name": str(division["name"]), "players": players})
    return sorted(found, key=lambda one: one["name"])


def total_rounds(divisions, name):
    """How many rounds a division has: a larger number means the last there."""
    lengths = [
        len(p.get("pairings", [])) for d in divisions if d["name"] == name for p in d["players"]
    ]
    return max(lengths, default=0)


def _is_player(one):
    return isinstance(one.get("id"), int) and all(
        isinstance(score, int) or score is None for score in one.get("scores", [])
    )


def pairings(divisions, name, number):
    """By table, who plays whom in a round; the one who goes first in front."""
    division = next((one for one in divisions if one["name"] == name), None)
    by_id = {one["id"]: one for one in (division or {"players": []})["players"]}
    found = {}
    for player in by_id.values():
        at = number - 1
        pairs, boards = player.get("pairings", []), player.get("etc", {}).get("board", [])
        if at >= len(pairs) or at >= len(boards) or not boards[at] or boards[at] in found:
            continue
        other = by_id.get(pairs[at])
        if other is None:
            continue
        p12 = player["etc"].get("p12", [])
        second = at < len(p12) and p12[at] == 2
        pair = (other, player) if second else (player, other)
        found[boards[at]] = tuple(str(one["name"]) for one in pair)
    return dict(sorted(found.items()))


class _Server(ThreadingHTTPServer):
    """Hangs up all connections at its end, also those that are kept for the next request."""

    daemon_threads = False

    def __init__(self, *given):
        super().__init__(*given)
        self.links = set()

    def process_request(self, request, client_address):
        self.links.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request):
        self.links.discard(request)
        super().shutdown_request(request)

    def hang_up(self):
        for link in list(self.links):
            with contextlib.suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def do_GET(self):
        self._answer(405, {"code": "unimplemented", "message": "POST"})

    def do_POST(self):
        owner = self.server.owner
        length = int(self.headers.get("Content-Length", 0))
        sent = self.rfile.read(length)
        service, _, method = self.path.removeprefix("/api/").partition("/")
        with owner.lock:
            count = owner.counts[method] = owner.counts.get(method, 0) + 1
            owner.calls.append((time.monotonic(), method, sent, dict(self.headers)))
            fault = owner.faults(method, count)
        if fault == "drop":
            self.close_connection = True
            return
        if isinstance(fault, float):
            time.sleep(fault)
        if isinstance(fault, int):
            self._answer(fault, {"code": "unavailable", "message": "try later"})
            return
        if isinstance(fault, tuple):
            self._answer(*fault)
            return
        if isinstance(fault, bytes):
            self._send(200, fault)
            return
        if service not in (GAMES, BROADCASTS) or not hasattr(owner, method):
            self._send(404, b"404 page not found")
            return
        if self.headers.get_content_type() != "application/json":
            self._send(415, b"")
            return
        with owner.lock:
            status, answer = self._call(owner, method, sent)
        if fault == "drop_after" or answer is None:
            self.close_connection = True
            return
        self._answer(status, answer)

    def _call(self, owner, method, sent):
        try:
            body = json.loads(sent)
            return 200, getattr(owner, method)(body, self.headers.get("X-Api-Key"))
        except RefusedError as fault:
            status = {"invalid_argument": 400, "unauthenticated": 401, "permission_denied": 403}
            status["not_found"] = 404
            return status.get(fault.code, 500), {"code": fault.code, "message": fault.message}
        except ConnectionAbortedError:
            return 0, None
        except (ValueError, KeyError, TypeError) as fault:
            return 400, {"code": "invalid_argument", "message": str(fault)}

    def _answer(self, status, answer):
        self._send(status, json.dumps(answer).encode(), "application/json")

    def _send(self, status, body, kind="text/plain"):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
