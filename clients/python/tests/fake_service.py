"""A service in memory that classifies by the nearest class mean. Its answers have the fields of the real service."""

from __future__ import annotations

import base64
import json
import re
import threading
import uuid
from collections import Counter
from decimal import Decimal
from typing import Any

import httpx
import numpy as np

_REPORT: dict[str, Any] = {
    "balanced_accuracy": 0.8,
    "chance": 0.5,
    "corrected": {"balanced_accuracy": 0.75, "interval_95": [0.6, 0.9]},
    "interval_95": [0.7, 0.9],
    "p_value": 0.01,
    "method": "mean",
    "method_title": "Nearest <mean>",
    "validation": {"description": "Stratified 5-fold cross-validation."},
    "confusion_matrix": {"labels": ["a", "b"], "counts": [[8, 2], [1, 9]]},
    "learning_curve": [
        {"trials_per_class": 5, "balanced_accuracy": 0.7},
        {"trials_per_class": 9, "balanced_accuracy": None},
    ],
    "calibration_bins": [{"weight": 1, "mean_probability": 0.8, "accuracy": 0.7}],
    "methods": [
        {
            "id": "mean",
            "title": "<mean>",
            "status": "scored",
            "balanced_accuracy": 0.8,
            "interval_95": [0.7, 0.9],
        },
        {"id": "other", "title": "Other", "status": "scored", "balanced_accuracy": 0.6, "interval_95": [None, None]},
        {"id": "none", "title": "None", "status": "skipped", "reason": "needs more"},
    ],
    "log_loss": 0.4,
    "warnings": ["Few trials."],
}


class Refusal(Exception):
    def __init__(self, status: int, kind: str, code: str, message: str, **more: Any) -> None:
        self.status = status
        self.headers = {"retry-after": str(more.pop("retry_after"))} if "retry_after" in more else {}
        self.body = {"type": kind, "code": code, "message": message, "field": "", "alternatives": [], **more}


def invalid(code: str, message: str, **more: Any) -> Refusal:
    return Refusal(422, "invalid_request_error", code, message, **more)


