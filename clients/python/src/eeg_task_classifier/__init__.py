"""Client of the hosted EEG task-classifier service.

`TaskClassifier` is a scikit-learn classifier for MNE Epochs and arrays; `load_model` gives one of a hosted model;
`io.read_epochs` reads recordings.
"""

from .allowance import spending
from .classifier import TaskClassifier
from .errors import (
    AuthenticationError,
    BillingError,
    ConflictError,
    ConnectionFailedError,
    DataNotice,
    EEGTaskClassifierError,
    InvalidRequestError,
    NotFoundError,
    PaymentNotAllowedError,
    PermissionDeniedError,
    PreparationError,
    RateLimitError,
    ServiceError,
    ServiceFaultError,
    ServiceUnavailableError,
)
from .estimates import Estimate
from .from_epochs import epoch_labels
from .limits import INTERFACE_VERSION
from .loading import load_model
from .predictions import Predictions
from .report import Report

__version__ = INTERFACE_VERSION

__all__ = [
    "AuthenticationError",
    "BillingError",
    "ConflictError",
    "ConnectionFailedError",
    "DataNotice",
    "EEGTaskClassifierError",
    "Estimate",
    "InvalidRequestError",
    "NotFoundError",
    "PaymentNotAllowedError",
    "PermissionDeniedError",
    "Predictions",
    "PreparationError",
    "RateLimitError",
    "Report",
    "ServiceError",
    "ServiceFaultError",
    "ServiceUnavailableError",
    "TaskClassifier",
    "epoch_labels",
    "load_model",
    "spending",
]
