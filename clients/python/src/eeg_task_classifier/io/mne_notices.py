"""Warnings and exceptions of MNE as notices and errors of this package."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ..data_notice import DataNotice, notify
from ..errors import RecordingError

_CONVERT = "Convert the recording to EDF+ or FIF and read that file."


@contextmanager
def mne_notices(file: str, covered: Sequence[str] = (), way_out: str = _CONVERT) -> Iterator[None]:
    """Turn the warnings of MNE into notices that name the file, and its exceptions into a `RecordingError`.

    Parameters
    ----------
    file : str
        Name of the file.
    covered : sequence of str
        Beginnings of warnings that the caller says in its own words.
    way_out : str
        Advice of the error.

    Raises
    ------
    RecordingError
        If the block fails.
    """
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            yield
        except (RecordingError, FileNotFoundError, ImportError):
            raise
        except Exception as error:
            why = " ".join(str(error).split())[:300].rstrip(".") or type(error).__name__
            raise RecordingError(file, f"MNE cannot read it ({why})", way_out) from error
    for each in said:
        text = " ".join(str(each.message).split())
        if issubclass(each.category, DataNotice):
            notify(text)
        elif issubclass(each.category, (RuntimeWarning, UserWarning)) and not text.startswith(tuple(covered)):
            notify(f"{file}: {text[:500]}")
