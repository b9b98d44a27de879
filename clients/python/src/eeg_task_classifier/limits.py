"""Limits, prices and endpoints of the service that the client uses to plan requests. The service checks them too."""

from decimal import Decimal

#: Version of the interface description that this client was written for.
INTERFACE_VERSION = "0.1.0"

#: Largest trials x channels x samples of one request, both at the rate sent and at `WORKING_RATE_HZ`.
NUMBERS_PER_REQUEST = 4_000_000
#: Most windows of one request. A trial counts as one window for each whole four seconds, at least one.
WINDOWS_PER_REQUEST = 4_096
WINDOW_SECONDS = 4
#: Largest size in bytes of a request, and of an answer with predictions.
BODY_BYTES = 64 * 1024 * 1024
ANSWER_BYTES = 32 * 1024 * 1024
#: Rate in Hz to which the service resamples.
WORKING_RATE_HZ = 256
#: Shortest and longest time before the cue, in seconds, that the report can analyse.
BASELINE_SECONDS = (0.1, 60.0)
#: Price of a window of a prediction or a batch, in US dollars.
WINDOW_USD = Decimal("0.003")
#: Price of a create and of a month of hosting, in US dollars. An estimate gives the exact price.
CREATE_USD = Decimal("1.00")
HOSTING_USD = Decimal("1.00")
#: Most predictions per second of a stream. An account may send 10 requests per second.
PREDICTIONS_PER_SECOND = 8
#: Seconds after which a create or fit runs as a job instead of keeping a connection open.
PATIENCE_SECONDS = 30
#: First characters of test keys, whose requests cost nothing.
TEST_KEY_PREFIX = "eeg_test_"

#: Method and path of every endpoint that the client uses, by operation id.
ENDPOINTS: dict[str, tuple[str, str]] = {
    "getUsage": ("GET", "/v1/usage"),
    "listTaskModels": ("GET", "/v1/task-models"),
    "createTaskModel": ("POST", "/v1/task-models"),
    "getTaskModel": ("GET", "/v1/task-models/{model_id}"),
    "updateTaskModel": ("PATCH", "/v1/task-models/{model_id}"),
    "deleteTaskModel": ("DELETE", "/v1/task-models/{model_id}"),
    "addTrials": ("POST", "/v1/task-models/{model_id}/trials"),
    "fitTaskModel": ("POST", "/v1/task-models/{model_id}/fit"),
    "getJob": ("GET", "/v1/jobs/{job_id}"),
    "predict": ("POST", "/v1/task-models/{model_id}/predictions"),
}


def windows_per_trial(samples: int, rate_hz: float) -> int:
    """Return the billed windows of one trial: one for each whole four seconds, at least one."""
    return max(1, int(samples / rate_hz / WINDOW_SECONDS + 1e-9))
