"""Any result file is drawn or refused with ConfigError; no partial report is written."""

import copy
import functools
import json
from pathlib import Path
from typing import Any, Iterator, Tuple

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import report_folders as folders
from ftlab.errors import ConfigError
from ftlab.report.sections import sections_of
from ftlab.report.reading.sources import read_sources

WORDS = st.sampled_from(["", "wa", "total", "bins", "percentile", "NaN", "</script>", "read", "1e400", "-1"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2**70, 2**70) | st.floats(allow_nan=False, allow_infinity=False)
    | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3), max_leaves=6)
TUNED = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def places(document: Any, front: Tuple[Any, ...] = ()) -> Iterator[Tuple[Any, ...]]:
    """The path of every value in a document."""
    if front:
        yield front
    pairs = document.items() if isinstance(document, dict) else ()
    pairs = enumerate(document) if isinstance(document, list) else pairs
    for key, value in pairs:
        yield from places(value, (*front, key))


def value_at(document: Any, place: Tuple[Any, ...]) -> Any:
    return functools.reduce(lambda inner, key: inner[key], place, document)


def changed(document: Any, place: Tuple[Any, ...], value: Any) -> Any:
    result = copy.deepcopy(document)
    inner = result
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return result


def drawn_or_refused(path: Path) -> None:
    try:
        for section in sections_of(read_sources([path])):
            for picture in section.pictures:
                json.dumps(picture.specification(), allow_nan=False)
    except ConfigError as error:
        assert str(error) and "\n" not in str(error)


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    key = folders.ftlab_key()
    key["until_steady"] = {"reached": True, "steady_from_s": 10.0, "at_s": 20.0,
                           "iops": {"mean": 1100.0, "half_width_95": 9.0}}
    jobs = [folders.fio_job(f"j{depth}", {"iodepth": depth}) for depth in ("1", "2")]
    return folders.write_run(tmp_path_factory.mktemp("hostile") / "run", ftlab=key, jobs=jobs)


@pytest.mark.parametrize("value", [1, ["wa"]])
def test_every_value_of_a_result_may_be_of_another_kind(run_folder: Path, value: object) -> None:
    path = run_folder / "result.json"
    right = path.read_text()
    document = json.loads(right)
    numbers = document
    try:
        for place in places(document):
            if any(isinstance(step, int) and step > 0 for step in place):
                continue  # all items of a list are read in the same way
            if value == 1 and isinstance(value_at(document, place), (int, float)):
                numbers = changed(numbers, place, value)  # of the same kind: all at once, below
                continue
            path.write_text(json.dumps(changed(document, place, value)))
            drawn_or_refused(run_folder)
        path.write_text(json.dumps(numbers))
        drawn_or_refused(run_folder)
    finally:
        path.write_text(right)


@TUNED
@given(data=st.data())
def test_any_value_of_a_result_may_be_anything(run_folder: Path, data: st.DataObject) -> None:
    path = run_folder / "result.json"
    right = path.read_text()
    document = json.loads(right)
    place = data.draw(st.sampled_from(list(places(document))))
    try:
        path.write_text(json.dumps(changed(document, place, data.draw(VALUES))))
        drawn_or_refused(run_folder)
    finally:
        path.write_text(right)


@TUNED
@given(data=st.data())
def test_any_value_of_a_procedure_may_be_anything(tmp_path_factory: pytest.TempPathFactory,
                                                  data: st.DataObject) -> None:
    folder = folders.write_procedure(tmp_path_factory.mktemp("p") / "p")
    name = data.draw(st.sampled_from(["result.json", "procedure.json"]))
    document = json.loads((folder / name).read_text())
    if name == "result.json":
        document["rounds"] = [{"values": [1, 2], "tracked": "iops", "rule": {"range_percent": 20},
                               "average": 1.5,
                               "first_round_of_window": 1, "last_round_of_window": 2, "slope_per_round": 1}]
    place = data.draw(st.sampled_from(list(places(document))))
    (folder / name).write_text(json.dumps(changed(document, place, data.draw(VALUES))))
    drawn_or_refused(folder)


@TUNED
@given(data=st.data())
def test_any_value_of_a_board_may_be_anything(tmp_path_factory: pytest.TempPathFactory,
                                              data: st.DataObject) -> None:
    path = folders.write_board(tmp_path_factory.mktemp("b") / "board.json")
    document = json.loads(path.read_text())
    place = data.draw(st.sampled_from(list(places(document))))
    path.write_text(json.dumps(changed(document, place, data.draw(VALUES))))
    drawn_or_refused(path)


@TUNED
@given(text=st.text(alphabet="0123456789,.-e\n\rtlabinf\"", max_size=200), name=st.sampled_from(
    ["series.csv", "x_iops.1.log", "procedure.csv", "table.csv"]))
def test_any_text_in_a_table_is_drawn_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str,
                                                  name: str) -> None:
    folder = tmp_path_factory.mktemp("t")
    header = {"series.csv": "t_s,length_s,read_iops,wa\n",
              "procedure.csv": "step,name,iops,MB_per_s,latency_us_mean\n",
              "table.csv": "op,wa,policy\n"}.get(name, "")
    (folder / name).write_text(header + text)
    (folder / "result.json").write_text('{"jobs": [], "steps": []}')
    drawn_or_refused(folder / name if name == "table.csv" else folder)
