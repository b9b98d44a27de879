"""Imports of the package: every module can be imported alone, and the import graph has no cycle."""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from importlib.util import resolve_name
from pathlib import Path
from types import ModuleType

import pytest

import eeg_task_classifier

PACKAGE = "eeg_task_classifier"
FOLDER = Path(eeg_task_classifier.__file__).parent


def module_name(path: Path) -> str:
    parts = path.relative_to(FOLDER).with_suffix("").parts
    return ".".join([PACKAGE, *parts]).removesuffix(".__init__")


MODULES = {module_name(path): path for path in sorted(FOLDER.rglob("*.py"))}
PACKAGES = {name for name, path in MODULES.items() if path.name == "__init__.py"}


def imports_of(name: str, source: str) -> set[str]:
    """Modules of this package that a module imports: at its top, inside functions, or only for type checkers."""
    package = name if name in PACKAGES else name.rpartition(".")[0]
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package)
            names = [f"{base}.{alias.name}" for alias in node.names]
            found |= {each if each in MODULES else base for each in names}
    return found & MODULES.keys()


@pytest.fixture
def package_not_loaded() -> Iterator[None]:
    """Remove the package from the loaded modules, and restore it after the test."""

    def loaded() -> dict[str, ModuleType]:
        return {name: each for name, each in sys.modules.items() if f"{name}.".startswith(f"{PACKAGE}.")}

    before = loaded()
    for name in before:
        del sys.modules[name]
    yield
    for name in loaded():
        del sys.modules[name]
    sys.modules.update(before)


@pytest.mark.parametrize("name", MODULES)
def test_every_module_can_be_imported_alone(name: str, package_not_loaded: None) -> None:
    for package in PACKAGES - {name}:
        # An empty package: the imports of the real one would load most modules before the one under test.
        empty = ModuleType(package)
        empty.__path__ = [str(MODULES[package].parent)]
        sys.modules[package] = empty
    assert importlib.import_module(name).__name__ == name


def test_the_import_graph_has_no_cycle() -> None:
    graph = {name: imports_of(name, path.read_text(encoding="utf-8")) for name, path in MODULES.items()}
    assert len(graph[PACKAGE]) > 5
    assert f"{PACKAGE}.connection" in graph[f"{PACKAGE}.service"]
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"These modules import each other in a cycle: {' <- '.join(error.args[1])}")


def test_the_graph_includes_imports_in_functions_and_for_type_checkers() -> None:
    source = """
from . import report
if TYPE_CHECKING:
    from .service import Json
def late():
    import eeg_task_classifier.errors
    from .io.events import find_events
    from numpy import ndarray
"""
    expected = {f"{PACKAGE}.{each}" for each in ("report", "service", "errors", "io.events")}
    assert imports_of(f"{PACKAGE}.trials", source) == expected
