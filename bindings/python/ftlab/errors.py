"""What can go wrong: refused input, in the words of the C++ core (sim/core/error.h), and misuse of a drive."""

from __future__ import annotations

from typing import Iterable, Tuple

from ftlab import _core


class ConfigError(ValueError):
    """Input that is refused, with everything that is needed to mend it.

    One line of printable ASCII, a plain sentence about `key`:

        FILE:LINE: KEY: what is wrong (got VALUE; allowed: ALLOWED; did you mean NAME?)

    Parts that are empty are left out; `line` 0 means that no line can be named. The pieces stay readable as
    attributes. `ConfigError(message)` takes a message that is whole already, as the core's are.
    """

    def __init__(self, problem: str, *, file: str = "", line: int = 0, key: str = "", got: str = "",
                 allowed: str = "", nearest: str = "") -> None:
        self.problem, self.file, self.line, self.key = problem, file, line, key
        self.got, self.allowed, self.nearest = got, allowed, nearest
        super().__init__(_core.refusal(_bytes(problem), _bytes(file), line, _bytes(key), _bytes(got), _bytes(allowed),
                                       _bytes(nearest)))

    def __reduce__(self) -> Tuple[object, ...]:
        """Errors cross process boundaries whole: exceptions pickle by their arguments, which are keywords here."""
        pieces = (self.problem, self.file, self.line, self.key, self.got, self.allowed, self.nearest)
        return _from_pieces, pieces


class DriveError(RuntimeError):
    """A drive that cannot do what was asked: closed, at work in another thread, stopped in the midst of its work."""


class PolicyError(ValueError):
    """A policy answered what cannot be; the message has the answer and what was possible. The drive is of no use then."""


class InternalError(RuntimeError):
    """A defect of ftlab: one of its own checks failed. The message has the facts."""


def nearest_name(name: str, candidates: Iterable[str]) -> str:
    """The candidate with the smallest edit distance to `name` (Damerau-Levenshtein, restricted).

    Empty when none is within a third of the name's length (at least 2), or none has a letter in common. Ties go
    to the first candidate.
    """
    return _core.nearest_name(_bytes(name), list(candidates))


def printable(text: str) -> str:
    """A user's text made fit to print: bytes that are not printable ASCII as \\xNN, cut to 60 characters."""
    return _core.printable(_bytes(text))


def _from_pieces(problem: str, file: str, line: int, key: str, got: str, allowed: str, nearest: str) -> ConfigError:
    return ConfigError(problem, file=file, line=line, key=key, got=got, allowed=allowed, nearest=nearest)


def _bytes(text: str) -> bytes:
    """What is no text, as half of a surrogate pair, becomes visible."""
    return text.encode("utf-8", "backslashreplace")
