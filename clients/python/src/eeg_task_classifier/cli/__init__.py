"""The command line `eeg-classifier`."""
