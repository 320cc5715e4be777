"""Errors: refused input, in the format of the C++ core (sim/core/error.h), and misuse of a drive."""

from __future__ import annotations

from typing import Iterable, Tuple

from ftlab import _core


class ConfigError(ValueError):
    """Input that is refused, with everything needed to fix it.

    The message is one line of printable ASCII, with a plain sentence about `key`:

        FILE:LINE: KEY: what is wrong (got VALUE; allowed: ALLOWED; did you mean NAME?)

    Empty parts are left out; `line` 0 means that the line is unknown. The parts are also available as attributes.
    `ConfigError(message)` takes a complete message, such as those of the core.
    """

    def __init__(self, problem: str, *, file: str = "", line: int = 0, key: str = "", got: str = "",
                 allowed: str = "", nearest: str = "") -> None:
        self.problem, self.file, self.line, self.key = problem, file, line, key
        self.got, self.allowed, self.nearest = got, allowed, nearest
        super().__init__(_core.refusal(_bytes(problem), _bytes(file), line, _bytes(key), _bytes(got), _bytes(allowed),
                                       _bytes(nearest)))

    def __reduce__(self) -> Tuple[object, ...]:
        """Lets errors cross process boundaries: exceptions pickle by their positional arguments, but these are keywords."""
        pieces = (self.problem, self.file, self.line, self.key, self.got, self.allowed, self.nearest)
        return _from_pieces, pieces


class DriveError(RuntimeError):
    """The drive cannot carry out the call: it is closed, in use by another thread, or was stopped in the middle of work."""


class PolicyError(ValueError):
    """A policy returned an invalid answer; the message has it and the allowed ones. The drive is unusable afterwards."""


class InternalError(RuntimeError):
    """A defect of ftlab: one of its own checks failed. The message has the facts."""


def nearest_name(name: str, candidates: Iterable[str]) -> str:
    """The candidate with the smallest edit distance to `name` (Damerau-Levenshtein, restricted).

    Empty if no candidate is within a third of the name's length (at least 2) or shares a letter with it. The first candidate
    wins a tie.
    """
    return _core.nearest_name(_bytes(name), list(candidates))


def printable(text: str) -> str:
    """A user's text made safe to print: bytes that are not printable ASCII become \\xNN; cut to 60 characters."""
    return _core.printable(_bytes(text))


def _from_pieces(problem: str, file: str, line: int, key: str, got: str, allowed: str, nearest: str) -> ConfigError:
    return ConfigError(problem, file=file, line=line, key=key, got=got, allowed=allowed, nearest=nearest)


def _bytes(text: str) -> bytes:
    """Escapes characters that are not valid text, such as half of a surrogate pair."""
    return text.encode("utf-8", "backslashreplace")
