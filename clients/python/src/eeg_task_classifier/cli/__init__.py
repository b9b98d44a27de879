"""Command line `eeg-classifier`."""
