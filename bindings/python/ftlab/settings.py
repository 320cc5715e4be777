"""Settings that override a drive file or a job file, converted to the core's words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, List, Optional, Union

from ftlab.errors import ConfigError

MOST_SEED = 2**64 - 1
MOST_DIVISOR = 2**40


def drive_settings(settings: Optional[Mapping[str, Any]]) -> List[str]:
    """`{"ftl.gc.policy": "fifo"}` as `['ftl.gc.policy="fifo"']`. Values are JSON values: numbers, texts, lists, objects.

    Raises ConfigError for other keys and values.
    """
    return [f"{_key(key)}={_json(key, value)}" for key, value in _items(settings)]


def set_words(settings: Mapping[str, Any], option: str = "--set") -> List[str]:
    """Words of the program: --set KEY=VALUE for each setting; a text stands as it is, other values as JSON."""
    return [word for key, value in settings.items()
            for word in (option, f"{key}={value if isinstance(value, str) else json.dumps(value)}")]


def job_settings(settings: Optional[Mapping[str, Any]]) -> List[str]:
    """`{"runtime": 60, "write:bs": "4k"}` as `["runtime=60", "write:bs=4k"]`; True and False become 1 and 0, as in fio."""
    return [f"{_key(key)}={_word(key, value)}" for key, value in _items(settings)]


def variable_settings(variables: Optional[Mapping[str, Any]]) -> List[str]:
    """`{"cell": "100ms", "block": ["4k", 8192]}` as `["cell=100ms", "block=4k,8192"]`, the format of --variable."""
    return [f"{_key(name)}=" +
            ",".join(_word(name, item) for item in (value if isinstance(value, (list, tuple)) else [value]))
            for name, value in _items(variables)]


def share_word(key: str, value: Union[float, str, None]) -> str:
    """A share in the format of the core (sim/config/share.h): "2%", 0.02. Empty for None. Raises ConfigError."""
    value = plain(value)
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)) or value == "":
        raise ConfigError("is not a share", key=key, got=repr(value), allowed="as 2% or 0.02")
    return str(value)


def plain(value: Any) -> Any:
    """Converts NumPy scalars to Python's."""
    return value.item() if hasattr(value, "item") and getattr(value, "ndim", 1) == 0 else value


def checked_seed(seed: Any) -> int:
    """Checks a seed for random numbers, 0 to 2^64 - 1. Raises ConfigError."""
    if isinstance(seed, bool) or not hasattr(seed, "__index__") or not 0 <= int(seed) <= MOST_SEED:
        raise ConfigError("is not a seed", key="seed", got=repr(seed), allowed=f"0 to {MOST_SEED}")
    return int(seed)


def checked_divisor(divisor: Union[int, str, None]) -> str:
    """The value of --shrink-jobs: a number, 1 to 2^40, or "fit"; empty for None. Raises ConfigError."""
    if divisor is None:
        return ""
    is_number = hasattr(divisor, "__index__") and not isinstance(divisor, bool)
    if divisor == "fit" or (is_number and 1 <= int(divisor) <= MOST_DIVISOR):
        return str(divisor) if divisor == "fit" else str(int(divisor))
    raise ConfigError("is not a divisor of sizes", key="shrink_jobs", got=repr(divisor),
                      allowed="a whole number from 1, or fit")


def _items(settings: Optional[Mapping[str, Any]]) -> List[Any]:
    if settings is None:
        return []
    if not isinstance(settings, Mapping):
        raise TypeError(f"settings are a mapping from key to value, not {type(settings).__name__}")
    return list(settings.items())


def _key(key: Any) -> str:
    if isinstance(key, str) and key and "=" not in key:
        return key
    raise ConfigError("is not a key of a setting", got=repr(key), allowed="a text without =, as ftl.gc.policy")


def _json(key: str, value: Any) -> str:
    try:
        return json.dumps(plain(value), allow_nan=False)
    except (TypeError, ValueError):
        raise ConfigError("is not a value that JSON has", key=key, got=repr(value)) from None


def _word(key: str, value: Any) -> str:
    value = plain(value)
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, (int, float, str)) and "\n" not in str(value):
        return str(value)
    raise ConfigError("is not a value of a job option", key=key, got=repr(value), allowed="a number or a text of one line")
