"""The view as one self-contained HTML section with its style, scripts and data."""

from __future__ import annotations

import base64
import html
import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any, Dict, Iterable, Sequence, Union

from ftlab.report.drive_at_work.recording import COLUMNS, HOST_LISTS, Recording, read_recording

SCRIPTS = ("recording.js", "story.js", "life.js", "canvas.js", "grid.js", "charts.js", "view.js")
DRAWN = ("drive", "superblocks", "superblock_pages", "dies_per_superblock", "first_dies", "states",
         "frontiers", "gc", "from_ns", "every_ns", "pictures", "phases")

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
script-src 'unsafe-inline'">
<title>{title}</title>
<style>body {{ margin: 0 auto; padding: 8px 16px; max-width: 1400px; }}</style>
</head>
<body>
{section}
</body>
</html>
"""


def section(folder: Union[str, Path]) -> str:
    """An HTML fragment that plays the recording of a result folder; a page may contain several.

    Loads nothing from elsewhere. Raises ConfigError if the folder has no recording, or a damaged one.
    """
    return _section(read_recording(folder))


def page(folder: Union[str, Path]) -> str:
    """The section as a complete page. Raises ConfigError."""
    recording = read_recording(folder)
    title = "A drive at work: " + recording.document["drive"]
    return PAGE.format(title=html.escape(title), section=_section(recording))


def _section(recording: Recording) -> str:
    parts = {"drive": html.escape(recording.document["drive"]), "style": _asset("view.css"),
             "data": _embedded(_drawn(recording)), "program": _program()}
    return re.sub(r"@(drive|style|data|program)@", lambda place: parts[place[1]], _asset("view.html"))


def _asset(name: str) -> str:
    return files("ftlab.report.drive_at_work").joinpath("view").joinpath(name).read_text(encoding="utf-8")


def _program() -> str:
    return "(function () {\n'use strict';\n" + "\n".join(map(_asset, SCRIPTS)) + "})();"


def _drawn(recording: Recording) -> Dict[str, Any]:
    """The parts of the document that are drawn; columns remain differences, as text half as long as JSON."""
    document = recording.document
    data = {key: document[key] for key in DRAWN}
    data["host"] = {name: document["host"][name] for name in HOST_LISTS}
    data["columns"] = {name: _packed(document["columns"][name]) for name in COLUMNS}
    return data


def _packed(lists: Iterable[Sequence[int]]) -> str:
    """Base64 of the length and the numbers of each list, as variable-length integers: 0, -1, 1, -2 ... count from 0, seven
    bits a byte, lowest first, the high bit set in all bytes but the last. recording.js reads it."""
    packed = bytearray()
    for number in (number for numbers in lists for number in (len(numbers), *numbers)):
        rest = 2 * number if number >= 0 else -2 * number - 1
        while rest > 127:
            packed.append(128 | rest & 127)
            rest >>= 7
        packed.append(rest)
    return base64.b64encode(packed).decode("ascii")


def _embedded(data: Any) -> str:
    """JSON without characters that an HTML parser could take for markup."""
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
