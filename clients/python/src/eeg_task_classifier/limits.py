"""Numbers of the interface that the client plans by; the service checks them itself."""

from decimal import Decimal

#: Version of the interface description that this client was written for.
INTERFACE_VERSION = "0.1.0"

#: Trials x channels x samples of one request, as sent and again at `WORKING_RATE_HZ`.
NUMBERS_PER_REQUEST = 4_000_000
#: Windows of one request: a trial counts once for every four seconds.
WINDOWS_PER_REQUEST = 4_096
WINDOW_SECONDS = 4
#: Bytes of a request, and of the list of predictions that answers one.
BODY_BYTES = 64 * 1024 * 1024
ANSWER_BYTES = 32 * 1024 * 1024
#: Rate to which the service resamples, in Hz.
WORKING_RATE_HZ = 256
#: A part of a trial before the cue that can be reported on, in seconds.
BASELINE_SECONDS = (0.1, 60.0)
#: What a window of a prediction or of a deferred batch costs.
WINDOW_USD = Decimal("0.003")
#: What a create costs, and a month of hosting; an estimate says it for certain.
CREATE_USD = Decimal("1.00")
HOSTING_USD = Decimal("1.00")
#: Begin of keys whose requests cost nothing.
TEST_KEY_PREFIX = "eeg_test_"

#: Method and path of every endpoint that is used.
ENDPOINTS: dict[str, tuple[str, str]] = {
    "getUsage": ("GET", "/v1/usage"),
    "listTaskModels": ("GET", "/v1/task-models"),
    "createTaskModel": ("POST", "/v1/task-models"),
    "getTaskModel": ("GET", "/v1/task-models/{model_id}"),
    "updateTaskModel": ("PATCH", "/v1/task-models/{model_id}"),
    "deleteTaskModel": ("DELETE", "/v1/task-models/{model_id}"),
    "addTrials": ("POST", "/v1/task-models/{model_id}/trials"),
    "fitTaskModel": ("POST", "/v1/task-models/{model_id}/fit"),
    "predict": ("POST", "/v1/task-models/{model_id}/predictions"),
}


def windows_per_trial(samples: int, rate_hz: float) -> int:
    """Billed windows of one trial: one for every whole four seconds, at least one."""
    return max(1, int(samples / rate_hz / WINDOW_SECONDS + 1e-9))
