"""Predictions in real time: samples of a source are cut into windows, and each window is predicted (see `stream`)."""
