"""Models that are hosted already."""

from __future__ import annotations

from typing import Any

from .classifier import TaskClassifier


def load_model(model_id: str, **parameters: Any) -> TaskClassifier:
    """A fitted `TaskClassifier` of a hosted model.

    Parameters
    ----------
    model_id : str
        ``clf_`` and 32 hexadecimal digits.
    **parameters
        Of `TaskClassifier`: ``api_key``, ``base_url``, ``align``… Channels, sampling rate and units of arrays are
        those of the fit unless given: numbers in volts after a fit in microvolts need ``units="V"``. The model is kept
        unless ``keep=False``, which ends it with this object.

    Raises
    ------
    NotFoundError
        Where there is none, or it is expired or deleted (``details["status"]``).
    ValueError
        Where it is still collecting trials: see `TaskClassifier.finish_fit`.
    """
    reader = TaskClassifier(**parameters)
    service = reader._service()
    model = service.model(model_id)
    if model["status"] != "active":
        raise ValueError(f"Task model {model_id} is {model['status']}, not active: nothing can be predicted by it.")
    signal = model["signal"]
    read = {
        "description": model["description"],
        "name": model["name"],
        "channels": list(model["channels"]),
        "sampling_rate_hz": signal["sampling_rate_hz"],
        "units": signal["units"] if signal.get("units") in ("uV", "mV", "V") else None,
        "keep": True,
    }
    loaded = TaskClassifier(**{**read, **parameters})
    loaded.n_features_in_ = len(model["channels"])
    loaded._take(model)
    loaded._end_with_this(service.connection)
    return loaded
