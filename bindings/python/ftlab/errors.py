"""What can go wrong: refused input, in the words of the C++ core (sim/config/error.h), and misuse of a drive."""

from __future__ import annotations

from typing import Iterable, Tuple

SHOWN_CHARACTERS = 60


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
        super().__init__(_front(file, line, key) + _escape(problem) + _brackets(got, allowed, nearest))

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
    smallest, nearest = max(2, len(name) // 3) + 1, ""
    for candidate in candidates:
        distance = _edit_distance(name, candidate)
        if distance < smallest and distance < max(len(name), len(candidate)):
            smallest, nearest = distance, candidate
    return nearest


def printable(text: str) -> str:
    """A user's text made fit to print: bytes that are not printable ASCII as \\xNN, cut to 60 characters."""
    fit, cut_at = "", 0
    for byte in text.encode("utf-8", "backslashreplace"):
        fit += _escape_byte(byte)
        if len(fit) + 3 <= SHOWN_CHARACTERS:
            cut_at = len(fit)
        if len(fit) > SHOWN_CHARACTERS:
            return fit[:cut_at] + "..."
    return fit


def _from_pieces(problem: str, file: str, line: int, key: str, got: str, allowed: str, nearest: str) -> ConfigError:
    return ConfigError(problem, file=file, line=line, key=key, got=got, allowed=allowed, nearest=nearest)


def _escape_byte(byte: int) -> str:
    return chr(byte) if 0x20 <= byte < 0x7F else f"\\x{byte:02x}"


def _escape(text: str) -> str:
    return "".join(map(_escape_byte, text.encode("utf-8", "backslashreplace")))


def _front(file: str, line: int, key: str) -> str:
    place = _escape(file) + (f":{line}" if line > 0 else "")
    return (place + ": " if place else "") + (printable(key) + ": " if key else "")


def _brackets(got: str, allowed: str, nearest: str) -> str:
    parts = []
    if got:
        parts.append("got " + printable(got))
    if allowed:
        parts.append("allowed: " + _escape(allowed))
    if nearest:
        parts.append(f"did you mean {printable(nearest)}?")
    return f" ({'; '.join(parts)})" if parts else ""


def _edit_distance(a: str, b: str) -> int:
    """Insertions, deletions, replacements, swaps of neighbours, no piece edited twice. O(len(a) * len(b))."""
    before, above = [0] * (len(b) + 1), list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        row = [i]
        for j, other in enumerate(b, 1):
            row.append(min(above[j - 1] + (letter != other), above[j] + 1, row[j - 1] + 1))
            if i > 1 and j > 1 and a[i - 2] == other and b[j - 2] == letter:
                row[j] = min(row[j], before[j - 2] + 1)
        before, above = above, row
    return above[-1]
