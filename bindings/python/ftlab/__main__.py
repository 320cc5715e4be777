"""`python -m ftlab`, and the command `ftlab` of an installed package: the commands of the program, and those in Python."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from typing import List, Optional

from ftlab.errors import ConfigError
from ftlab.program import program_path

# Module of each command that is written in Python; it has add_arguments(parser) and run(arguments) -> exit status.
COMMANDS = {"report": "ftlab.report.command", "sweep": "ftlab.sweeps.command"}
REFUSED, INTERRUPTED = 2, 130


def main(words: Optional[List[str]] = None) -> int:
    """The exit status: as the program's, 0 done, 2 input refused, 130 interrupted."""
    words = sys.argv[1:] if words is None else words
    if not words or words[0] not in COMMANDS:
        os.environ["FTLAB_PYTHON"] = sys.executable
        os.execv(program_path(), ["ftlab", *words])
    try:
        command = importlib.import_module(COMMANDS[words[0]])
        parser = argparse.ArgumentParser(prog=f"ftlab {words[0]}", description=command.__doc__,
                                         formatter_class=argparse.RawDescriptionHelpFormatter)
        command.add_arguments(parser)
        return int(command.run(parser.parse_args(words[1:])))
    except ConfigError as error:
        print(error, file=sys.stderr)
        return REFUSED
    except ModuleNotFoundError as error:
        print(f"ftlab {words[0]} needs the Python package {error.name}, which is not installed", file=sys.stderr)
        return REFUSED
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
