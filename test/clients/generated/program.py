"""What a caller writes with the client that openapi-python-client makes: create and predict, checked by mypy."""

import json
import os

from httpx import Timeout

from eeg_generated import AuthenticatedClient
from eeg_generated.api.predictions import predict
from eeg_generated.api.task_models import create_task_model
from eeg_generated.models import (
    CreateRequest,
    CreateRequestUnits,
    PredictionList,
    PredictRequest,
    PredictRequestUnits,
    TaskModel,
    TrainingReport,
    TrainingReportMethodsItemType0,
)

client = AuthenticatedClient(base_url=os.environ["EEG_BASE_URL"], token=os.environ["EEG_API_KEY"], timeout=Timeout(120))
trials = json.loads(os.environ["EEG_TRIALS"])
x: str = trials["x"]
shape: list[int] = trials["shape"]
channels: list[str] = trials["channels"]
labels: list[str] = trials["labels"]

model = create_task_model.sync(
    client=client,
    idempotency_key="generated Python",
    body=CreateRequest(
        description="imagined movement: left hand or right hand",
        x=x,
        shape=shape,
        sampling_rate_hz=100,
        units=CreateRequestUnits.UV,
        channels=channels,
        labels=labels,
    ),
)
assert isinstance(model, TaskModel), model
report = model.training_report
assert isinstance(report, TrainingReport)
scored: list[float] = [
    method.balanced_accuracy for method in report.methods if isinstance(method, TrainingReportMethodsItemType0)
]

answer = predict.sync(
    client=client,
    model_id=model.id,
    body=PredictRequest(x=x, shape=shape, sampling_rate_hz=100, units=PredictRequestUnits.UV, channels=channels),
)
assert isinstance(answer, PredictionList), answer
print(
    json.dumps(
        {
            "score": report.balanced_accuracy,
            "scored": len(scored),
            "labels": [item.label for item in answer.data],
            "probabilities": [item.probabilities[item.label] for item in answer.data],
        }
    )
)
