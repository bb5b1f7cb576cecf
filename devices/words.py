"""What devices say to people, in the language of the program, by codes of the catalogue."""

from recorder.domain.notices import PlainValue
from recorder.texts import load_catalogue


def camera_fault(code: str, **values: PlainValue) -> str:
    """What is wrong with a camera and what helps."""
    return load_catalogue().text("camera_fault", code, **values)


def port_fault(code: str, **values: PlainValue) -> str:
    """What is wrong with a serial port, or with what hangs on it, and what helps."""
    return load_catalogue().text("port_fault", code, **values)


def scale_says(code: str, **values: PlainValue) -> str:
    """What a scale asks for and says while it is calibrated."""
    return load_catalogue().text("scale_says", code, **values)
