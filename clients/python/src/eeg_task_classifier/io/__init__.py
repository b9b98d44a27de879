"""Recordings as MNE Epochs: what MNE reads (EDF, BDF, FIF, EEGLAB, BrainVision, …) and XDF. Needs MNE."""

from .epoching import read_epochs, read_windows
from .events import find_events
from .recordings import read_recording

__all__ = ["find_events", "read_epochs", "read_recording", "read_windows"]
