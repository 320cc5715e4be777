"""Access to the program `ftlab` for commands without a Python function: calibrate, compare, validate, smart, measure ..."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
from typing import Optional

from ftlab.errors import ConfigError

_REFUSED = 2


def program_path() -> str:
    """Path of the program: FTLAB_PROGRAM, else the package's, else the surrounding build's, else the search path's.

    Raises FileNotFoundError if it is not found.
    """
    chosen = os.environ.get("FTLAB_PROGRAM")
    if chosen:
        return chosen
    package = pathlib.Path(__file__).parent
    for place in (package / "bin" / "ftlab", _build_folder() / "bin" / "ftlab"):
        if place.is_file():
            return str(place)
    found: Optional[str] = shutil.which("ftlab")
    if found is None:
        raise FileNotFoundError("the program ftlab is neither in this package nor in the search path")
    return found


def command(*words: object) -> str:
    """Runs `ftlab WORDS...` and returns its standard output.

    Raises ConfigError with the program's own message if it refused its input, CalledProcessError for other failures.
    """
    done = subprocess.run([program_path(), *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode == _REFUSED:
        raise ConfigError(done.stderr.strip())
    done.check_returncode()
    return done.stdout


def _build_folder() -> pathlib.Path:
    """<build> of <build>/python/ftlab. Its Python files are links to the sources, but the extension module is not."""
    from ftlab import _core
    return pathlib.Path(_core.__file__).parent.parent.parent
