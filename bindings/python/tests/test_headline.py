"""The headline of a run is its figure at the end, together with problems that invalidate it."""

from __future__ import annotations

import json
import math
import pickle
import warnings

import pytest
from conftest import small_drive, writes

import ftlab
from ftlab.problem import problems_of
from ftlab.sweeps.figures import run_figures, shown

HOSTILE = "<script>alert('&')</script>"


def result_of(**facts: object) -> ftlab.Result:
    return ftlab.Result({"result.json": json.dumps({"jobs": [], "ftlab": facts})})


def quietly(drive: ftlab.Drive, job: ftlab.Job) -> ftlab.Result:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ftlab.ProblemWarning)
        return drive.run(job)


@pytest.mark.parametrize("timed", [True, False])
def test_the_end_of_a_run_is_not_its_beginning(timed: bool) -> None:
    result = quietly(small_drive({"user_sectors": 114688}, timed=timed), writes("400m"))
    end = result.wa_at_end
    assert end > result.wa > 1 and end == result.json["ftlab"]["wa_at_end"]["total"]
    assert isinstance(end.steady, bool) and bool(end.why_not) != end.steady
    assert pickle.loads(pickle.dumps(end)).why_not == end.why_not
    row = run_figures(result)
    assert list(row)[:3] == ["wa_at_end", "wa_at_end_halfwidth95", "wa_at_end_steady"] and row["wa_at_end"] == end
    tails = result.series["latency_write_us_p99"] if timed else None
    at_end = row.get("write_latency_us_p99_at_end")
    assert at_end is None if tails is None else tails.min() <= at_end <= tails.max()


def test_a_run_without_writes_has_no_write_amplification() -> None:
    result = quietly(small_drive(), ftlab.Job("[r]\nfilename=drive\nrw=randread\nsize=1m\n"))
    assert math.isnan(result.wa) and math.isnan(result.wa_at_end) and result.wa_at_end.why_not == "nothing was written"
    assert run_figures(result)["wa"] is None


def test_each_run_warns_of_each_of_its_problems() -> None:
    job = ftlab.Job("[r]\nfilename=drive\nrw=randread\nbs=4k\nsize=1m\n")
    drive = small_drive()
    for _ in range(2):
        with pytest.warns(ftlab.ProblemWarning) as warned:
            result = drive.run(job)
        assert [str(warning.message).split(":")[0] for warning in warned] == [one["code"] for one in result.problems]
        assert "unwritten_reads" in [one["code"] for one in result.problems]
        assert warned[0].filename == __file__
    assert "unwritten_reads" in repr(result) and "unwritten_reads" in result._repr_html_()
    assert shown(run_figures(result))["problems"].startswith("unwritten_reads")


def test_failed_checks_of_an_earlier_version_are_no_problems(tmp_path: object) -> None:
    result_of(problems=["the medium counts 7"], wa={"total": 1.0}).save(f"{tmp_path}/old")
    old = ftlab.Result.load(f"{tmp_path}/old")
    assert old.failed_checks == ["the medium counts 7"] and old.problems == []
    assert problems_of({"problems": {"no": "list"}}) == []


@pytest.mark.parametrize("text",
                         ["", "{", "[]", "7", json.dumps({"ftlab": 3}), json.dumps({"ftlab": {"wa": 3, "problems": 7}}),
                                  json.dumps({"ftlab": {"wa_at_end": {"total": "x"}, "wa": {"total": None}}})])
def test_a_damaged_result_can_be_shown(text: str) -> None:
    for files in ({"result.json": text}, {}):
        result = ftlab.Result(files, failed_checks=[HOSTILE], notes=[HOSTILE])
        assert repr(result).startswith("<ftlab.Result of")
        assert "<script" not in result._repr_html_()


def test_what_a_notebook_shows_is_escaped_and_small() -> None:
    problem = {"code": HOSTILE, "text": HOSTILE, "remedy": HOSTILE}
    at_end = {"total": 2.5, "half_width_95": None, "steady": False, "why_not_steady": HOSTILE}
    result = result_of(problems=[problem] * 30, wa_at_end=at_end, wa={"total": 2.0})
    text = result._repr_html_()
    assert "<script" not in text and len(text) < 5000
    assert text.index("Problems") < text.index("at the end") < text.index("since the beginning")


def test_a_drive_can_be_shown_whatever_its_state(tmp_path: object) -> None:
    drive, shown_at_work = small_drive({"name": HOSTILE}), []

    def look(row: dict) -> bool:
        shown_at_work.append((repr(drive), drive._repr_html_()))
        return True

    quietly(drive, writes("20m"))
    assert "<script" not in drive._repr_html_() and "write amplification" in drive._repr_html_()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ftlab.ProblemWarning)
        drive.run(writes("10g"), each_interval=look)
    assert all("in use by a run" in shown for shown in shown_at_work[0][:2])
    drive.close()
    assert repr(drive) == "<ftlab.Drive, closed>" and "closed" in drive._repr_html_()
    assert "closed" in ftlab.Drive.__new__(ftlab.Drive)._repr_html_()
    for kind in (ftlab.Result, ftlab.Sweep):
        assert "not made" in repr(kind.__new__(kind)) and "not made" in kind.__new__(kind)._repr_html_()


def test_a_sweep_can_be_shown_empty_and_when_its_folder_is_gone(tmp_path: object) -> None:
    grid = {"kind": "wa",
            "settings": {"blocks": 128, "pages_per_block": 16, "precision": 0.05, "most_batches": 20, "op": "10%"}}
    made = ftlab.sweep(grid, f"{tmp_path}/out", processes=1)
    assert "1 done" in made._repr_html_() and "wa_halfwidth95" in made._repr_html_()
    failing = {**grid, "settings": {**grid["settings"], "blocks": 10, "op": 0.0001}}  # too small for a spare block
    empty = ftlab.sweep(failing, f"{tmp_path}/empty", processes=1)
    assert len(empty.frame()) == 0 and "1 failed" in empty._repr_html_() and "1 failed" in repr(empty)
    (tmp_path / "out" / "sweep.sqlite").unlink()  # type: ignore[operator]
    assert "1 points" in made._repr_html_() and repr(made)
