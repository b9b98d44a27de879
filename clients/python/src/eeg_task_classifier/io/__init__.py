"""Readers of recordings, which return MNE objects: every format of MNE (EDF, BDF, FIF, …), and XDF. Needs MNE."""

from .epochs import read_epochs, read_windows
from .events import find_events
from .recordings import read_recording

__all__ = ["find_events", "read_epochs", "read_recording", "read_windows"]
