"""Client of the hosted EEG task-classifier service.

`TaskClassifier` is a scikit-learn classifier for MNE Epochs and arrays, `AsyncTaskClassifier` its asynchronous
counterpart. `load_model` returns one for a hosted model; `list_models` and `delete_model` manage them. `estimate_cv`
prices a cross-validation. `stream` predicts in real time. `io.read_epochs` reads recordings.
"""

from .async_classifier import AsyncTaskClassifier
from .classifier import TaskClassifier
from .connection import close_connections
from .cross_validation import CrossValidationEstimate, estimate_cv
from .data_notice import DataNotice, ServiceWarning
from .epochs import epoch_labels
from .errors import (
    AuthenticationError,
    BillingError,
    ConflictError,
    ConnectionFailedError,
    EEGTaskClassifierError,
    InvalidRequestError,
    NotFoundError,
    PaidCallInterrupted,
    PaymentNotAllowedError,
    PermissionDeniedError,
    PreparationError,
    RateLimitError,
    RecordingError,
    ServiceError,
    ServiceFaultError,
    ServiceUnavailableError,
)
from .estimate import Estimate
from .hosted_models import ModelSummary, delete_model, list_models
from .limits import INTERFACE_VERSION
from .loading import load_model
from .predictions import Predictions
from .realtime.stream import Stream, StreamPrediction, stream
from .report import Report
from .spending_limit import spending

__version__ = INTERFACE_VERSION

__all__ = [
    "AsyncTaskClassifier",
    "AuthenticationError",
    "BillingError",
    "ConflictError",
    "ConnectionFailedError",
    "CrossValidationEstimate",
    "DataNotice",
    "EEGTaskClassifierError",
    "Estimate",
    "InvalidRequestError",
    "ModelSummary",
    "NotFoundError",
    "PaidCallInterrupted",
    "PaymentNotAllowedError",
    "PermissionDeniedError",
    "Predictions",
    "PreparationError",
    "RateLimitError",
    "RecordingError",
    "Report",
    "ServiceError",
    "ServiceFaultError",
    "ServiceUnavailableError",
    "ServiceWarning",
    "Stream",
    "StreamPrediction",
    "TaskClassifier",
    "close_connections",
    "delete_model",
    "epoch_labels",
    "estimate_cv",
    "list_models",
    "load_model",
    "spending",
    "stream",
]
