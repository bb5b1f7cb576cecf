"""What OBS is to do as a game goes on: which scene, and which chapters. Pure; knows no socket."""

from collections.abc import Mapping
from dataclasses import dataclass

from dashboard.live.aired import moment_of
from recorder.declared.codec import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneNames:
    """What the streamer calls the scenes in OBS; one that is empty is never switched to."""

    before: str = "next"
    playing: str = "live"
    over: str = "final"

    def of(self, phase: str) -> str:
        """The scene of a phase of the public frame."""
        return {"before": self.before, "playing": self.playing, "over": self.over}.get(phase, "")

    def all(self) -> frozenset[str]:
        """Those that may be left for another of them."""
        return frozenset({self.before, self.playing, self.over} - {""})


@dataclass(frozen=True, slots=True)
class SwitchTo:
    """Show a scene, unless OBS shows one that is none of ours: a person has taken over."""

    scene: str


@dataclass(frozen=True, slots=True)
class MarkChapter:
    """A chapter in the recording, where there is one."""

    name: str


Wish = SwitchTo | MarkChapter


def wishes(before: Json | None, now: Json | None, names: SceneNames) -> list[Wish]:
    """What follows from a change of the public frame; ``before`` is None when following begins."""
    if now is None:
        return []
    found: list[Wish] = []
    anew = before is None or before["game"] != now["game"]
    if (anew or before is None or before["phase"] != now["phase"]) and names.of(now["phase"]):
        found.append(SwitchTo(names.of(now["phase"])))
    if before is not None and not anew:
        found += [MarkChapter(text) for text in _chapters(before, now)]
    return found


def _chapters(before: Json, now: Json) -> list[str]:
    found = []
    play, was = now.get("last_play"), before.get("last_play")
    if play is not None and _turn(play) != _turn(was):
        who = now["players"][play["player"]]["name"]
        word = (play["words"] or [play["word"]])[0].upper()
        if moment_of(play) == "bingo":
            found.append(f"Bingo: {who}, {word} +{play['score']}")
        if moment_of(play) == "phony":
            found.append(f"Challenged off: {word} ({who})")
    call = now.get("call")
    if call is not None and call != before.get("call") and call["kind"] == "challenge":
        found.append(f"Challenge: {now['players'][call['player']]['name']}")
    return found


def _turn(play: Mapping[str, object] | None) -> object:
    return play and tuple(play[key] for key in ("n", "kind", "position", "word"))
