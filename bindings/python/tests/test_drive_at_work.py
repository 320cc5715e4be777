"""blocks.json is decoded correctly, damaged files are refused, and the page is self-contained."""

from __future__ import annotations

import base64
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from ftlab.errors import ConfigError
from ftlab.report.drive_at_work import _packed, has_recording, page, read_recording, section
from recordings import by_hand, column_of, record_example, written


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return record_example(tmp_path_factory.mktemp("at-work") / "result")


def walked(column: List[List[int]], superblocks: int) -> List[List[int]]:
    """Decodes number by number, as the format says."""
    pictures, now = [], [0] * superblocks
    for runs in column:
        numbers, block = iter(runs), 0
        for unchanged in numbers:
            block += unchanged
            for _ in range(next(numbers)):
                now[block] += next(numbers)
                block += 1
        pictures.append(list(now))
    return pictures


def test_columns_are_what_the_file_says_number_by_number(recorded: Path) -> None:
    document = json.loads((recorded / "blocks.json").read_text())
    recording = read_recording(recorded)
    assert recording.pictures == 481 and recording.superblocks == 64
    for name, column in document["columns"].items():
        assert recording.columns[name].tolist() == walked(column, 64)
    assert recording.time_s[[0, 1, 480]].tolist() == [0, 0.25, 120]


def test_valid_pages_add_up_to_the_mapped_ones_in_every_picture(recorded: Path) -> None:
    recording = read_recording(recorded)
    assert recording.columns["valid"].sum(axis=1).tolist() == recording.host["mapped_pages"].tolist()


def test_the_example_fills_then_collects_then_has_less_to_copy_after_the_trim(recorded: Path) -> None:
    recording = read_recording(recorded)
    wa = [recording.host["wa"][(recording.time_s > phase["from_s"] + 5) & (recording.time_s < phase["to_s"])]
          for phase in recording.document["phases"] if phase["to_s"] - phase["from_s"] > 6]
    fill, overwrite, rest = (float(np.nanmean(values)) for values in wa)
    assert fill == 1 and overwrite > 2.5 and 1 < rest < 1.4
    assert recording.host["trimmed_pages"][1:].sum() == recording.document["user_pages"] / 2
    pictures_with_a_victim = (recording.columns["state"] == 3).any(axis=1).sum()
    assert pictures_with_a_victim > 200


def test_erases_of_the_recording_are_those_of_the_result(recorded: Path) -> None:
    result = json.loads((recorded / "result.json").read_text())["ftlab"]
    recording = read_recording(recorded)
    per_superblock = recording.document["blocks_per_superblock"]
    assert int(recording.erases_at_end.sum()) * per_superblock == result["traffic"]["block_erases"] > 300


SHAPES = st.tuples(st.integers(1, 6), st.integers(1, 20))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cells=arrays.arrays(np.int64, SHAPES, elements=st.integers(0, 9)))
def test_whatever_counts_are_written_come_back(cells: np.ndarray, tmp_path: Path) -> None:
    document = by_hand(pictures=cells.shape[0], superblocks=cells.shape[1], pages=9)
    document["columns"]["written"] = document["columns"]["valid"] = column_of(cells)
    recording = read_recording(written(tmp_path, document))
    assert recording.columns["valid"].tolist() == cells.tolist()


