"""The address of a content: equal contents have equal ones, on every machine and in every run."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from ftlab import _core

# What computes: results of another version, or of one that behaves otherwise, are no results of this one. figures: raised
# when the figures of a row (sweep/figures.py) get other names or meanings.
CORE = {"version": _core.version, "signature": _core.signature, "figures": 2}
_DIGITS = 32


def address_of(content: Any) -> str:
    """128 bits in hexadecimal, over the content as JSON with sorted keys."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]
