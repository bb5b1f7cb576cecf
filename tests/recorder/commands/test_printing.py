"""Names on paper: the letters of every player, in the PDF, in the picture, and where they stand."""

import io
import unicodedata

import numpy as np
import pytest
from pypdf import PdfReader
from pypdf.generic import DictionaryObject

from recorder.printing.page import WIDTH_MM, Page, PageText
from recorder.printing.pdf import pdf
from recorder.printing.pixels import PNG_DPI, png, raster
from recorder.printing.typeface import TYPEFACE, fitted, width_mm
from tests.cases import first_of

pytestmark = pytest.mark.slow

NAMES = {
    "polish": "Łukasz Żółć",
    "turkish": "Şimşek Gülçin İpek Ağır",  # noqa: RUF001  # her name is written so
    "vietnamese": "Nguyễn Thị Hương",
    "yoruba": "Ọládélé Ṣẹ́gun Ẹ̀bùn",
    "hausa": "Ɗan Ɓaure Ƙyari",
    "greek": "Ελευθερία Παπαδόπουλος",
    "cyrillic": "Ђорђевић Щербаков Київ",
    "german": "Jürgen Groß (Österreich)",
    "french": "Zoë Œdipe Aÿ",
    "icelandic": "Þórður Ægir",
    "brackets": "A (1) \\ B",
}


def printed_text(data: bytes) -> str:
    """What another's reader finds written in a PDF, letters and marks as one character."""
    pages = PdfReader(io.BytesIO(data), strict=True).pages
    return unicodedata.normalize("NFC", "\n".join(page.extract_text() for page in pages))


def one_line(text: str, anchor: str = "start") -> Page:
    page = Page("a sheet")
    page.words.append(PageText(WIDTH_MM / 2, 100, text, 10, anchor=anchor))
    return page


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_name_is_printed_with_its_own_letters(name: str):
    """The PDF holds them as text, to be found and copied."""
    assert unicodedata.normalize("NFC", name) in printed_text(pdf(one_line(name)))


def test_a_name_typed_letter_by_mark_is_the_same_name():
    """Some keyboards send the mark after the letter."""
    apart = unicodedata.normalize("NFD", NAMES["vietnamese"])
    assert pdf(one_line(apart)) == pdf(one_line(NAMES["vietnamese"]))
    assert png(one_line(apart)) == png(one_line(NAMES["vietnamese"]))


@pytest.mark.parametrize("name", first_of(3, NAMES.values()), ids=NAMES)
def test_the_picture_has_ink_for_every_letter(name: str):
    """A missing letter would be the same empty box each time; these all look different."""
    drawn = {np.asarray(raster(one_line(letter), 72)).tobytes() for letter in set(name) - {" "}}
    plain = {letter for letter in set(name) - {" "} if not unicodedata.combining(letter)}
    box = np.asarray(raster(one_line("\uffff"), 72)).tobytes()
    assert box not in drawn
    assert len(drawn) >= len(plain)


def test_a_letter_that_the_typeface_lacks_leaves_a_box():
    """Nobody is printed with less of a name than they have."""
    bare, lacking = (width_mm(text, 10) for text in ("Ken", "Ken漢"))
    assert lacking > bare + 3
    ink = [int((np.asarray(raster(one_line(text), 72)) < 128).sum()) for text in ("Ken", "Ken漢")]
    assert ink[1] > ink[0]


def test_letters_are_embedded_and_only_those_in_use():
    """The file prints alike everywhere, and is no larger than its text needs."""
    data = pdf(one_line("Łukasz"))
    assert len(data) < TYPEFACE.stat().st_size / 20
    resources = PdfReader(io.BytesIO(data)).pages[0]["/Resources"]
    assert isinstance(resources, DictionaryObject)
    fonts = [font.get_object() for font in resources["/Font"].values()]
    used = [font for font in fonts if "NotoSans" in font["/BaseFont"]]
    assert used
    assert all("/FontFile2" in font["/FontDescriptor"] for font in used)


@pytest.mark.parametrize(("anchor", "share"), [("start", 0.0), ("middle", 0.5), ("end", 1.0)])
def test_text_stands_where_its_anchor_says(anchor: str, share: float):
    """Its ink begins and ends where the measured width says, but for the letters' own margins."""
    text = "HILFE"
    columns = np.flatnonzero((np.asarray(raster(one_line(text, anchor))) < 128).any(axis=0))
    begins, ends = (float(column) / PNG_DPI * 25.4 for column in (columns[0], columns[-1]))
    left = WIDTH_MM / 2 - share * width_mm(text, 10)
    assert begins == pytest.approx(left, abs=1.2)
    assert ends == pytest.approx(left + width_mm(text, 10), abs=1.2)


def test_a_text_too_long_ends_in_an_ellipsis_within_its_column():
    """By width, not by letters: narrow ones leave room for more."""
    assert fitted("Ann", 4, 20) == "Ann"
    wide, narrow = fitted("W" * 30, 4, 30), fitted("i" * 60, 4, 30)
    assert wide[-1] == narrow[-1] == "…"
    assert max(width_mm(text, 4) for text in (wide, narrow)) <= 30
    assert len(narrow) > 2 * len(wide)


def test_a_mark_is_not_cut_off_its_letter():
    """Where it has no room, the letter goes with it: alone it would be another one."""
    name = NAMES["yoruba"]
    cut = {
        fitted(name, 4, most).removesuffix("…") for most in np.arange(2.0, width_mm(name, 4), 0.5)
    }
    assert len(cut) > 10
    assert all(
        not unicodedata.combining(
            unicodedata.normalize("NFC", name)[len(text) : len(text) + 1] or " "
        )
        for text in cut
    )
