"""The package is typed: mypy finds no errors, and the stub has the names of the extension module."""

from __future__ import annotations

import ast
import pathlib
import subprocess
import sys

import pytest

from ftlab import _core

PACKAGE = pathlib.Path(__file__).resolve().parent.parent / "ftlab"


@pytest.mark.long
def test_mypy_finds_nothing(tmp_path: pathlib.Path) -> None:
    checked = subprocess.run([sys.executable, "-m", "mypy", "--config-file", str(PACKAGE.parents[2] / "pyproject.toml"),
                              "--cache-dir", str(tmp_path), "-p", "ftlab"], cwd=PACKAGE.parent, capture_output=True,
                              text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def names(body: list) -> set:
    found = set()
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return found


def test_the_stub_names_what_the_module_has() -> None:
    stub = ast.parse((PACKAGE / "_core.pyi").read_text())
    assert names(stub.body) == {name for name in dir(_core) if not name.startswith("__")}
    for node in stub.body:
        if isinstance(node, ast.ClassDef):
            has = {name for name in vars(getattr(_core, node.name)) if not name.startswith("_")}
            assert names(node.body) - {"__init__"} == has, node.name


def test_every_public_name_says_what_it_is() -> None:
    import ftlab
    for name in ftlab.__all__:
        if name != "__version__":
            assert (getattr(ftlab, name).__doc__ or "").strip(), name
