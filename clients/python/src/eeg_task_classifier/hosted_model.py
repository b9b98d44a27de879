"""What a fitted classifier knows of its hosted model, and when that ends."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Literal, TypeVar

from sklearn.base import BaseEstimator
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from .connection import Connection, Secret, shown_key
from .deletion import delete_with
from .fitting import usd
from .notices import say
from .reading import How, Targets, read_targets
from .report import Report
from .service import Json, Service
from .trials import Trials

Self = TypeVar("Self", bound="HostedModel")

_FITTED = ("model_id_", "model_", "class_names_", "classes_", "channels_", "cost_usd_", "n_features_in_")


class HostedModel(BaseEstimator):
    """Base class of `TaskClassifier`: parameters as request fields, and the lifetime of the hosted model.

    Subclasses take the parameters that are declared here.
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
    timeout: float
    _finalizer: weakref.finalize[[Connection, str], object]

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self.keep is not True and hasattr(self, "model_id_"):
            self.delete()

    def delete(self) -> None:
        """Ends the hosted model: nothing more is charged. The object is no longer fitted; ``report_`` stays."""
        check_is_fitted(self)
        self._service().delete(self.model_id_)
        self._forget()

    def keep_model(self: Self) -> Self:
        """Lets the hosted model of a clone, such as ``GridSearchCV(...).best_estimator_``, outlive this object."""
        if finalizer := self.__dict__.pop("_finalizer", None):
            finalizer.detach()
        return self

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters as scikit-learn reads and shows them; the key is not shown."""
        given: dict[str, Any] = super().get_params(deep)
        key = given["api_key"]
        return {**given, "api_key": Secret(key)} if type(key) is str else given

    def _get_params_html(self, *arguments: Any, **options: Any) -> Any:
        shown = super()._get_params_html(*arguments, **options)
        if self.api_key:
            shown["api_key"] = shown_key(self.api_key)
        return shown

    def __sklearn_clone__(self: Self) -> Self:
        clone: Self = super().__sklearn_clone__()
        clone._is_clone = True
        return clone

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_id_")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.three_d_array = True
        return tags

    def __getstate__(self) -> dict[str, Any]:
        state: Any = super().__getstate__()
        return {key: value for key, value in state.items() if key != "_finalizer"}

    _is_clone = False

    def _service(self) -> Service:
        return Service(Connection(self.api_key, self.base_url, self.timeout), self.__dict__.setdefault("_unanswered", {}))

    def _how(self, channels: Sequence[str] | None, rate_hz: float | None, units: str | None) -> How:
        return How(
            self.channels if channels is None else channels,
            self.sampling_rate_hz if rate_hz is None else rate_hz,
            self.units if units is None else units,
        )

    def _named_fields(self) -> Json:
        if not self.description:
            raise ValueError("What is the task? Give TaskClassifier(description=…): what it is, what each class means.")
        optional = {"name": self.name, "expires_in_days": self.expires_in_days}
        return {"description": self.description, **{key: value for key, value in optional.items() if value is not None}}

    def _create_fields(self, trials: Trials) -> Json:
        baseline = trials.baseline_seconds if self.baseline_seconds is None else self.baseline_seconds
        parameters = {"priors": self.priors, "baseline_seconds": baseline}
        given = {key: value for key, value in parameters.items() if value is not None}
        return {**self._named_fields(), **({"parameters": given} if given else {})}

    def _say(self, trials: Trials, fitted: bool = True) -> None:
        if fitted:
            self.notes_ = list(trials.notes)
        for note in trials.notes:
            say(note)

    def _adopt(self: Self, model: Json, service: Service, targets: Targets, channels: list[str]) -> Self:
        """Takes a model that was made just now; it ends with this object unless it is to be kept."""
        self._let_go_of_earlier()
        self._take(model, targets, channels)
        self.cost_usd_ = usd(model)
        self._end_with_this(service.connection)
        return self

    def _end_with_this(self, connection: Connection) -> None:
        """The model ends with this object, unless it is to be kept."""
        if self.keep is False or (self.keep == "auto" and self._is_clone):
            self._finalizer = delete_with(self, connection, self.model_id_)

    def _take(self: Self, model: Json, targets: Targets | None = None, channels: list[str] | None = None) -> Self:
        """Knows a model that is there."""
        targets = read_targets(model["classes"]) if targets is None else targets
        self.model_ = model
        self.model_id_ = str(model["id"])
        self.classes_, self.class_names_ = targets.classes, targets.names
        self.channels_ = list(model["channels"]) if channels is None else channels
        self.cost_usd_ = Decimal(0)
        if "training_report" in model:
            self.report_ = Report(model["training_report"])
        return self

    def _let_go_of_earlier(self) -> None:
        """A new fit leaves the model of the one before: deleted where it would be with the object, else named."""
        earlier = self.__dict__.get("model_id_")
        if finalizer := self.__dict__.pop("_finalizer", None):
            finalizer()
        elif earlier and not self._service().connection.is_test:
            say(f"The model of the fit before, {earlier}, is kept and hosted on: DELETE it where it is not needed.")

    def _forget(self) -> None:
        if finalizer := self.__dict__.pop("_finalizer", None):
            finalizer.detach()
        for name in _FITTED:
            self.__dict__.pop(name, None)