def test_numbers_in_the_page_are_those_of_the_recording() -> None:
    lists = [[], [0, -1, 1, 63, -64, 64], [2**32 - 1, 1 - 2**32, 300]]
    numbers, read = base64.b64decode(_packed(lists)), []
    while numbers:
        end = next(n for n, byte in enumerate(numbers) if byte < 128) + 1
        number = sum((byte & 127) << 7 * n for n, byte in enumerate(numbers[:end]))
        read.append(-(number + 1) // 2 if number % 2 else number // 2)
        numbers = numbers[end:]
    assert read == [number for one in lists for number in (len(one), *one)]


def test_a_folder_tells_whether_it_has_a_recording(tmp_path: Path) -> None:
    assert not has_recording(tmp_path)
    assert has_recording(written(tmp_path, by_hand()))


# --- refusals
def put(*path_and_value: Any) -> Callable[[Dict[str, Any]], None]:
    """Stores the last argument at the path given by the others."""
    def change(document: Any) -> None:
        *place, key, value = path_and_value
        for step in place:
            document = document[step]
        document[key] = value
    return change


def drop(*place: Any) -> Callable[[Dict[str, Any]], None]:
    def change(document: Any) -> None:
        for step in place[:-1]:
            document = document[step]
        del document[place[-1]]
    return change


REFUSED: List[Tuple[Callable[[Dict[str, Any]], None], str]] = [
    (put("format", "fio"), 'format: is of the wrong kind (got "fio"; allowed: ftlab block recording)'),
    (drop("format"), "format: is missing"),
    (put("version", 2), "version: is of the wrong kind (got 2; allowed: 1)"),
    (put("version", True), "version: is of the wrong kind (got true; allowed: 1)"),
    (drop("superblocks"), "superblocks: is missing"),
    (put("superblocks", 0), "superblocks: is of the wrong kind (got 0; allowed: a whole number, 1 to 4194304)"),
    (put("superblocks", 10**18),
     "superblocks: is of the wrong kind (got 1000000000000000000; allowed: a whole number, 1 to 4194304)"),
    (put("pictures", 2001), "pictures: is of the wrong kind (got 2001; allowed: a whole number, 0 to 2000)"),
    (put("pictures", 2.0), "pictures: is of the wrong kind (got 2.0; allowed: a whole number, 0 to 2000)"),
    (put("superblocks", 4_000_000),
     "pictures: are of 4000000 superblocks: 12000000 cells (got 3; allowed: at most 4194304 cells)"),
    (put("pictures", 4),
     "columns.valid: is of the wrong kind (got [[], [0, 1, 8], [0, 1, -4]]; allowed: 4 lists, one for each picture)"),
    (put("drive", 7), "drive: is of the wrong kind (got 7; allowed: a text of at most 1000 characters)"),
    (put("drive", "x" * 1001),
     'drive: is of the wrong kind (got "' + "x" * 56 + "...; allowed: a text of at most 1000 characters)"),
    (put("superblock_pages", 0), "superblock_pages: is of the wrong kind (got 0; allowed: a whole number, 1 to 4294967295)"),
    (put("every_ns", 0), "every_ns: is of the wrong kind (got 0; allowed: a whole number, 1 to 9223372036854775807)"),
    (put("states", ["free"]),
     'states: is of the wrong kind (got ["free"]; allowed: free, open, closed, collecting, emptied, retired)'),
    (put("frontiers", 0, "host"),
     'frontiers: is of the wrong kind (got ["host", {"takes": "relocation", "pool": 0}]; allowed: a list of objects '
     'with the text takes)'),
    (put("frontiers", []), "columns.frontier: is above 0 in picture 1, superblock 0"),
    (drop("gc", "start_free_superblocks"),
     'gc: is of the wrong kind (got {"stop_free_superblocks": 2}; allowed: start_free_superblocks and '
     'stop_free_superblocks)'),
    (put("phases", [3]), "phases: is of the wrong kind (got [3]; allowed: a list of name, from_s and to_s)"),
    (put("phases", 0, "to_s", "late"),
     'phases: is of the wrong kind (got [{"name": "all", "from_s": 0.0, "to_s": "late"}]; allowed: a list of name, '
     'from_s and to_s)'),
    (drop("host", "wa"), "host.wa: is missing"),
    (put("host", "wa", [None]),
     "host.wa: is of the wrong kind (got [null]; allowed: 3 numbers from 0 on or null, one for each picture)"),
    (put("host", "wa", 1, -1),
     "host.wa: is of the wrong kind (got [null, -1, 1]; allowed: 3 numbers from 0 on or null, one for each picture)"),
    (put("host", "wa", 1, "1"),
     'host.wa: is of the wrong kind (got [null, "1", 1]; allowed: 3 numbers from 0 on or null, one for each picture)'),
    (put("erases_at_end", [0]), "erases_at_end: is of the wrong kind (got [0]; allowed: 4 counts, one for each superblock)"),
    (put("erases_at_end", 2, -1),
     "erases_at_end: is of the wrong kind (got [0, 0, -1, 0]; allowed: 4 counts, one for each superblock)"),
    (put("columns", "erases", 2, [1, 1, 5]), "erases_at_end[1]: is below that of the last picture (got 0)"),
    (put("columns", []), "columns: is of the wrong kind (got []; allowed: an object)"),
    (drop("columns", "state"), "columns.state: is missing"),
    (put("columns", "valid", 1, {}), "columns.valid[1]: is not a list of whole numbers of 32 bits"),
    (put("columns", "valid", 1, [0, 1, 0.5]), "columns.valid[1]: is not a list of whole numbers of 32 bits"),
    (put("columns", "valid", 1, [0, 1, 10**12]),
     "columns.valid[1]: is not a list of whole numbers of 32 bits"),
    (put("columns", "valid", 1, [0]), "columns.valid[1]: has a broken run at number 0"),
    (put("columns", "valid", 1, [0, 2, 5]), "columns.valid[1]: has a broken run at number 0"),
    (put("columns", "valid", 1, [0, 1, 5, -1, 1, 1]), "columns.valid[1]: has a broken run at number 3"),
    (put("columns", "valid", 1, [0, 0]), "columns.valid[1]: has a broken run at number 0"),
    (put("columns", "valid", 1, [4, 1, 1]),
     "columns.valid[1]: reaches beyond the last superblock (got 5; allowed: up to 4)"),
    (put("columns", "valid", 1, [0, 1, -1]), "columns.valid[1]: leaves the range of a count (allowed: 0 to "
     "4294967295)"),
    (put("columns", "valid", 1, [0, 1, 9]), "columns.valid: is above written in picture 1, superblock 0"),
    (put("superblock_pages", 7), "columns.written: is above 7 in picture 1, superblock 0"),
    (put("columns", "state", 2, [1, 1, 6]), "columns.state: is above 5 in picture 2, superblock 1"),
    (put("columns", "erases", [[0, 1, 2], [0, 1, -1], []]),
     "columns.erases: falls in the next picture in picture 0, superblock 0"),
]


@pytest.mark.parametrize("change, message", REFUSED, ids=[message[:50] for _, message in REFUSED])
def test_a_damaged_recording_is_refused_with_its_place(change: Callable[[Dict[str, Any]], None], message: str,
                                                       tmp_path: Path) -> None:
    document = by_hand()
    change(document)
    with pytest.raises(ConfigError) as refusal:
        page(written(tmp_path, document))
    assert str(refusal.value) == f"{tmp_path / 'blocks.json'}: {message}"


def test_a_missing_recording_is_refused_with_the_way_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as refusal:
        section(tmp_path)
    assert str(refusal.value) == (f"{tmp_path / 'blocks.json'}: is missing: record it with "
                                  "`ftlab run --record-blocks FROM:TO:EVERY`")


@pytest.mark.parametrize("text, message", [
    (b"", ": is empty"),
    (b"[1]", ": is not a recording: not an object (got [1])"),
    (b'{"version": NaN}', ":1: version: is not JSON here: invalid literal"),
    (b"\xff{}", ": is not text in UTF-8 (got 255)"),
    (b"[" * 200_000, ":1: is nested more than 64 levels deep"),
    (b'{"a": ' + b"9" * 5000 + b"}", ":1: a: is a number too large for a double (got " + "9" * 57 + "...)"),
])
def test_what_is_no_json_is_refused(text: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "blocks.json").write_bytes(text)
    with pytest.raises(ConfigError) as refusal:
        read_recording(tmp_path)
    assert str(refusal.value) == f"{tmp_path / 'blocks.json'}{message}"


def test_a_truncated_recording_is_refused_wherever_it_ends(tmp_path: Path) -> None:
    text = (written(tmp_path, by_hand()) / "blocks.json").read_bytes()
    for length in range(0, len(text), 7):
        (tmp_path / "blocks.json").write_bytes(text[:length])
        with pytest.raises(ConfigError):
            read_recording(tmp_path)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.integers(0, 10**9), byte=st.integers(0, 255))
