"""A job file as one text that means the same on every machine, so that results can be stored under it."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import pathlib
import re
from typing import Any, Dict

from ftlab.errors import ConfigError

_INCLUDE = re.compile(r"^\s*include\s+(\S.*?)\s*$")
_VARIABLE = re.compile(r"\$\{([^}]+)\}")
_LOG = re.compile(r"^\s*read_iolog\s*=\s*(\S.*?)\s*$", re.MULTILINE)
_MOST_INCLUDED = 16


@dataclasses.dataclass(frozen=True)
class JobText:
    """text: with included files inserted, and ${VARIABLES} that are set replaced. logs: a digest of each file read by
    read_iolog. folder: where those are; not part of the job's identity."""

    name: str
    text: str
    logs: Dict[str, str]
    folder: str

    @property
    def content(self) -> Dict[str, Any]:
        """The identity of the job."""
        return {"text": self.text, "logs": self.logs}


def read_job_text(path: pathlib.Path) -> JobText:
    """Raises ConfigError for missing files, and for procedures, which sweeps do not support."""
    if path.suffix == ".json":
        raise ConfigError("is a procedure; a sweep takes job files", file=os.fspath(path))
    text = _VARIABLE.sub(lambda found: os.environ.get(found.group(1), found.group()), _with_includes(path, 0))
    folder = path.resolve().parent
    logs = {name: _digest(folder / name) for name in _LOG.findall(text)}
    return JobText(path.name, text, logs, os.fspath(folder))


def _with_includes(path: pathlib.Path, depth: int) -> str:
    if depth > _MOST_INCLUDED:
        raise ConfigError(f"is included more than {_MOST_INCLUDED} deep", file=os.fspath(path))
    lines = []
    for line in _read(path).splitlines(keepends=True):
        included = _INCLUDE.match(line)
        lines.append(_with_includes(path.parent / included.group(1), depth + 1) + "\n" if included else line)
    return "".join(lines)


def _read(path: pathlib.Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ConfigError("does not exist", file=os.fspath(path)) from None
    except UnicodeDecodeError:
        raise ConfigError("is not UTF-8 text", file=os.fspath(path)) from None
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", file=os.fspath(path)) from None


def _digest(path: pathlib.Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""  # the check of the job reports the error
