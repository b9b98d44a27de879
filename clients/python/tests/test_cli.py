"""The command line, with a fake service."""

from __future__ import annotations

import io
import json
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import recordings
from conftest import LIVE_KEY, TEST_KEY
from fake_service import FakeService, Refusal, invalid

from eeg_task_classifier.cli.main import main
from eeg_task_classifier.io import read_recording

LABELLED = ["--events", "left=T1,right=T2", "--window", "0,1", "--description", "left or right"]


@pytest.fixture
def edf(tmp_path: Path) -> str:
    return str(recordings.write_edf(tmp_path))


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def answers(monkeypatch: pytest.MonkeyPatch, text: str, terminal: bool = True) -> None:
    monkeypatch.setattr("sys.stdin", Terminal(text) if terminal else io.StringIO(text))


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_from_create_to_predict(service: FakeService, edf: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["create", edf, *LABELLED, "--name", "Mine"]) == 0
    shown = capsys.readouterr()
    model_id = service.alive()[0]
    assert all(part in shown.out for part in (model_id, "Balanced accuracy", "0.800", "<mean>"))
    assert "! Few trials." in shown.err
    assert service.sent("create")[0]["name"] == "Mine"
    assert main(["predict", model_id, edf, "--events", "left=T1,right=T2", "--window", "0,1"]) == 0
    assert "20 of 20 correct" in capsys.readouterr().out
    rows = run_json(capsys, "predict", model_id, edf, "--events", "T1,T2", "--window", "0,1")
    assert [row["label"] for row in rows] == ["left", "right"] * 10
    assert [row["seconds"] for row in rows] == list(recordings.ONSETS)
    assert set(rows[0]["probabilities"]) == {"left", "right"}
    assert len(run_json(capsys, "predict", model_id, edf, "--every", "1")) == 40


def test_estimate_costs_nothing(service: FakeService, edf: str, capsys: pytest.CaptureFixture[str]) -> None:
    estimate = run_json(capsys, "estimate", edf, *LABELLED, "--api-key", LIVE_KEY)
    assert estimate["total_usd"] == "2.00"
    assert service.models == {}
    assert main(["estimate", edf, *LABELLED]) == 0
    assert "left 10, right 10" in capsys.readouterr().out


