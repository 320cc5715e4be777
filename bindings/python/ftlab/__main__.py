"""`python -m ftlab`, and the command `ftlab` of an installed package: runs the program's commands and those in Python."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from typing import TYPE_CHECKING, List, NoReturn, Optional

from ftlab.errors import ConfigError, nearest_name
from ftlab.program import program_path

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

# Commands that are written in Python: name -> module with add_arguments(parser) and run(arguments) -> exit status.
COMMANDS = {"explore": "ftlab.explore.command", "report": "ftlab.report.command", "sweep": "ftlab.sweeps.command",
            "variants": "ftlab.sweeps.variants"}  # of `ftlab run --vary`
OUTPUT_FAILED, REFUSED, RESULT_FAILED, INTERRUPTED = 1, 2, 4, 130


class _Parser(argparse.ArgumentParser):
    """Raises the error if the help cannot be written; argparse itself would ignore it."""

    def print_help(self, file: Optional["SupportsWrite[str]"] = None) -> None:
        (file or sys.stdout).write(self.format_help())

    def error(self, message: str) -> NoReturn:
        """Refuses in the form of the other commands; argparse itself would print its usage and name no nearest option."""
        unknown = message.partition("unrecognized arguments: ")[2].partition(" ")[0]
        raise ConfigError(message, file=self.prog, allowed=f"those of {self.prog} --help",
                          nearest=nearest_name(unknown, self._option_string_actions))


def main(words: Optional[List[str]] = None) -> int:
    """Returns the exit status: 0 done, 1 standard output failed, 2 input refused, 4 other output failed, 130 interrupted."""
    words = sys.argv[1:] if words is None else words
    if not words or words[0] not in COMMANDS:
        os.environ["FTLAB_PYTHON"] = sys.executable
        os.execv(program_path(), ["ftlab", *words])
    try:
        command = importlib.import_module(COMMANDS[words[0]])
        parser = _Parser(prog=f"ftlab {words[0]}", description=command.__doc__,
                         formatter_class=argparse.RawDescriptionHelpFormatter)
        command.add_arguments(parser)
        try:
            return int(command.run(parser.parse_args(words[1:])))
        finally:
            sys.stdout.flush()  # here, where a failure can still be reported
    except ConfigError as error:
        print(error, file=sys.stderr)
        return REFUSED
    except OSError as error:
        return _failed(error)
    except ModuleNotFoundError as error:
        print(f"ftlab {words[0]} needs the Python package {error.name}, which is not installed", file=sys.stderr)
        return REFUSED
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED


def _failed(error: OSError) -> int:
    """Reports a failure of a named file, or of standard output, which has no name."""
    if error.filename is not None:
        print(f"{error.filename}: {error.strerror}; what was done is kept where it was complete", file=sys.stderr)
        return RESULT_FAILED
    print(f"cannot write to standard output: {error.strerror}", file=sys.stderr)
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # otherwise the interpreter complains at exit
    return OUTPUT_FAILED


if __name__ == "__main__":
    sys.exit(main())
