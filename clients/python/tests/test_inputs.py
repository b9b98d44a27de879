"""Class names in the Unicode form NFC, the form of the service."""

from __future__ import annotations

import pytest

from eeg_task_classifier.inputs import read_targets

COMPOSED, DECOMPOSED = "\u00e9", "e\u0301"


def test_decomposed_class_names_are_sent_and_matched_composed() -> None:
    targets = read_targets([DECOMPOSED, "rest", DECOMPOSED])
    assert list(targets.classes) == [DECOMPOSED, "rest"]
    assert targets.names == [COMPOSED, "rest"]
    assert targets.labels == [COMPOSED, "rest", COMPOSED]


def test_two_unicode_forms_of_one_class_are_refused() -> None:
    with pytest.raises(ValueError, match="differ only in their Unicode form"):
        read_targets([DECOMPOSED, COMPOSED])
