"""Content addresses: equal contents have equal addresses, on every machine and in every run."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from ftlab import _core

# Identity of the simulator: results of another version or behaviour must not be reused. figures: to be incremented when the
# figures of a row (sweeps/figures.py) change their names or meanings.
CORE = {"version": _core.version, "signature": _core.signature, "figures": 2}
_DIGITS = 32


def address_of(content: Any) -> str:
    """128 bits in hexadecimal, computed over the content as JSON with sorted keys."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]
