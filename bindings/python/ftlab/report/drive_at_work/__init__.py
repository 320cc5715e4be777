"""An animated view of a drive: superblocks are filled, go stale and are collected.

Made from the recording that `ftlab run --record-blocks` writes to blocks.json in a result folder:

    if has_recording(folder):
        html = section(folder)      # an HTML fragment; page(folder) is a complete page
"""

from __future__ import annotations

import base64
import html
from pathlib import Path
from typing import Any, Dict, Iterable, Sequence, Union

from ftlab.report import markup
from ftlab.report.drive_at_work.recording import COLUMNS, HOST_LISTS, Recording, has_recording, read_recording

__all__ = ["Recording", "has_recording", "page", "read_recording", "section"]
PACKAGE = "ftlab.report.drive_at_work"
SCRIPTS = ("recording.js", "story.js", "life.js", "canvas.js", "grid.js", "charts.js", "view.js")
DRAWN = ("drive", "superblocks", "superblock_pages", "dies_per_superblock", "first_dies", "states",
         "frontiers", "gc", "from_ns", "every_ns", "pictures", "phases")


def section(folder: Union[str, Path]) -> str:
    """An HTML fragment that plays the recording of a result folder; a page may contain several.

    Loads nothing from elsewhere. Raises ConfigError if the folder has no recording, or a damaged one.
    """
    return _section(read_recording(folder))


def page(folder: Union[str, Path]) -> str:
    """The section as a complete page. Raises ConfigError."""
    recording = read_recording(folder)
    title = html.escape("A drive at work: " + recording.document["drive"])
    return markup.filled(PACKAGE, "page.html", {"title": title, "section": _section(recording)})


def _section(recording: Recording) -> str:
    style, *scripts = (markup.view_file(PACKAGE, name) for name in ("view.css", *SCRIPTS))
    return markup.filled(PACKAGE, "view.html", {
        "drive": html.escape(recording.document["drive"]), "style": style, "data": markup.embedded(_drawn(recording)),
        "program": "(function () {\n'use strict';\n" + "\n".join(scripts) + "})();"})


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
