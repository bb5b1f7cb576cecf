"""An answer about a venue that cannot be, with a text for it in every language."""

import argparse

from recorder.domain.errors import NotationError
from recorder.domain.notices import PlainValue
from recorder.texts import load_catalogue


class AnswerRefusedError(NotationError, argparse.ArgumentTypeError):
    """What is wrong with an answer, by a code of the catalogue's ``setup_refusal``."""

    def __init__(self, code: str, **values: PlainValue) -> None:
        self.code, self.values = code, values
        super().__init__(self.said_in("english"))

    def said_in(self, language: str) -> str:
        """The same to people who read this language."""
        return load_catalogue(language).text("setup_refusal", self.code, **self.values)
