"""Sizes in fio's notation: 4k, 1m, 512."""

from __future__ import annotations

import re

FACTORS = {"": 1, "k": 1024, "m": 1024 ** 2, "g": 1024 ** 3, "t": 1024 ** 4}


def bytes_of(text: str) -> float:
    """Bytes of a size; NaN if it is not a single size. fio's default: k is 1024."""
    found = re.fullmatch(r"(\d+)\s*([kmgt]?)(i?b)?", text.strip().lower())
    return float(int(found.group(1)) * FACTORS[found.group(2)]) if found else float("nan")


def words_of(size_bytes: float) -> str:
    """131072 becomes `128 KiB`: the largest unit that divides the size."""
    for name, factor in (("GiB", 1024 ** 3), ("MiB", 1024 ** 2), ("KiB", 1024)):
        if size_bytes >= factor and size_bytes % factor == 0:
            return f"{size_bytes / factor:g} {name}"
    return f"{size_bytes:g} B"
