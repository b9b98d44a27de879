"""`TaskClassifier` for asynchronous programs: each call runs in a thread, and the event loop goes on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

import anyio
import anyio.to_thread
import numpy as np
import numpy.typing as npt

from .classifier import TaskClassifier
from .estimate import Estimate
from .loading import load_model
from .paid_call import caller_left
from .predictions import Predictions
from .report import Report

T = TypeVar("T")


class AsyncTaskClassifier:
    """Asynchronous counterpart of `TaskClassifier`, for asyncio and Trio.

    A cancelled call stops waiting, but its request goes on in the thread: the service ends it, and charges it. Repeat
    the call with the same arguments to fetch its result, as after Ctrl-C.

    Parameters
    ----------
    *description, **parameters
        Those of `TaskClassifier`. Or pass one that exists already: ``AsyncTaskClassifier(classifier=clf)``.

    Attributes
    ----------
    classifier : TaskClassifier
        The classifier behind this object, with its fitted attributes.

    Examples
    --------
    >>> async with AsyncTaskClassifier("left or right hand", api_key=key) as clf:  # doctest: +SKIP
    ...     await clf.fit(epochs)
    ...     print(await clf.predict(new_epochs))
    """

    def __init__(self, *description: str, classifier: TaskClassifier | None = None, **parameters: Any) -> None:
        if classifier is not None and (description or parameters):
            raise ValueError("Pass either a classifier or its parameters, not both.")
        self.classifier = TaskClassifier(*description, **parameters) if classifier is None else classifier
        self._lock = anyio.Lock()

    @classmethod
    async def load(cls, model_id: str, **parameters: Any) -> AsyncTaskClassifier:
        """Return an asynchronous classifier for a hosted model (see `load_model`)."""
        return cls(classifier=await _in_thread(lambda: load_model(model_id, **parameters)))

    async def __aenter__(self) -> AsyncTaskClassifier:
        return self

    async def __aexit__(self, *_error: object) -> None:
        if self.classifier.keep is not True and hasattr(self.classifier, "model_id_"):
            with anyio.CancelScope(shield=True):
                await self.delete()

    @property
    def model_id_(self) -> str:
        """Id of the hosted model."""
        return self.classifier.model_id_

    @property
    def classes_(self) -> npt.NDArray[Any]:
        """Sorted classes, shape (classes,)."""
        return self.classifier.classes_

    @property
    def report_(self) -> Report:
        """Scores measured on held-out trials."""
        return self.classifier.report_

    async def estimate(self, X: Any, y: Any = None, **how: Any) -> Estimate:
        """See `TaskClassifier.estimate`."""
        return await _in_thread(lambda: self.classifier.estimate(X, y, **how))

    async def fit(self, X: Any, y: Any = None, **how: Any) -> AsyncTaskClassifier:
        """See `TaskClassifier.fit`. Fits of one object run one after another."""
        async with self._lock:
            await _in_thread(lambda: self.classifier.fit(X, y, **how))
        return self

    async def finish_fit(self, model_id: str, **how: Any) -> AsyncTaskClassifier:
        """See `TaskClassifier.finish_fit`."""
        async with self._lock:
            await _in_thread(lambda: self.classifier.finish_fit(model_id, **how))
        return self

    async def zero_shot(self, **how: Any) -> AsyncTaskClassifier:
        """See `TaskClassifier.zero_shot`."""
        async with self._lock:
            await _in_thread(lambda: self.classifier.zero_shot(**how))
        return self

    async def classify(self, X: Any, **how: Any) -> Predictions:
        """See `TaskClassifier.classify`. Any number of predictions may run at the same time."""
        return await _in_thread(lambda: self.classifier.classify(X, **how))

    async def predict(self, X: Any, **how: Any) -> npt.NDArray[Any]:
        """Return the predicted classes, shape (trials,)."""
        return (await self.classify(X, **how)).labels

    async def predict_proba(self, X: Any, **how: Any) -> npt.NDArray[np.float64]:
        """Return the probabilities, shape (trials, classes)."""
        return (await self.classify(X, **how)).probabilities

    async def predict_log_proba(self, X: Any, **how: Any) -> npt.NDArray[np.float64]:
        """Return the natural logarithms of the probabilities, shape (trials, classes)."""
        return await _in_thread(lambda: self.classifier.predict_log_proba(X, **how))

    async def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """See `TaskClassifier.score`."""
        return await _in_thread(lambda: self.classifier.score(X, y, sample_weight))

    async def delete(self) -> None:
        """Delete the hosted model: nothing more is charged."""
        await _in_thread(self.classifier.delete)


async def _in_thread(call: Callable[[], T]) -> T:
    left = threading.Event()
    token = caller_left.set(left)
    try:
        return await anyio.to_thread.run_sync(call, abandon_on_cancel=True)
    except anyio.get_cancelled_exc_class():
        left.set()
        raise
    finally:
        caller_left.reset(token)
