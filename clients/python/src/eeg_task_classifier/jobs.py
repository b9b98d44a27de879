"""Jobs: creates and fits that take longer than a connection should stay open."""

from __future__ import annotations

from typing import Any

from .connection import Answer, Connection
from .errors import ConnectionFailedError, service_error
from .limits import ENDPOINTS

#: Seconds between two reads of a job, if the service names none.
_PAUSE_SECONDS = 5.0
#: Status of the answer of a create and of a fit.
_STATUS = {"create": 201, "fit": 200}


def ended_job(connection: Connection, answer: Answer) -> Answer:
    """Read a job until it has ended, and return what its request would have answered.

    Parameters
    ----------
    connection : Connection
    answer : Answer
        The answer with the job.

    Returns
    -------
    Answer
        The task model.

    Raises
    ------
    ServiceError
        The error of the job, if it has failed or was cancelled.
    ConnectionFailedError
        If the service cannot be reached, or the job has not ended in the timeout of the connection. The job goes on;
        the same request with the same key gets its answer.
    """
    method, path = ENDPOINTS["getJob"]
    end = connection.clock.monotonic() + connection.timeout
    while True:
        job: dict[str, Any] = answer.body
        if job["task_model"] is not None:
            return Answer(_STATUS[job["operation"]], job["task_model"], None)
        if job["error"] is not None:
            raise service_error(_status_of(job["error"]), job["error"])
        pause = _PAUSE_SECONDS if answer.retry_after is None else answer.retry_after
        if connection.clock.monotonic() + pause >= end:
            raise ConnectionFailedError(
                f"Job {job['id']} has not ended in {connection.timeout:g} s. The service goes on. Repeat the call "
                "to fetch its result, or raise timeout."
            )
        connection.clock.sleep(pause)
        answer = connection.exchange(method, path.replace("{job_id}", job["id"]))


def _status_of(error: dict[str, Any]) -> int:
    return {"invalid_request_error": 422, "not_found_error": 404, "service_unavailable_error": 503}.get(
        str(error.get("type")), 502
    )
