"""Base class of `TaskClassifier`: predictions and the lifetime of the hosted model."""

from __future__ import annotations

import copy
import os
import weakref
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, Literal, TypeVar

import httpx
import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from .connection import Connection, Secret, shown_key
from .cross_validation_plan import CrossValidationPlan, refusal_of_clones
from .data_notice import ServiceWarning, notify, notify_all
from .deletion import delete_with
from .fitting import Reserve, cost_usd
from .inputs import ArrayFormat, Targets, read_targets, unlabelled_trials
from .limits import TEST_KEY_PREFIX
from .model_html import model_html
from .predictions import Predictions, predict_trials
from .recording_info import RecordingInfo, rate_difference
from .report import Report
from .service import Json, Service
from .spending_limit import Price, Reservation, spending
from .trials import Trials

Self = TypeVar("Self", bound="HostedModel")

#: Attributes that `delete` removes. ``report_`` and ``notes_`` stay.
_FITTED = (
    "model_id_",
    "model_",
    "class_names_",
    "classes_",
    "channels_",
    "cost_usd_",
    "n_features_in_",
    "recording_",
)


class HostedModel(BaseEstimator):
    """scikit-learn estimator whose fitted model the service hosts.

    It predicts, and it deletes or keeps the model. A subclass fits the model and accepts the parameters declared here.
    """

    description: str | None
    name: str | None
    api_key: str | None
    base_url: str | None
    channels: Sequence[str] | None
    sampling_rate_hz: float | None
    units: Literal["uV", "mV", "V"] | None
    keep: bool | Literal["auto"]
    priors: Literal["balanced", "as_sent"] | None
    baseline_seconds: float | None
    expires_in_days: int | None
    align: Literal["none", "batch"]
    max_usd: float | None
    timeout: float
    max_retries: int
    http_client: httpx.Client | None
    progress: bool

    recording_: RecordingInfo | None

    _is_clone = False
    _uses_test_key = False
    #: Whether predictions have no Idempotency-Key, as those of a live stream.
    _keyless = False
    _plan: CrossValidationPlan | None = None
    _finalizer: weakref.finalize[[Connection, str], object]

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self.keep is not True and hasattr(self, "model_id_"):
            self.delete()

    def delete(self) -> None:
        """Delete the hosted model: nothing more is charged.

        The object is no longer fitted; ``report_`` stays.

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If there is no fitted model.
        ServiceError, ConnectionFailedError
            If the service cannot delete it.
        """
        check_is_fitted(self)
        self._service().delete(self.model_id_)
        self._cancel_deletion()
        for name in _FITTED:
            self.__dict__.pop(name, None)

    def keep_model(self: Self) -> Self:
        """Keep the hosted model of a clone when this object ends.

        ``GridSearchCV(...).best_estimator_`` is such a clone.
        """
        self._cancel_deletion()
        return self

    def predict(self, X: Any, **how: Any) -> npt.NDArray[Any]:
        """Predict the class of each trial. The price is per window; `classify` returns the probabilities too.

        Parameters
        ----------
        X : mne.Epochs, or array of shape (trials, channels, samples)
        **how
            Keywords of `classify`.

        Returns
        -------
        ndarray, shape (trials,)
        """
        return self.classify(X, **how).labels

    def predict_proba(self, X: Any, **how: Any) -> npt.NDArray[np.float64]:
        """Predict the probability of each class. The price is per window; `classify` returns the labels too.

        Parameters
        ----------
        X : mne.Epochs, or array of shape (trials, channels, samples)
        **how
            Keywords of `classify`.

        Returns
        -------
        ndarray of float, shape (trials, classes)
            Columns in the order of ``classes_``.
        """
        return self.classify(X, **how).probabilities

    def predict_log_proba(self, X: Any, **how: Any) -> npt.NDArray[np.float64]:
        """Predict the natural logarithm of the probability of each class. The price is that of `predict_proba`.

        Parameters
        ----------
        X : mne.Epochs, or array of shape (trials, channels, samples)
        **how
            Keywords of `classify`.

        Returns
        -------
        ndarray of float, shape (trials, classes)
            Columns in the order of ``classes_``; ``-inf`` for a probability of 0.
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X, **how))

    def classify(
        self,
        X: Any,
        *,
        sessions: Sequence[str] | None = None,
        channels: Sequence[str] | None = None,
        sampling_rate_hz: float | None = None,
        units: str | None = None,
        idempotency_key: str | None = None,
    ) -> Predictions:
        """Predict labels and probabilities in one paid call.

        Parameters
        ----------
        X : mne.Epochs, or array of shape (trials, channels, samples)
        sessions : sequence of str, optional
            Session of each trial, used with ``align="batch"``.
        channels, sampling_rate_hz, units
            Values for this call; they replace the parameters of the same names.
        idempotency_key : str, optional
            Key from the exception of an interrupted call with the same arguments: fetches its result.

        Returns
        -------
        Predictions

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If there is no fitted model.
        ValueError
            If the data is malformed or not fully described.
        ServiceError, ConnectionFailedError
            If the service refuses the trials or fails. ``predictions`` has the answers paid before.
        PaidCallInterrupted
            After Ctrl-C. Repeat the call to fetch its result.

        Warns
        -----
        DataNotice
            Data that is left out, and differences from the recording of the fit: filters, reference, projections,
            sampling rate.
        ServiceWarning
            Warnings of the service about these trials.
        """
        check_is_fitted(self)
        array_format = self._array_format(channels, sampling_rate_hz, units)
        trials = unlabelled_trials(self, X, array_format, sessions, self.channels_)
        notify_all([*trials.notes, *self._differences(trials)])
        predictions = predict_trials(
            self._service(),
            self.model_id_,
            trials,
            self.class_names_,
            self.classes_,
            self.align,
            self.progress,
            idempotency_key,
            self._keyless,
        )
        notify_all(predictions.warnings, ServiceWarning)
        return predictions

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters; ``repr`` of the API key hides its secret part."""
        given: dict[str, Any] = super().get_params(deep)
        key = given["api_key"]
        return {**given, "api_key": Secret(key)} if type(key) is str else given

    def _get_params_html(self, *arguments: Any, **options: Any) -> Any:
        shown = super()._get_params_html(*arguments, **options)
        if self.api_key:
            shown["api_key"] = shown_key(self.api_key)
        return shown

    def __sklearn_clone__(self: Self) -> Self:
        # Nobody can copy an open HTTP client, so the clone uses the same one.
        bare = copy.copy(self)
        clone: Self = BaseEstimator.__sklearn_clone__(bare)
        return clone._as_clone_of(self)

    def __deepcopy__(self: Self, memo: dict[int, Any]) -> Self:
        """Return a copy whose fits are treated as those of a clone, because MOABB cross-validates deep copies."""
        copied = copy.copy(self)
        copied.__dict__ = {name: copy.deepcopy(value, memo) for name, value in copied.__dict__.items()}
        return copied._as_clone_of(self)

    def _as_clone_of(self: Self, original: Self) -> Self:
        self.http_client = original.http_client
        self._is_clone = True
        self._plan = original._plan
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_id_")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.three_d_array = True
        return tags

    def __getstate__(self) -> dict[str, Any]:
        state: Any = super().__getstate__()
        kept = {key: value for key, value in state.items() if key != "_finalizer"}
        return {**kept, "http_client": None}

    @property
    def _repr_html_(self) -> Callable[[], str]:
        # A property, as in scikit-learn: the attribute is missing if its option `display` is "text".
        diagram: Callable[[], str] = super()._repr_html_
        return lambda: self._model_html() + diagram()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        # Jupyter shows this bundle of scikit-learn and does not call _repr_html_.
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)
        if "text/html" in bundle:
            bundle["text/html"] = self._model_html() + bundle["text/html"]
        return bundle

    def _model_html(self) -> str:
        """Return the hosted model as HTML; empty before the fit."""
        return model_html(self.model_, getattr(self, "report_", None)) if self.__sklearn_is_fitted__() else ""

    def _service(self) -> Service:
        key = os.environ.get("EEG_TEST_KEY") if self._uses_test_key else self.api_key
        connection = Connection(
            key, self.base_url, self.timeout, max_retries=self.max_retries, http_client=self.http_client
        )
        return Service(connection, self.__dict__.setdefault("_pending_keys", {}))

    def _service_of_fit(self) -> Service:
        """Return the service for a fit. Clones use the test key in EEG_TEST_KEY, if there is one."""
        self._uses_test_key = False
        service = self._service()
        test_key = os.environ.get("EEG_TEST_KEY")
        if not self._is_clone or service.connection.is_test or not test_key:
            return service
        if not test_key.strip().startswith(TEST_KEY_PREFIX):
            raise ValueError(f"EEG_TEST_KEY is not a test key: it does not begin with {TEST_KEY_PREFIX}.")
        self._uses_test_key = True
        return self._service()

    def _reserve(self, service: Service) -> Reserve:
        """Return the function that reserves the amount for a fit of this object."""

        def reserve(price: Callable[[], Price]) -> Reservation | None:
            if service.connection.is_test:
                return None
            if not self._is_clone:
                return spending.reserve(self.max_usd, price)
            if self._plan is None:
                raise refusal_of_clones(spending, self.max_usd)
            return self._plan.reserve(price().usd, self.max_usd, spending)

        return reserve

    def _differences(self, trials: Trials) -> list[str]:
        """Return a sentence for each difference of these trials from the recording of the fit."""
        fitted_hz = (self.model_.get("signal") or {}).get("sampling_rate_hz")
        found = [] if fitted_hz is None else rate_difference(trials.rate_hz, float(fitted_hz))
        recording: RecordingInfo | None = self.__dict__.get("recording_")
        if recording is not None and trials.recording is not None:
            found += trials.recording.differences(recording)
        return found

    def _array_format(
        self, channels: Sequence[str] | None, sampling_rate_hz: float | None, units: str | None
    ) -> ArrayFormat:
        """Return the given values; the parameters replace missing ones."""
        return ArrayFormat(
            self.channels if channels is None else channels,
            self.sampling_rate_hz if sampling_rate_hz is None else sampling_rate_hz,
            self.units if units is None else units,
        )

    def _task_fields(self) -> Json:
        """Return the fields of a create that describe the task and the model."""
        if not self.description:
            raise ValueError(
                "The description is missing. Pass TaskClassifier(description=…): the task, and what each class means."
            )
        optional = {"name": self.name, "expires_in_days": self.expires_in_days}
        return {"description": self.description, **{key: value for key, value in optional.items() if value is not None}}

    def _create_fields(self, trials: Trials) -> Json:
        """Return the fields of a create besides the trials."""
        baseline = trials.baseline_seconds if self.baseline_seconds is None else self.baseline_seconds
        parameters = {"priors": self.priors, "baseline_seconds": baseline}
        given = {key: value for key, value in parameters.items() if value is not None}
        return {**self._task_fields(), **({"parameters": given} if given else {})}

    def _use_new_model(
        self: Self,
        model: Json,
        service: Service,
        targets: Targets,
        channels: list[str],
        recording: RecordingInfo | None = None,
    ) -> Self:
        """Set the fitted attributes from a model that was made just now."""
        self._release_previous_model(str(model["id"]))
        self._set_fitted(model, targets, channels)
        self.recording_ = recording
        self.cost_usd_ = cost_usd(model)
        self._schedule_deletion(service.connection)
        signal, report = model.get("signal") or {}, model.get("training_report") or {}
        for part in (model, signal, report):
            notify_all(part.get("warnings") or [], ServiceWarning)
        return self

    def _set_fitted(self: Self, model: Json, targets: Targets | None = None, channels: list[str] | None = None) -> Self:
        """Set the fitted attributes from a hosted model; without `targets` the classes are its class names."""
        targets = read_targets(model["classes"]) if targets is None else targets
        self.model_ = model
        self.model_id_ = str(model["id"])
        self.classes_, self.class_names_ = targets.classes, targets.names
        self.channels_ = list(model["channels"]) if channels is None else channels
        self.cost_usd_ = Decimal(0)
        self.recording_ = None
        if "training_report" in model:
            self.report_ = Report(model["training_report"])
        return self

    def _schedule_deletion(self, connection: Connection) -> None:
        """Delete the model together with this object, if `keep` says so."""
        if self.keep is False or (self.keep == "auto" and self._is_clone):
            self._finalizer = delete_with(self, connection, self.model_id_)

    def _cancel_deletion(self) -> None:
        if finalizer := self.__dict__.pop("_finalizer", None):
            finalizer.detach()

    def _release_previous_model(self, next_id: str) -> None:
        """Delete the model of the previous fit now if it was scheduled for deletion; otherwise name it in a notice.

        A repeated call after an interruption can give the same model again.
        """
        previous = self.__dict__.get("model_id_")
        finalizer = self.__dict__.pop("_finalizer", None)
        if previous == next_id:
            if finalizer:
                finalizer.detach()
        elif finalizer:
            finalizer()
        elif previous and not self.model_.get("test"):
            notify(f"The model of the previous fit, {previous}, stays hosted and is charged. Delete it if not needed.")
