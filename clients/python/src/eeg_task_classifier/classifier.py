"""The scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import accuracy_score
from sklearn.utils.validation import check_is_fitted

from .allowance import Price
from .connection import DEFAULT_TIMEOUT
from .estimates import Estimate
from .fitting import estimate_trials, fit_trials, reserve, settled, usd
from .from_epochs import epoch_labels, is_epochs
from .hosted import HostedModel
from .limits import CREATE_USD, HOSTING_USD
from .predictions import Predictions, predict_trials
from .reading import read_fit, read_new, read_targets
from .zero_shot import Review, fit_zero_shot


class TaskClassifier(HostedModel, ClassifierMixin, BaseEstimator):
    """A classifier that the service fits on your trials and hosts.

    Parameters
    ----------
    description : str
        What the task is and what each label means; at most 100 characters.
    name : str, optional
        Your own name for the hosted model.
    api_key, base_url : str, optional
        Key and address of the service; by default the environment variables EEG_API_KEY and EEG_BASE_URL.
    max_usd : float, optional
        The most that all paid fits of this process may cost together, in US dollars. Needed from the second paid
        fit on; checked, with an estimate before, wherever it is given. Test keys need none.
    channels : sequence of str, optional
        Electrode names of the rows of arrays. Epochs say it themselves, as the next two.
    sampling_rate_hz : float, optional
    units : {"uV", "mV", "V"}, optional
        The unit that numbers of arrays are really in.
    sessions : sequence of str, optional
        Session of every trial of `fit`: whole sessions are then held out. Epochs: ``metadata["session"]`` by itself.
    tags : sequence of str, optional
        For hierarchical events: the class is the one of these that the event's name has (``"left"`` of ``"cue/left"``).
    keep : {"auto", True, False}, default="auto"
        Whether the hosted model outlives this object. ``"auto"``: yes, except that of a clone, such as
        `cross_val_score` and `GridSearchCV` make, which is deleted with the clone or when the interpreter ends.
    priors : {"balanced", "as_sent"}, optional
        How likely the classes are beforehand in what the model answers.
    baseline_seconds : float, optional
        How long each trial lasts before its cue. Epochs with a negative ``tmin`` say it themselves.
    expires_in_days : int, optional
        After that the model is deleted and costs nothing more.
    align : {"none", "batch"}, default="none"
        ``"batch"``: trials of one prediction, or of each session in it, are recentred together first.
    timeout : float, default=900
        Seconds to wait for an answer.
    progress : bool, default=True
        Progress on terminals and in notebooks.

    Attributes
    ----------
    n_features_in_ : int
        Channels, or numbers of a flattened trial.
    classes_ : ndarray, shape (classes,)
        Sorted; labels of `predict`, and the order of the columns of `predict_proba`.
    report_ : Report
        The evidence, measured on held-out trials.
    model_id_, model_ : str, dict
        The hosted model.
    channels_ : list of str
        Channels that were sent.
    notes_ : list of str
        What of the data was not sent, or sent otherwise than it came.
    cost_usd_ : Decimal
        What the fit cost.
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
    ) -> TaskClassifier:
        """Has the service try its methods on the trials and host the best.

        Parameters
        ----------
        X : mne.Epochs, or array of shape (trials, channels, samples)
            Rows of a 2-D array are trials flattened from (channels, samples). Epochs: EEG channels, in volts.
        y : array of shape (trials,), optional
            The classes. Without it those of ``X.event_id``.
        sessions, channels, sampling_rate_hz, units
            For this call instead of the parameters of the same names.
        """
        service = self._service()
        trials, targets = read_fit(
            self,
            X,
            y,
            self._how(channels, sampling_rate_hz, units),
            self.sessions if sessions is None else sessions,
            self.tags,
        )
        self._say(trials)
        model = fit_trials(service, trials, self._create_fields(trials), self.max_usd, self.progress)
        return self._adopt(model, service, targets, trials.channels)

    def estimate(self, X: Any, y: Any = None, **how: Any) -> Estimate:
        """What `fit` of the same would cost and warn of. Free, within a daily allowance; nothing is fitted."""
        service = self._service()
        scratch = TaskClassifier(**self.get_params())
        asked = self._how(how.get("channels"), how.get("sampling_rate_hz"), how.get("units"))
        trials, _ = read_fit(scratch, X, y, asked, how.get("sessions", self.sessions), self.tags)
        self._say(trials, fitted=False)
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
        """A model without trials of yours, fitted on reference recordings of other people.

        Estimates until the recordings are prepared, shows what the participant does for each class, and creates with
        the same ``reference_classes``. `review` is called with the estimate instead of showing it; where it returns
        False, nothing is created and this object stays as it is.

        Parameters
        ----------
        channels, sampling_rate_hz, trial_seconds
            Of the trials that will be predicted; their length counts from the cue on.
        classes : sequence of str, optional
            Your names of 2 to 64 classes; without them those that the description names.
        reference_classes : dict, optional
            For an ambiguous task one of the ``alternatives`` of the error: the reference class of each class.
        """
        service = self._service()
        body = {
            "mode": "zero_shot",
            **self._named_fields(),
            **({} if classes is None else {"classes": list(classes)}),
            **({} if reference_classes is None else {"reference_classes": reference_classes}),
            "channels": list(channels),
            "sampling_rate_hz": sampling_rate_hz,
            "trial_seconds": trial_seconds,
        }
        made = fit_zero_shot(service, body, self.max_usd, review, max_wait_seconds, self.progress)
        if made is None:
            return self
        model, self.zero_shot_estimate_ = made
        self.n_features_in_ = len(channels)
        return self._adopt(model, service, read_targets(model["classes"]), list(channels))

    def finish_fit(self, model_id: str) -> TaskClassifier:
        """Fits a collecting model whose batches were sent and paid before, as an exception has named it."""
        service = self._service()
        with settled(reserve(service, self.max_usd, _price_of_fit_alone)) as account:
            model = service.fit(model_id)
            account.paid = usd(model)
        self.n_features_in_ = len(model["channels"])
        return self._adopt(model, service, read_targets(model["classes"]), list(model["channels"]))

    def predict(self, X: Any, **how: Any) -> npt.NDArray[Any]:
        """The class of each trial, shape (trials,). Paid per window, as `predict_proba`; `classify` gives both."""
        return self.classify(X, **how).labels

    def predict_proba(self, X: Any, **how: Any) -> npt.NDArray[np.float64]:
        """Probabilities, shape (trials, classes), columns in the order of ``classes_``."""
        return self.classify(X, **how).probabilities

    def classify(
        self,
        X: Any,
        *,
        sessions: Sequence[str] | None = None,
        channels: Sequence[str] | None = None,
        sampling_rate_hz: float | None = None,
        units: str | None = None,
    ) -> Predictions:
        """Labels and probabilities at once, paid once, with what they cost."""
        check_is_fitted(self)
        how = self._how(channels, sampling_rate_hz, units)
        trials = read_new(self, X, how, sessions, self.channels_)
        self._say(trials, fitted=False)
        return predict_trials(
            self._service(), self.model_id_, trials, self.class_names_, self.classes_, self.align, self.progress
        )

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Accuracy, as of every scikit-learn classifier; `scoring="balanced_accuracy"` gives what reports give.

        Without `y` the classes are those of ``X.event_id``.
        """
        if y is None and is_epochs(X):
            y = epoch_labels(X, self.tags)
        return float(accuracy_score(y, self.predict(X), sample_weight=sample_weight))

    def delete(self) -> None:
        """Ends the hosted model: nothing more is charged. The object is no longer fitted; ``report_`` stays."""
        check_is_fitted(self)
        self._service().delete(self.model_id_)
        self._forget()

    def keep_model(self) -> TaskClassifier:
        """Lets the hosted model of a clone, such as ``GridSearchCV(...).best_estimator_``, outlive this object."""
        if finalizer := self.__dict__.pop("_finalizer", None):
            finalizer.detach()
        return self


def _price_of_fit_alone() -> Price:
    """Of a collecting model, whose batches are paid for; what it costs in fact is in its answer."""
    return Price(CREATE_USD + HOSTING_USD, f"{CREATE_USD} for the create, {HOSTING_USD} for the first month")
