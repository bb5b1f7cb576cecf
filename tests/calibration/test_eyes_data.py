"""Training squares: labels, turns and shifts must be what the crop shows."""

from pathlib import Path

import numpy as np
import pytest

from calibration.lab.eyes.eyes_data import (
    KNOWN,
    Squares,
    divided,
    family,
    find_faces,
    gather,
    labels_of,
    squares_of_scene,
)
from calibration.lab.eyes.eyes_report import judge_chances
from devices.lab.scenes.lettering import ACCENTED, JOINED, Cut, Face, QTail
from devices.lab.scenes.scene import Truth
from recorder.domain.observations import SEEN

pytestmark = pytest.mark.pixels


@pytest.fixture(scope="module")
def faces() -> list[Face]:
    """Two of the built-in weights."""
    return [Face("sans", 700), Face("sans", 500)]


@pytest.fixture(scope="module")
def data(faces: list[Face]) -> Squares:
    """The squares of some scenes."""
    return gather([squares_of_scene(faces, 3, number) for number in range(6)])


def test_the_same_seed_gives_the_same_squares(faces: list[Face]):
    """Training is reproducible: crops, labels and shifts follow from seed and scene number."""
    first, again, other = (squares_of_scene(faces, 3, number) for number in (4, 4, 5))
    assert np.array_equal(first.crops, again.crops)
    assert np.array_equal(first.labels, again.labels)
    assert np.array_equal(first.shifts, again.shifts, equal_nan=True)
    assert np.array_equal(first.figures, again.figures)
    assert len(first.labels) != len(other.labels) or not np.array_equal(first.crops, other.crops)


def test_a_shift_is_known_exactly_where_a_tile_is_seen(data: Squares):
    """Tiles carry where their middle lies; empties and covered squares carry none."""
    known = np.isfinite(data.shifts).all(axis=1)
    tile = (data.labels > 0) & (data.labels != SEEN.index("#"))
    assert np.array_equal(known, tile)
    assert 0.02 < np.abs(data.shifts[known]).mean() < 0.2


def test_a_half_covered_square_is_nobodys_lesson():
    """What a hand covers wholly is covered, what it touches is left out of the training."""
    rows = tuple("A" * 15 for _ in range(15))
    cover = np.zeros((15, 15), np.float32)
    cover[0, :3] = (0.9, 0.3, 0.05)
    nothing = np.eye(3)
    labels = labels_of(Truth(np.zeros((4, 2)), rows, cover, nothing, nothing, {}))
    assert labels[:3].tolist() == [SEEN.index("#"), -1, SEEN.index("A")]


def test_whole_families_are_kept_from_training(tmp_path: Path):
    """A typeface that the report counts on shares no family with one that was taught."""
    faces = find_faces([Path("/usr/share/fonts"), tmp_path])
    taught, kept = divided(faces)
    assert taught
    assert kept
    assert {family(face) for face in taught}.isdisjoint(map(family, kept)) or taught == kept


def test_faces_draw_letters_of_other_sets_and_cuts_of_makers():
    """Joined and accented letters have shapes of their own; a cut changes Q and I and no other."""
    face = Face("sans", 700)
    letters = [*ACCENTED, *JOINED]
    assert len({face.mask(letter, 40).tobytes() for letter in letters}) == len(letters)
    cut = Cut(i_serifs=0.2, q_tail=QTail(((0.2, 0.2), (0.4, 0.4), (0.6, 0.5)), 0.1))
    changed = [
        letter
        for letter in "ABCIOQ"
        if face.mask(letter, 40).tobytes() != face.mask(letter, 40, cut=cut).tobytes()
    ]
    assert changed == ["I", "Q"]


def test_the_report_counts_what_is_wrong_and_how_sure_it_was(faces: list[Face]):
    """A reader that is always right reports no error; one mistake is named."""
    data = squares_of_scene(faces, 3, 1)
    chances = np.full((len(data.labels), KNOWN.classes), 0.001, np.float32)
    chances[np.arange(len(data.labels)), data.labels] = 0.96
    assert judge_chances(chances, data)["wrong"] == 0
    at = int(np.flatnonzero(data.labels == 0)[0])
    chances[at] = 0.001
    chances[at, SEEN.index("Q")] = 0.96
    result = judge_chances(chances, data)
    assert (result["wrong"], result["confusions"]) == (1, {".>Q": 1})
    assert sum(row["n"] for row in result["calibration"]) == len(data.labels)
    assert sum(row["wrong"] for row in result["calibration"]) == 1
