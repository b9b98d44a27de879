"""The notebooks of the gallery, with a running service (EEG_BASE_URL and EEG_TEST_KEY)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytestmark = pytest.mark.server
GALLERY = sorted((Path(__file__).parent.parent / "gallery").glob("*.ipynb"))


@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    from nbclient import NotebookClient

    monkeypatch.setenv("EEG_API_KEY", os.environ["EEG_TEST_KEY"])
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    notebook = nbformat.read(path, as_version=4)
    done = NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    shown = [output for cell in done.cells if cell.cell_type == "code" for output in cell.outputs]
    assert shown
    if path.stem.startswith("1"):
        pages = [output["data"]["text/html"] for output in shown if "text/html" in output.get("data", {})]
        assert sum("data:image/png" in page for page in pages) == 2


def test_there_are_three_notebooks_without_outputs() -> None:
    assert len(GALLERY) == 3
    assert all('"outputs": []' in path.read_text() for path in GALLERY)
    assert all("image/png" not in path.read_text() for path in GALLERY)
