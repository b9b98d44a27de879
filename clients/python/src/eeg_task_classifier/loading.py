"""Access to models that are already hosted."""

from __future__ import annotations

from typing import Any

from .classifier import TaskClassifier


def load_model(model_id: str, **parameters: Any) -> TaskClassifier:
    """Return a fitted `TaskClassifier` for a hosted model.

    Parameters
    ----------
    model_id : str
        ``clf_`` and 32 hexadecimal digits.
    **parameters
        Parameters of `TaskClassifier`, such as ``api_key``, ``base_url`` or ``align``. Default for channels, sampling
        rate and units of arrays: those of the fit. After a fit in microvolts, arrays in volts need ``units="V"``. The
        model stays hosted unless ``keep=False``, which deletes it together with this object.

    Returns
    -------
    TaskClassifier

    Raises
    ------
    NotFoundError
        If the model does not exist, or is expired or deleted (``details["status"]``).
    ValueError
        If the model still collects trials: see `TaskClassifier.finish_fit`.
    """
    reader = TaskClassifier(**parameters)
    service = reader._service()
    model = service.model(model_id)
    if model["status"] != "active":
        raise ValueError(
            f"Task model {model_id} is {model['status']}, not active, so it cannot predict. "
            "TaskClassifier.finish_fit fits a collecting model."
        )
    signal = model["signal"]
    fitted = {
        "description": model["description"],
        "name": model["name"],
        "channels": list(model["channels"]),
        "sampling_rate_hz": signal["sampling_rate_hz"],
        "units": signal["units"] if signal.get("units") in ("uV", "mV", "V") else None,
        "keep": True,
    }
    loaded = TaskClassifier(**{**fitted, **parameters})
    loaded.n_features_in_ = len(model["channels"])
    loaded._set_fitted(model)
    loaded._schedule_deletion(service.connection)
    return loaded
