"""scikit-learn classifier that the service fits and hosts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import httpx
from sklearn.base import ClassifierMixin
from sklearn.metrics import accuracy_score

from .connection import DEFAULT_TIMEOUT
from .data_notice import notify_all
from .epochs import epoch_labels, is_epochs
from .estimate import Estimate
from .fitting import estimate_trials, fit_collecting, fit_trials
from .hosted_model import HostedModel
from .inputs import labelled_trials, read_targets
from .retry import MAX_RETRIES
from .zero_shot import Review, fit_zero_shot


class TaskClassifier(ClassifierMixin, HostedModel):
    """Classifier that the service fits on your trials and hosts.

    Parameters
    ----------
    description : str
        The task and the meaning of each label; at most 100 characters.
    name : str, optional
        Your own name for the hosted model.
    api_key, base_url : str, optional
        Key and address of the service. Default: the environment variables EEG_API_KEY and EEG_BASE_URL.
    max_usd : float, optional
        Limit on the total cost of all paid fits of this process, in US dollars. The first paid fit needs none; every
        further one does. If you pass it, an estimate checks the price before the fit. Clones, as cross-validation
        makes them, need it and `estimate_cv`. Test keys need none.
    channels : sequence of str, optional
        Electrode names of the rows of an array. Epochs contain their channels, sampling rate and unit.
    sampling_rate_hz : float, optional
        Sampling rate of an array in Hz.
    units : {"uV", "mV", "V"}, optional
        Unit of the numbers of an array: microvolts, millivolts or volts.
    sessions : sequence of str, optional
        Session of every trial of `fit`. With two or more, whole sessions are held out. Default for Epochs:
        ``metadata["session"]``.
    tags : sequence of str, optional
        Classes of hierarchical event names. The class is the tag in the event name: ``"left"`` for ``"cue/left"``.
    keep : {"auto", True, False}, default="auto"
        Whether the hosted model stays when this object ends. ``"auto"``: it stays, except for a clone, as
        `cross_val_score` and `GridSearchCV` make them. The model of a clone is deleted with the clone, or when the
        interpreter ends.
    priors : {"balanced", "as_sent"}, optional
        Prior probabilities of the classes: equal, or as frequent as in the trials of the fit. Default of the service:
        ``"balanced"``.
    baseline_seconds : float, optional
        Time before the cue in each trial, in seconds. Default for Epochs: a negative ``tmin``.
    expires_in_days : int, optional
        The service deletes the model after so many days.
    align : {"none", "batch"}, default="none"
        ``"batch"``: the trials of one prediction are recentred together, or those of each session in it.
    timeout : float, default=900
        Seconds for one request: all its attempts and the waits between them. A fit or a prediction is one request,
        unless the trials need several.
    max_retries : int, default=4
        Attempts after the first one if the service fails or does not answer.
    http_client : httpx.Client, optional
        Your own HTTP client, with its proxies, certificates and hooks. You close it. Clones share it; a pickle does not
        contain it. Default: a client that all objects of this process share.
    progress : bool, default=True
        Whether to show progress bars on terminals and in notebooks.

    Attributes
    ----------
    classes_ : ndarray, shape (classes,)
        Sorted classes: the labels of `predict`, and the columns of `predict_proba`.
    report_ : Report
        Scores measured on held-out trials.
    model_id_ : str
        Id of the hosted model.
    model_ : dict
        The hosted model as the service describes it.
    channels_ : list of str
        Channels that were sent.
    notes_ : list of str
        Data that was left out or changed.
    cost_usd_ : Decimal
        Cost of the fit in US dollars.
    recording_ : RecordingInfo or None
        Filters, reference and projections of the Epochs of the fit; None for arrays and loaded models.
    n_features_in_ : int
        Number of channels, or numbers of a flattened trial.
    """

    def __init__(
        self,
        description: str | None = None,
        *,
        name: str | None = None,
        api_key: str | None = None,
        base_url: str | None = None,
        max_usd: float | None = None,
        channels: Sequence[str] | None = None,
        sampling_rate_hz: float | None = None,
        units: Literal["uV", "mV", "V"] | None = None,
        sessions: Sequence[str] | None = None,
        tags: Sequence[str] | None = None,
        keep: bool | Literal["auto"] = "auto",
        priors: Literal["balanced", "as_sent"] | None = None,
        baseline_seconds: float | None = None,
        expires_in_days: int | None = None,
        align: Literal["none", "batch"] = "none",
        timeout: float = DEFAULT_TIMEOUT,
        max_retries: int = MAX_RETRIES,
        http_client: httpx.Client | None = None,
        progress: bool = True,
    ) -> None:
        self.description = description
        self.name = name
        self.api_key = api_key
        self.base_url = base_url
        self.max_usd = max_usd
        self.channels = channels
        self.sampling_rate_hz = sampling_rate_hz
        self.units = units
        self.sessions = sessions
        self.tags = tags
        self.keep = keep
        self.priors = priors
        self.baseline_seconds = baseline_seconds
        self.expires_in_days = expires_in_days
        self.align = align
        self.timeout = timeout
        self.max_retries = max_retries
        self.http_client = http_client
        self.progress = progress

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        sessions: Sequence[str] | None = None,
        channels: Sequence[str] | None = None,
        sampling_rate_hz: float | None = None,
        units: str | None = None,
        idempotency_key: str | None = None,
    ) -> TaskClassifier:
        """Fit the model: the service tests its methods on the trials and hosts the best one.

        Parameters
        ----------
        X : mne.Epochs, or array of shape (trials, channels, samples)
            Epochs: their EEG channels are sent, in microvolts. A row of a 2-D array is a trial flattened from
            (channels, samples).
        y : array of shape (trials,), optional
            Class of each trial. Default for Epochs: the event names in ``X.event_id``.
        sessions, channels, sampling_rate_hz, units
            Values for this call; they replace the parameters of the same names.
        idempotency_key : str, optional
            Key from the exception of an interrupted call with the same arguments: fetches its result.

        Returns
        -------
        TaskClassifier
            This object.

        Raises
        ------
        ValueError
            If the data is malformed or not fully described.
        PaymentNotAllowedError
            If the fit would exceed `max_usd`, or this is a clone and its search is not priced (see `estimate_cv`).
        ServiceError, ConnectionFailedError
            If the service refuses the trials or fails. A failed fit costs nothing; paid batches stay (``model_id``).
        PaidCallInterrupted
            After Ctrl-C. Repeat the call to fetch its result.

        Warns
        -----
        DataNotice
            Data that is left out or changed.
        ServiceWarning
            Warnings of the service about the data and the scores.
        """
        service = self._service_of_fit()
        given_sessions = self.sessions if sessions is None else sessions
        array_format = self._array_format(channels, sampling_rate_hz, units)
        trials, targets = labelled_trials(self, X, y, array_format, given_sessions, self.tags)
        self.notes_ = list(trials.notes)
        notify_all(trials.notes)
        create = self._create_fields(trials)
        model = fit_trials(service, trials, create, self._reserve(service), self.progress, idempotency_key)
        return self._use_new_model(model, service, targets, trials.channels, trials.recording)

    def estimate(
        self,
        X: Any,
        y: Any = None,
        *,
        sessions: Sequence[str] | None = None,
        channels: Sequence[str] | None = None,
        sampling_rate_hz: float | None = None,
        units: str | None = None,
    ) -> Estimate:
        """Estimate the price and the warnings of `fit` with the same arguments.

        Nothing is fitted or charged. The service limits the number of estimates per day.

        Returns
        -------
        Estimate
        """
        service = self._service()
        scratch = TaskClassifier(**self.get_params(deep=False))
        given_sessions = self.sessions if sessions is None else sessions
        array_format = self._array_format(channels, sampling_rate_hz, units)
        trials, _ = labelled_trials(scratch, X, y, array_format, given_sessions, self.tags)
        notify_all(trials.notes)
        return Estimate(estimate_trials(service, trials, self._create_fields(trials)))

    def zero_shot(
        self,
        *,
        channels: Sequence[str],
        sampling_rate_hz: float,
        trial_seconds: float,
        classes: Sequence[str] | None = None,
        reference_classes: dict[str, Any] | None = None,
        review: Review | None = None,
        max_wait_seconds: float = 3600.0,
    ) -> TaskClassifier:
        """Fit the model on reference recordings of other people, without trials of your own.

        The client repeats the estimate until the service has prepared the recordings. It shows what the participant
        does for each class, and then creates the model with the ``reference_classes`` of the estimate.

        Parameters
        ----------
        channels : sequence of str
            Electrode names of the trials that you will predict.
        sampling_rate_hz : float
            Their sampling rate in Hz.
        trial_seconds : float
            Their length in seconds, from the cue on.
        classes : sequence of str, optional
            Your names of 2 to 64 classes. Default: the names in the description.
        reference_classes : dict, optional
            Class of the reference recordings for each of your classes. Needed for an ambiguous task: take that of one
            of the ``alternatives`` of the error.
        review : callable, optional
            Called with the estimate, a dict, instead of showing it. If it returns False, no model is created and this
            object does not change.
        max_wait_seconds : float, default=3600
            Longest wait for the recordings, in seconds.

        Returns
        -------
        TaskClassifier
            This object.

        Raises
        ------
        PreparationError
            If the recordings cannot be prepared, or not in time.
        PaymentNotAllowedError
            If the fit would exceed `max_usd`.
        ServiceError, ConnectionFailedError
            If the service refuses the task or fails.
        """
        service = self._service_of_fit()
        body = {
            "mode": "zero_shot",
            **self._task_fields(),
            **({} if classes is None else {"classes": list(classes)}),
            **({} if reference_classes is None else {"reference_classes": reference_classes}),
            "channels": list(channels),
            "sampling_rate_hz": sampling_rate_hz,
            "trial_seconds": trial_seconds,
        }
        made = fit_zero_shot(service, body, self._reserve(service), review, max_wait_seconds, self.progress)
        if made is None:
            return self
        model, self.zero_shot_estimate_ = made
        self.n_features_in_ = len(channels)
        return self._use_new_model(model, service, read_targets(model["classes"]), list(channels))

    def finish_fit(
        self, model_id: str, ignore_classes: Sequence[str] = (), *, idempotency_key: str | None = None
    ) -> TaskClassifier:
        """Fit a collecting model whose batches are already sent and paid.

        Parameters
        ----------
        model_id : str
            Id from the ``model_id`` of an exception.
        ignore_classes : sequence of str, optional
            Classes to leave out with all their trials, such as a mistyped label.
        idempotency_key : str, optional
            Key from the exception of an interrupted call with the same model: fetches its result.

        Returns
        -------
        TaskClassifier
            This object.
        """
        service = self._service()
        model = fit_collecting(service, model_id, self._reserve(service), ignore_classes, idempotency_key)
        self.n_features_in_ = len(model["channels"])
        return self._use_new_model(model, service, read_targets(model["classes"]), list(model["channels"]))

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Predict the trials and return the accuracy, as every scikit-learn classifier does.

        Reports give the balanced accuracy instead; use ``scoring="balanced_accuracy"`` to compare.

        Parameters
        ----------
        X : mne.Epochs, or array of shape (trials, channels, samples)
        y : array of shape (trials,), optional
            True classes. Default for Epochs: the event names in ``X.event_id``.
        sample_weight : array of shape (trials,), optional

        Returns
        -------
        float
            Between 0 and 1.
        """
        if y is None and is_epochs(X):
            y = epoch_labels(X, self.tags)
        return float(accuracy_score(y, self.predict(X), sample_weight=sample_weight))
