"""A pipeline for the benchmark of MOABB: put this file into its folder of pipelines.

    python -m moabb.run --pipelines clients/python/recipes/moabb --paradigms LeftRightImagery

Every fit of an evaluation is a clone: set EEG_TEST_KEY, so that it costs nothing (see `estimate_cv`). MOABB passes
arrays in microvolts without channel names, so the channels and the rate must be those of the paradigm:
``LeftRightImagery(channels=CHANNELS, resample=RATE_HZ)``.
"""

from __future__ import annotations

from sklearn.pipeline import make_pipeline

from eeg_task_classifier import TaskClassifier

CHANNELS = ["C3", "Cz", "C4"]
RATE_HZ = 128.0

PIPELINE = {
    "name": "EEG task classifier",
    "paradigms": ["LeftRightImagery"],
    "pipeline": make_pipeline(
        TaskClassifier(
            "motor imagery: left or right hand", channels=CHANNELS, sampling_rate_hz=RATE_HZ, units="uV", progress=False
        )
    ),
}