def test_one_wrong_byte_is_refused_or_drawn_but_never_a_crash(place: int, byte: int, tmp_path: Path) -> None:
    text = bytearray((written(tmp_path, by_hand()) / "blocks.json").read_bytes())
    text[place % len(text)] = byte
    (tmp_path / "blocks.json").write_bytes(text)
    try:
        page(tmp_path)
    except ConfigError:
        pass


# --- the page
class Tags(HTMLParser):
    """Counts the tags of a page and collects attributes that load resources."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: Dict[str, int] = {}
        self.loads: List[str] = []

    def handle_starttag(self, tag: str, attributes: List[Tuple[str, Any]]) -> None:
        self.counts[tag] = self.counts.get(tag, 0) + 1
        loading = ("src", "href", "data", "action", "srcset")
        self.loads += [f"{tag} {name}" for name, _ in attributes if name in loading]


def tags_of(text: str) -> Tags:
    tags = Tags()
    tags.feed(text)
    return tags


HOSTILE = '</script><script>document.hacked = 1</script><!-- & "quoted" @data@ \\u2028 é'


def test_texts_of_the_file_cannot_become_markup(tmp_path: Path) -> None:
    plain = tags_of(page(written(tmp_path, by_hand()))).counts
    document = by_hand()
    document["drive"] = document["phases"][0]["name"] = document["frontiers"][0]["takes"] = HOSTILE
    text = page(written(tmp_path, document))
    assert tags_of(text).counts == plain
    data = re.search(r'<script type="application/json" class="recording">(.*?)</script>', text, re.DOTALL)
    assert data is not None and json.loads(data[1])["phases"][0]["name"] == HOSTILE


def test_the_page_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    text = page(written(tmp_path, by_hand()))
    assert tags_of(text).loads == []
    for word in ("http:", "https:", "url(", "@import", "import(", "fetch(", "XMLHttpRequest", "WebSocket"):
        assert word not in text


def test_the_section_stands_in_the_page_as_it_is(tmp_path: Path) -> None:
    folder = written(tmp_path, by_hand())
    assert section(folder) in page(folder)
    assert section(folder).startswith('<section class="drive-at-work"')


def test_the_data_on_the_page_stay_as_compact_as_in_the_file(recorded: Path) -> None:
    file_bytes = (recorded / "blocks.json").stat().st_size
    assert len(page(recorded)) - len(page(recorded).split('class="recording">')[0]) < file_bytes + 60_000
