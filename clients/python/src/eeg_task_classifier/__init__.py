"""Client of the hosted EEG task-classifier service.

`TaskClassifier` is a scikit-learn classifier for MNE Epochs and arrays. `load_model` returns one for a hosted model.
`io.read_epochs` reads recordings.
"""

from .classifier import TaskClassifier
from .data_notice import DataNotice
from .epochs import epoch_labels
from .errors import (
    AuthenticationError,
    BillingError,
    ConflictError,
    ConnectionFailedError,
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
from .estimate import Estimate
from .limits import INTERFACE_VERSION
from .loading import load_model
from .predictions import Predictions
from .report import Report
from .spending_limit import spending

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