class FakeService:
    """A fake service.

    `fewest` is the smallest number of trials of a class, `credit` the balance in USD. `script` lists, for each
    operation, the refusals or exceptions that come before the real answers; None stands for a real answer.
    """

    def __init__(self, fewest: int = 5, credit: str = "100") -> None:
        self.fewest = fewest
        self.credit = Decimal(credit)
        self.models: dict[str, dict[str, Any]] = {}
        self.stored: dict[str, tuple[int, bytes]] = {}
        self.requests: list[tuple[str, str, dict[str, Any], dict[str, str]]] = []
        self.script: dict[str, list[Any]] = {}
        self.preparing: list[dict[str, Any]] = []
        self.signal_warnings: list[str] = []
        #: Reads of a job until it has ended; None: every request is answered directly.
        self.job_reads: int | None = None
        self.jobs: dict[str, tuple[int, dict[str, Any]]] = {}
        self.lock = threading.RLock()

    def client(self, base_url: str, timeout: float) -> httpx.Client:
        return httpx.Client(base_url=base_url, transport=httpx.MockTransport(self.handle), timeout=timeout)

    def sent(self, operation: str) -> list[dict[str, Any]]:
        return [body for name, _, body, _ in self.requests if name == operation]

    def keys(self, operation: str) -> list[str | None]:
        return [headers.get("idempotency-key") for name, _, _, headers in self.requests if name == operation]

    def alive(self) -> list[str]:
        return [name for name, model in self.models.items() if model["status"] in ("active", "collecting")]

    def handle(self, request: httpx.Request) -> httpx.Response:
        with self.lock:
            body = json.loads(request.content) if request.content else {}
            operation, model_id = self._route(request)
            if operation == "create" and body.get("dry_run"):
                operation = "estimate"
            self.requests.append((operation, model_id, body, dict(request.headers)))
            try:
                if planned := self.script.get(operation, []):
                    next_one = planned.pop(0)
                    if isinstance(next_one, httpx.Response):
                        return next_one
                    if next_one is not None:
                        raise next_one
                return self._once(request, operation, model_id, body)
            except Refusal as refusal:
                content = {**refusal.body, "details": {"request_id": "req_1", **refusal.body.get("details", {})}}
                return httpx.Response(refusal.status, json=content, headers=refusal.headers)

    @staticmethod
    def _route(request: httpx.Request) -> tuple[str, str]:
        if request.url.path.startswith("/v1/jobs/"):
            return "job", request.url.path.rsplit("/", 1)[1]
        match = re.fullmatch(r"/v1/(task-models|usage)(?:/(clf_\w+))?(?:/(\w+))?", request.url.path)
        if match is None:
            return "unknown", ""
        room, model_id, what = match.groups()
        if room == "usage":
            return "usage", ""
        names = {"GET": "get" if model_id else "list", "POST": what or "create", "PATCH": "patch", "DELETE": "delete"}
        return names[request.method], model_id or ""

    def _once(self, request: httpx.Request, operation: str, model_id: str, body: dict[str, Any]) -> httpx.Response:
        key = request.headers.get("idempotency-key")
        if key in self.stored:
            status, content = self.stored[key]
            return httpx.Response(status, content=content, headers={"content-type": "application/json"})
        test = "eeg_test_" in request.headers["authorization"]
        try:
            status, answer = getattr(self, f"_{operation}")(body, model_id, test)
        except Refusal as refusal:
            if operation not in ("create", "fit") or self.job_reads is None:
                raise
            status, answer = refusal.status, refusal.body
        if operation in ("create", "fit") and self.job_reads is not None and status != 202:
            assert "respond-async" in request.headers["prefer"]
            job_id = f"job_{uuid.uuid4().hex}"
            self.jobs[job_id] = (self.job_reads, {"operation": operation, "answer": answer, "status": status})
            running = {"object": "job", "id": job_id, "operation": operation, "task_model": None, "error": None}
            return httpx.Response(202, json=running, headers={"retry-after": "3"})
        content = json.dumps(answer).encode()
        if key and status != 202:
            self.stored[key] = (status, content)
        return httpx.Response(status, content=content, headers={"content-type": "application/json"})

    def _pay(self, usd: Decimal, test: bool) -> str:
        if test:
            return "0.00"
        if self.credit < usd:
            raise Refusal(402, "billing_error", "INSUFFICIENT_CREDIT", f"${usd} needed, ${self.credit} left.")
        self.credit -= usd
        return str(usd)

    def _x(self, body: dict[str, Any]) -> np.ndarray:
        numbers = np.frombuffer(base64.b64decode(body["x"]), "<f4").reshape(body["shape"]).astype(float)
        if numbers.size > 4_000_000:
            raise Refusal(413, "invalid_request_error", "PAYLOAD_TOO_LARGE", f"{numbers.size} numbers.", field="x")
        if body["shape"][1] != len(body["channels"]):
            raise invalid("INVALID_REQUEST", f"{body['shape'][1]} rows, {len(body['channels'])} channels.")
        strange = [name for name in body["channels"] if name.endswith(".")]
        if strange:
            fixed = [name.strip(".") for name in body["channels"]]
            message = f"`{strange[0]}` is not an electrode name."
            raise invalid("INVALID_REQUEST", message, field="channels[0]", alternatives=[{"channels": fixed}])
        if body["units"] not in ("uV", "mV", "V"):
            raise invalid("UNITS_REQUIRED", "units must be uV, mV or V.", field="units")
        return numbers * {"uV": 1, "mV": 1e3, "V": 1e6}[body["units"]]

    def _count(self, labels: list[str]) -> dict[str, int]:
        counts = dict(Counter(labels))
        if len(counts) < 2 or min(counts.values()) < self.fewest:
            raise invalid(
                "TOO_FEW_TRIALS",
                f"{len(counts)} class{'' if len(counts) == 1 else 'es'}: {counts}; 2 with {self.fewest} trials needed.",
            )
        return counts

    def _windows(self, body: dict[str, Any]) -> int:
        trials, _, samples = body["shape"]
        return trials * max(1, int(samples / body["sampling_rate_hz"] / 4))

    def _estimate(self, body: dict[str, Any], _id: str, test: bool) -> tuple[int, dict[str, Any]]:
        prices = {"create_usd": "0.00" if test else "1.00", "hosting_usd_per_month": "0.00" if test else "1.00"}
        if body.get("mode") == "zero_shot":
            return 200, self._zero_shot_answer(body) | prices
        self._x(body)
        windows = self._windows(body)
        batch = Decimal("0.003") * windows if body.get("defer_fit") and not test else Decimal(0)
        return 200, {
            "object": "task_model.estimate",
            "category": "motor",
            "classes": sorted(set(body["labels"])),
            "trials_per_class": self._count(body["labels"]),
            "batch_usd": str(batch),
            "windows": windows,
            "candidates": [{"id": "mean"}],
            "findings": [],
            "warnings": ["Few trials."],
            **prices,
        }

    def _zero_shot_answer(self, body: dict[str, Any]) -> dict[str, Any]:
        classes = body.get("classes") or ["eyes closed", "eyes open"]
        answer = {
            "object": "task_model.estimate",
            "mode": "zero_shot",
            "ready": not self.preparing,
            "category": "resting_state",
            "classes": classes,
            "explanation": {name: f"Does {name}." for name in classes},
            "reference_classes": {name: {"data_set": "d", "class": name, "z": 1, "a": [2]} for name in classes},
            "warnings": [],
        }
        return answer | ({"preparation": self.preparing.pop(0)} if self.preparing else {})

    def _create(self, body: dict[str, Any], _id: str, test: bool) -> tuple[int, dict[str, Any]]:
        model_id = f"clf_{uuid.uuid4().hex}"
        model: dict[str, Any] = {
            "object": "task_model",
            "id": model_id,
            "name": body.get("name"),
            "description": body["description"],
            "channels": body["channels"],
            "created": 1_795_408_532,
            "expires_at": None,
            "test": test,
        }
        if body.get("mode") == "zero_shot":
            if self.preparing:
                return 202, {"object": "task_model.preparing", "preparation": self.preparing.pop(0)}
            expected = self._zero_shot_answer(body)["reference_classes"]
            if json.dumps(body["reference_classes"]) != json.dumps(expected):
                raise invalid("INVALID_REQUEST", "reference_classes changed.", field="reference_classes")
            model |= {"status": "active", "classes": body["classes"], "training_report": _REPORT, "_trials": []}
            model |= {"signal": {"sampling_rate_hz": body["sampling_rate_hz"], "units": "uV", "warnings": []}}
            model["signal"]["seconds_per_trial"] = body["trial_seconds"]
            model["cost"] = {"usd": self._pay(Decimal(2), test), "windows": 0}
            self.models[model_id] = model
            return 201, self._shown(model)
        x, labels = self._x(body), body["labels"]
        signal = {"sampling_rate_hz": body["sampling_rate_hz"], "units": body["units"], "warnings": []}
        signal["seconds_per_trial"] = body["shape"][2] / body["sampling_rate_hz"]
        model |= {"_trials": [(x, labels)], "signal": signal, "classes": list(dict.fromkeys(labels))}
        if body.get("defer_fit"):
            paid = self._pay(Decimal("0.003") * self._windows(body), test)
            model |= {"status": "collecting", "cost": {"usd": paid, "windows": self._windows(body)}}
        else:
            self._fitted(model)
            model["cost"] = {"usd": self._pay(Decimal(2), test), "windows": self._windows(body)}
        self.models[model_id] = model
        return 201, self._shown(model)

    def _fitted(self, model: dict[str, Any]) -> None:
        x = np.concatenate([part for part, _ in model["_trials"]]).reshape(sum(len(y) for _, y in model["_trials"]), -1)
        y = np.array([label for _, labels in model["_trials"] for label in labels])
        self._count(list(y))
        model["classes"] = sorted(set(y.tolist()), reverse=True)
        model["_scale"] = x.std(axis=0) + 1e-9
        model["_means"] = np.stack([x[y == name].mean(axis=0) for name in model["classes"]]) / model["_scale"]
        model |= {"status": "active", "training_report": _REPORT, "_trials": []}

    @staticmethod
    def _shown(model: dict[str, Any]) -> dict[str, Any]:
        return {key: value for key, value in model.items() if not key.startswith("_")}

    def _find(self, model_id: str) -> dict[str, Any]:
        model = self.models.get(model_id)
        if model is None or model["status"] == "deleted":
            details = {} if model is None else {"details": {"status": "deleted"}}
            raise Refusal(404, "not_found_error", "CLASSIFIER_NOT_FOUND", f"No task model {model_id}.", **details)
        return model

    def _trials(self, body: dict[str, Any], model_id: str, test: bool) -> tuple[int, dict[str, Any]]:
        model, x = self._find(model_id), self._x(body)
        paid = self._pay(Decimal("0.003") * self._windows(body), test)
        model["_trials"].append((x, body["labels"]))
        return 200, self._shown(model) | {"cost": {"usd": paid, "windows": self._windows(body)}}

    def _fit(self, _body: dict[str, Any], model_id: str, test: bool) -> tuple[int, dict[str, Any]]:
        model = self._find(model_id)
        paid = self._pay(Decimal(2), test)
        self._fitted(model)
        model["cost"] = {"usd": paid, "windows": 0}
        return 200, self._shown(model)

    def _predictions(self, body: dict[str, Any], model_id: str, test: bool) -> tuple[int, dict[str, Any]]:
        model = self._find(model_id)
        if set(body["channels"]) != set(model["channels"]):
            raise invalid("INVALID_REQUEST", "The channels are not those of the fit.", field="channels")
        order = [body["channels"].index(name) for name in model["channels"]]
        x = self._x(body)[:, order].reshape(body["shape"][0], -1) / model["_scale"]
        scores = -((x[:, None] - model["_means"][None]) ** 2).mean(axis=2)
        p = np.exp(scores - scores.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        names = model["classes"]
        data = [
            {
                "index": i,
                "label": names[int(row.argmax())],
                "probabilities": dict(zip(names, row.tolist(), strict=True)),
            }
            for i, row in enumerate(p)
        ]
        paid = self._pay(Decimal("0.003") * self._windows(body), test)
        cost = {"usd": paid, "windows": self._windows(body)}
        return 200, {"object": "list", "data": data, "signal": {"warnings": self.signal_warnings}, "cost": cost}

    def _get(self, _body: dict[str, Any], model_id: str, _test: bool) -> tuple[int, dict[str, Any]]:
        return 200, self._shown(self._find(model_id))

    def _job(self, _body: dict[str, Any], job_id: str, _test: bool) -> tuple[int, dict[str, Any]]:
        left, job = self.jobs[job_id]
        self.jobs[job_id] = (left - 1, job)
        ended = left <= 1
        good = job["status"] < 300
        return 200, {
            "object": "job",
            "id": job_id,
            "operation": job["operation"],
            "task_model": job["answer"] if ended and good else None,
            "error": {**job["answer"], "details": {"request_id": "req_2"}} if ended and not good else None,
        }

    def _list(self, _body: dict[str, Any], _id: str, _test: bool) -> tuple[int, dict[str, Any]]:
        alive = [self._shown(self.models[name]) for name in reversed(self.alive())]
        return 200, {"object": "list", "data": alive, "next_before": None}

    def _patch(self, body: dict[str, Any], model_id: str, _test: bool) -> tuple[int, dict[str, Any]]:
        model = self._find(model_id)
        model.update(body)
        return 200, self._shown(model)

    def _delete(self, _body: dict[str, Any], model_id: str, _test: bool) -> tuple[int, dict[str, Any]]:
        model = self.models.get(model_id) or self._find(model_id)
        model["status"] = "deleted"
        return 200, self._shown(model)

    def _usage(self, _body: dict[str, Any], _id: str, _test: bool) -> tuple[int, dict[str, Any]]:
        block = {"usd": "2.00", "windows": "30", "requests": "4", "refused": "0", "estimates": "1"}
        quotas = {"test_models": {"used": "3", "limit": "10"}, "live_models": {"used": "0", "limit": None}}
        limits = {"rps": "10", "quotas": quotas}
        return 200, {"object": "usage", "today": None, "month": block, "limits": limits}