def test_commands_ask_before_they_cost_money(
    service: FakeService, edf: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    live = ["create", edf, *LABELLED, "--api-key", LIVE_KEY]
    answers(monkeypatch, "n\n")
    assert main(live) == 3
    assert "This costs $2.00 now" in capsys.readouterr().err
    answers(monkeypatch, "y\n", terminal=False)
    assert main(live) == 3
    assert "--yes" in capsys.readouterr().err
    assert service.models == {}
    answers(monkeypatch, "y\n")
    assert main(live) == 0
    model_id = service.alive()[0]
    asked = ["predict", model_id, edf, "--every", "1", "--api-key", LIVE_KEY]
    answers(monkeypatch, "\n")
    assert main(asked) == 3
    assert "40 windows" in capsys.readouterr().err
    assert main([*asked, "--yes"]) == 0
    assert main([*live, "--yes", "--max-usd", "3"]) == 3
    assert "max_usd=4.00" in capsys.readouterr().err


def test_the_key_comes_from_a_file_or_from_standard_input(
    service: FakeService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EEG_API_KEY")
    (tmp_path / "key").write_text(f"{TEST_KEY}\n")
    assert main(["usage", "--api-key-file", str(tmp_path / "key")]) == 0
    answers(monkeypatch, f"{TEST_KEY}\n", terminal=False)
    assert main(["usage", "--api-key-file", "-"]) == 0
    assert {headers["authorization"] for *_, headers in service.requests} == {f"Bearer {TEST_KEY}"}
    assert main(["usage"]) == 1


def test_a_class_of_two_markers_and_a_window_that_begins_before_the_marker(
    service: FakeService, edf: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["estimate", edf, "--description", "one", "--events", "go=T1,go=T2", "--window", "-0.2,0.8"]
    assert main(asked) == 1
    assert "{'go': 20}" in capsys.readouterr().err


def test_predictions_before_a_failure_are_printed(
    service: FakeService, edf: str, capsys: pytest.CaptureFixture[str]
) -> None:
    model_id = run_json(capsys, "create", edf, *LABELLED)["id"]
    service.script["predictions"] = [None, Refusal(402, "billing_error", "INSUFFICIENT_CREDIT", "no")]
    assert main(["predict", model_id, edf, edf, "--every", "1", "--json"]) == 3
    assert len(json.loads(capsys.readouterr().out)) == 40


def test_errors_and_alternatives_go_to_standard_error(
    service: FakeService, edf: str, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = ["create", edf, *LABELLED, "--rename", "C3=C3."]
    assert main(wrong) == 1
    error = capsys.readouterr()
    assert 'alternative: {"channels": ["C3", "Cz", "C4"]}' in error.err
    assert "request: req_1" in error.err
    assert error.out == ""
    assert main([*wrong, "--fix"]) == 0
    assert "C3. to C3" in capsys.readouterr().err
    assert main(["create", edf, *LABELLED, "--drop", "C9"]) == 1
    assert "No such channel: C9" in capsys.readouterr().err


def test_exit_codes(service: FakeService, edf: str, capsys: pytest.CaptureFixture[str]) -> None:
    service.script["usage"] = [Refusal(402, "billing_error", "BUDGET_EXCEEDED", "no")]
    assert main(["usage"]) == 3
    service.script["usage"] = [__import__("httpx").ConnectError("down")] * 5
    assert main(["usage"]) == 4
    service.script["usage"] = [invalid("INVALID_REQUEST", "no")]
    assert main(["usage"]) == 1
    for wrong in (["nothing"], [], ["create", edf], ["create", edf, *LABELLED, "--window", "4"]):
        with pytest.raises(SystemExit) as caught:
            main(wrong)
        assert caught.value.code == 2
    assert main(["create", edf, "--events", "T1,T2", "--window", "0,1", "--description", "d"]) == 1
    assert "has no classes" in capsys.readouterr().err
    assert main(["create", edf, *LABELLED[2:], "--events", "left=T9,right=T2"]) == 1
    assert "There are: 'T1' (10)" in capsys.readouterr().err


def test_usage_and_models(
    service: FakeService, edf: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run_json(capsys, "usage")["month"]["usd"] == "2.00"
    assert main(["usage"]) == 0
    assert "2.00" in capsys.readouterr().out
    model_id = run_json(capsys, "create", edf, *LABELLED)["id"]
    assert [each["id"] for each in run_json(capsys, "models", "list")] == [model_id]
    assert main(["models", "list"]) == 0
    assert model_id in capsys.readouterr().out
    assert run_json(capsys, "models", "rename", model_id, "New")["name"] == "New"
    assert run_json(capsys, "models", "expire", model_id, "--at", "2999-12-31")["expires_at"] == "2999-12-31"
    service.models[model_id]["expires_at"] = None
    assert run_json(capsys, "models", "expire", model_id, "--never")["expires_at"] is None
    assert main(["models", "show", model_id]) == 0
    assert "Balanced accuracy" in capsys.readouterr().out
    answers(monkeypatch, "n\n")
    assert main(["models", "delete", model_id]) == 3
    assert service.alive() == [model_id]
    assert main(["models", "delete", model_id, "--yes"]) == 0
    assert service.alive() == []
    assert main(["models", "expire", model_id, "--days", "0"]) == 1


def test_usage_shows_the_quotas(service: FakeService, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["usage"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["test_models", "3", "10"] in rows
    assert ["live_models", "0", "-"] in rows


def test_an_interrupted_command_is_repeated_with_its_key_and_pays_once(
    service: FakeService, edf: str, capsys: pytest.CaptureFixture[str]
) -> None:
    create = ["create", edf, *LABELLED, "--api-key", LIVE_KEY, "--yes"]
    service.script["create"] = [None, KeyboardInterrupt()]
    assert main(create) == 0
    model_id = service.alive()[0]
    predict = ["predict", model_id, edf, edf, "--every", "1", "--api-key", LIVE_KEY, "--yes"]
    service.script["predictions"] = [None, KeyboardInterrupt()]
    before = service.credit
    assert main(predict) == 130
    said = capsys.readouterr().err
    assert model_id in said
    key = said.split("add --idempotency-key ")[1].split()[0]
    assert main([*predict, "--idempotency-key", key]) == 0
    assert before - service.credit == Decimal("0.240")
    assert main([*create, "--max-usd", "9"]) == 130
    assert "$2.00 in all" in capsys.readouterr().err


def test_a_recording_is_replayed_as_a_stream(
    service: FakeService, edf: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    model_id = run_json(capsys, "create", edf, *LABELLED)["id"]
    replayed = ["stream", model_id, "--replay", edf, "--speed", "100", "--per-second", "4"]
    assert main([*replayed, "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(rows) == 157
    assert set(rows[0]) == {"time", "label", "probabilities", "latency_ms"}
    assert main(replayed) == 0
    shown = capsys.readouterr()
    assert "costs nothing" in shown.err
    assert "Predictions  157" in shown.out
    live = run_json(capsys, "create", edf, *LABELLED, "--api-key", LIVE_KEY, "--yes")["id"]
    priced = ["stream", live, "--replay", edf, "--speed", "100", "--api-key", LIVE_KEY]
    assert main(priced) == 3
    assert "$1.44 per minute" in capsys.readouterr().err
    answers(monkeypatch, "n\n")
    assert main([*priced, "--max-usd", "1"]) == 3
    assert main([*priced, "--max-usd", "0.03", "--yes", "--per-second", "4"]) == 0
    assert "$0.03" in capsys.readouterr().out
    assert main(["stream", model_id]) == 1


def test_each_option_of_a_replay(service: FakeService, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(recordings.write_edf(tmp_path))
    model_id = run_json(capsys, "create", path, *LABELLED)["id"]

    def lines(*options: str, file: str = path) -> list[dict[str, Any]]:
        capsys.readouterr()
        assert main(["stream", model_id, "--replay", file, "--json", *options]) == 0
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    def error(*options: str) -> str:
        capsys.readouterr()
        assert main(["stream", model_id, *options]) == 1
        return capsys.readouterr().err

    assert len(lines("--speed", "500", "--per-second", "2")) == 79
    assert len(lines("--speed", "500", "--per-second", "1")) == 40
    begun = time.monotonic()
    some = lines("--seconds", "1.5", "--per-second", "4")
    assert 1.5 <= time.monotonic() - begun < 6
    assert 1 <= len(some) <= 4
    assert "--speed is 0. Give a number greater than 0" in error("--replay", path, "--speed", "0")
    assert "--seconds is -1" in error("--replay", path, "--seconds", "-1")
    assert "--speed is for --replay" in error("--lsl", "Amp", "--speed", "2")
    assert "per_second is 9" in error("--replay", path, "--per-second", "9")
    names = read_recording(path).ch_names
    assert f"2 channel names are given for {len(names)} channels" in error("--replay", path, "--channels", "C3,C4")
    assert lines("--speed", "500", "--per-second", "1", "--channels", ",".join(names))
    assert lines("--speed", "500", "--per-second", "1", "--units", "uV")


def test_models_are_listed_by_a_short_command(
    service: FakeService, edf: str, capsys: pytest.CaptureFixture[str]
) -> None:
    model_id = run_json(capsys, "create", edf, *LABELLED)["id"]
    assert [each["id"] for each in run_json(capsys, "list")] == [model_id]


def test_what_a_recording_lacks_is_said_on_the_command_line(
    service: FakeService, edf: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    estimate = ["estimate", edf, "--description", "d", "--window", "0,1"]
    assert main([*estimate, "--events", "left=T1,right=T2", "--unit", "mV", "--channels", "O1,Oz,O2"]) == 0
    assert service.sent("estimate")[-1]["channels"] == ["O1", "Oz", "O2"]
    capsys.readouterr()
    assert main([*estimate, "--events", "left=T1,right=T2", "--unit", "pt"]) == 1
    assert "The unit 'pt' is not known" in capsys.readouterr().err
    both = ["estimate", edf, edf, "--description", "d", "--window", "0,1"]
    assert main([*both, "--events", "left=T1,right=T2", "--events", "left=T2,right=T1"]) == 0
    assert service.sent("estimate")[-1]["labels"] == ["left", "right"] * 10 + ["right", "left"] * 10
    (tmp_path / "broken.edf").write_bytes(b"nothing")
    assert main(["estimate", str(tmp_path / "broken.edf"), *LABELLED]) == 1
    assert "Error: broken.edf: this is no EDF or BDF file. Export it" in capsys.readouterr().err


def test_fix_lists_the_channels_that_it_cannot_mend(
    service: FakeService, edf: str, capsys: pytest.CaptureFixture[str]
) -> None:
    problems = [
        {"field": "channels[0]", "message": "`C3.` is not an electrode name.", "alternatives": ["C3"]},
        {"field": "channels[2]", "message": "`X9` is not an electrode name.", "alternatives": []},
    ]
    service.script["estimate"] = [invalid("INVALID_CHANNELS", "no", details={"errors": problems})]
    assert main(["estimate", edf, *LABELLED, "--rename", "C3=C3.,C4=X9", "--fix"]) == 1
    said = capsys.readouterr().err
    assert "cannot mend 1 of 3 channels: X9. Leave them out with --drop X9" in said
    assert "--rename C3.=C3 mends the others" in said
