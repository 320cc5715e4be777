"""Each picture and its specification contain the numbers of the files."""

import dataclasses
import html
import io
import json
from pathlib import Path
from typing import Any, Dict

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from PIL import Image

import report_folders as folders
from ftlab.errors import ConfigError
from ftlab.report.figures.against import against_over_time, against_points
from ftlab.report.figures.wear import amplification_parts, erase_histogram
from ftlab.report.figures.blame import latency_blame
from ftlab.report.reading.sources import Sources, read_board, read_sources
from ftlab.report.figures.collection import collection_over_time
from ftlab.report.figures.intervals import figures as rates, latencies_over_time, rates_over_time
from ftlab.report.figures.nines import nines, operations_of
from ftlab.report.figures.over_time import Extras
from ftlab.report import palette
from ftlab.report.picture import Axis, Band, Cells, Columns, Curve, Guide, Panel, Picture, Ribbon
from ftlab.report.ending import Ending
from ftlab.report.figures.point_curves import bars_over_depth, curves_over_block_size, curves_over_depth, figures as point_curves
from ftlab.report.reading.points import points_of_jobs, varies
from ftlab.report.reading.procedure import points_of, read_procedure
from ftlab.report.reading.run import Run, read_run_folder
from ftlab.report.agreement import factor_of
from ftlab.report.figures.scoreboard import scoreboard
from ftlab.report.figures.spare import amplification_over_spare, by_workload
from ftlab.report.figures.steady import steady_rounds, steady_run


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return read_run_folder(folders.write_run(tmp_path / "run"), "run", False)


def trace(picture: Picture, name: str) -> Dict[str, Any]:
    return next(mark for mark in marks_of(picture) if mark["name"] == name)


def marks_of(picture: Picture) -> "list[Dict[str, Any]]":
    """The fields of each mark, arrays as lists."""
    marks = [vars(mark) for panel in picture.panels for mark in panel.marks]
    return [{key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in mark.items()}
            for mark in marks]


def tables_in(specification: Any) -> "list[pd.DataFrame]":
    """All tables of a specification, in order."""
    if isinstance(specification, list):
        return [table for one in specification for table in tables_in(one)]
    if not isinstance(specification, dict):
        return []
    own = [pd.read_csv(io.StringIO(specification["data"]["values"]))] if "data" in specification else []
    return own + [table for one in specification.values() for table in tables_in(one)]


def test_speed_over_time_is_the_series(run: Run) -> None:
    picture = rates_over_time({"run": run.series})
    drawn = marks_of(picture)
    assert [t["name"] for t in drawn] == ["write"]  # reads and trims are zero; MB/s of small requests would look the same
    assert drawn[0]["x"] == run.series["t_s"].tolist()
    assert drawn[0]["y"] == run.series["write_iops"].tolist()
    assert [panel.y.title for panel in picture.panels] == ["Requests (IOPS)"]
    large = rates_over_time({"run": run.series.assign(write_MB_per_s=run.series["write_iops"] * 0.131072)})
    assert large.panels[0].y.unit == "MB/s" and large.curve("write").y == pytest.approx(run.series["write_iops"] * 0.131072)
    tables = tables_in(picture.specification())
    for axis, column in (("x", "t_s"), ("y", "write_iops")):
        assert tables[0][axis].tolist() == run.series[column].tolist()


def test_rounding_takes_no_last_point_out_of_the_view(run: Run) -> None:
    specification = rates_over_time({"run": run.series.assign(t_s=run.series["t_s"] * 1.000059941)}).specification()
    view = {one["name"]: one["value"] for one in specification["params"]}
    drawn = pd.concat(tables_in(specification))["x"].dropna()
    assert len(drawn) and drawn.between(view["x_from"], view["x_to"]).all()


def test_two_runs_have_a_colour_each(run: Run) -> None:
    picture = rates_over_time({"one": run.series, "other": run.series * 2})
    assert len(picture.panels) == 1 and picture.curve("one").hue != picture.curve("other").hue
    assert picture.curve("other").y.tolist() == (run.series["write_iops"] * 2).tolist()


def test_time_is_told_in_the_unit_that_suits_its_length(run: Run) -> None:
    assert rates_over_time({"run": run.series}).x.unit == "s"
    long = run.series.assign(t_s=run.series["t_s"] * 720)
    picture = rates_over_time({"run": long})
    assert picture.x.unit == "min" and picture.curve("write").x[-1] == 240


def test_latencies_over_time_are_the_series_in_the_unit_of_the_axis(run: Run) -> None:
    picture = latencies_over_time({"run": run.series})
    assert picture.panels[0].y.unit == "µs" and len(picture.panels) == 1
    assert picture.curve("p99").y.tolist() == run.series["latency_write_us_p99"].tolist()
    slow = run.series.assign(**{c: run.series[c] * 1000 for c in run.series if c.startswith("latency_")})
    picture = latencies_over_time({"run": slow})
    assert picture.panels[0].y.unit == "ms"
    assert picture.curve("max").y == pytest.approx(run.series["latency_write_us_max"])


def test_collection_is_told_per_second(run: Run) -> None:
    half = run.series.assign(length_s=0.5)
    picture = collection_over_time({"run": half})
    assert picture.curve("free superblocks", 0).y.tolist() == run.series["free_superblocks"].tolist()
    assert picture.curve("pages copied", 1).y.tolist() == (run.series["relocated_pages"] * 2).tolist()
    assert picture.curve("blocks erased", 2).y.tolist() == (run.series["block_erases"] * 2).tolist()
    assert picture.curve("WA since the beginning", 3).y.tolist() == run.series["wa_cumulative"].tolist()


def test_nines_are_the_quantiles_of_the_bins(run: Run) -> None:
    curve = nines({"run": run.latencies}).curve("write")
    # 900 of 1000 requests in the first bin, then 90, 9 and 1.
    assert curve.x == pytest.approx([1, 10, 100, 1000, 1000])
    assert curve.y.tolist() == [1, 2, 50, 9000, 9000]
    picture = nines({"run": run.latencies})
    assert tables_in(picture.specification())[0]["words"].tolist()[:3] == [0, 90, 99]
    assert picture.table()["x"].tolist() == ["0", "90", "99", "99.9", "99.9"]


@given(st.dictionaries(st.integers(1, 10**9), st.integers(1, 1000), min_size=1, max_size=40), st.data())
@settings(max_examples=100, deadline=None)
def test_any_quantile_read_from_the_nines_is_that_of_the_requests(bins: Dict[int, int],
                                                                  data: st.DataObject) -> None:
    frame = pd.DataFrame({"job": "a", "direction": "read", "latency_ns": bins.keys(), "count": bins.values()})
    curve = nines({"run": frame}).panels[0].marks[0]
    assert isinstance(curve, Curve)
    requests = sorted(ns for ns, count in bins.items() for _ in range(count))
    rank = data.draw(st.integers(0, len(requests) - 1))  # number of faster requests
    x = len(requests) / (len(requests) - rank)
    step = np.searchsorted(curve.x[:-1], x * (1 + 1e-9), side="right") - 1
    unit = {"µs": 1e3, "ms": 1e6, "s": 1e9}[nines({"run": frame}).panels[0].y.unit]
    assert curve.y[step] * unit == pytest.approx(requests[rank])


def test_the_parts_of_latency_sum_exactly_to_the_whole(run: Run) -> None:
    parts = run.ftlab["latency_parts_ns"]
    picture = latency_blame({"run": parts}, {"run": 1000})
    drawn = {t["name"]: t for t in marks_of(picture)}
    assert list(drawn) == ["die", "queue wait", "link"]  # a part without time is left out
    assert drawn["link"]["words"] == ["3000000 ns of 14530000 ns (20.6 %)"]
    told = [int(t["words"][0].split(" ns")[0]) for t in drawn.values()]
    assert sum(told) == sum(parts.values()) == 14_530_000
    assert sum(t["lengths"][0] for t in drawn.values()) == pytest.approx(14.53)  # µs, the mean
    assert picture.x.unit == "µs"


def test_the_parts_of_write_amplification_sum_to_its_total(run: Run) -> None:
    wa = run.ftlab["wa"]
    drawn = marks_of(amplification_parts({"run": wa}))
    assert {t["name"]: t["lengths"] for t in drawn} == {"host": [1.0], "relocation": [1.5], "mapping": [0.25]}
    assert sum(t["lengths"][0] for t in drawn) == wa["total"]


def test_write_amplification_over_spare_has_points_and_theory() -> None:
    table = pd.DataFrame({"op": [0.28, 0.07, 0.07], "wa": [2.4, 7.0, 8.0],
                          "policy": ["greedy", "greedy", "fifo"],
                          "theory": [2.41, 7.01, 7.9]})
    picture = amplification_over_spare(table)
    assert picture.curve("greedy").x == pytest.approx([7, 28])
    assert picture.curve("greedy").y.tolist() == [7.0, 2.4]
    assert picture.curve("greedy, theory").style == "line"
    assert picture.curve("fifo, theory").y.tolist() == [7.9]
    assert trace(picture, "greedy")["style"] == "points"


def test_replicates_become_their_mean_and_its_interval() -> None:
    table = pd.DataFrame({"op": [0.1, 0.1, 0.1, 0.1], "wa": [4.0, 6.0, 4.0, 6.0], "seed": [1, 2, 3, 4]})
    curve = amplification_over_spare(table).curve("simulated")
    assert curve.y.tolist() == [5.0]
    assert curve.half_width == pytest.approx([1.96 * np.sqrt(4 / 3) / 2])


def test_a_sweep_has_a_picture_for_each_workload_and_its_own_names_of_columns() -> None:
    table = pd.DataFrame({"op": [0.1, 0.2] * 4, "wa": [5.0, 3.0, 6.0, 4.0, 7.0, 5.0, 8.0, 6.0],
                          "policy": ["greedy", "greedy", "fifo", "fifo"] * 2,
                          "workload": ["uniform"] * 4 + ["zipf:0.8"] * 4,
                          "theory_wa": [5.1] * 8, "wa_halfwidth95": [0.01] * 8})
    groups = by_workload(table)
    assert [kind for kind, _ in groups] == ["uniform", "zipf:0.8"]
    picture = amplification_over_spare(groups[1][1])
    assert picture.curve("fifo").y.tolist() == [8.0, 6.0]
    assert picture.curve("fifo").half_width == pytest.approx([0.01, 0.01])
    assert picture.curve("greedy, theory").y.tolist() == [5.1, 5.1]


def test_a_table_without_its_columns_is_refused() -> None:
    with pytest.raises(ConfigError, match="^op: column is missing$"):
        amplification_over_spare(pd.DataFrame({"OP": [1.0], "wa": [1.0]}))


def test_the_histogram_of_erases_has_every_block(run: Run) -> None:
    bars = trace(erase_histogram({"run": run.ftlab["erases"]["histogram"]}), "blocks")
    assert bars["x_from"] == [0, 1, 2, 3] and bars["y"] == [2, 5, 0, 3]
    two = erase_histogram({"a": run.ftlab["erases"]["histogram"], "b": run.ftlab["erases"]["histogram"]})
    assert trace(two, "b")["y"] == [20, 50, 0, 30] and two.panels[0].y.unit == "% of the drive's"


def test_the_steady_window_is_where_the_verdict_says(run: Run) -> None:
    verdict = {"reached": True, "steady_from_s": 10.0, "at_s": 20.0,
               "iops": {"mean": 1100.0, "half_width_95": 9.0},
               "wa": {"mean": 2.0, "half_width_95": None}}
    picture = steady_run(run.series, verdict)
    assert (picture.bands[0].x_from, picture.bands[0].x_to) == (10.0, 20.0)
    assert picture.curve("mean").y.tolist() == [1100.0, 1100.0]
    assert np.nanmax(picture.curve("95 % confidence").y) == 1109.0
    assert picture.curve("requests").y.tolist() == run.series["write_iops"].tolist()
    with pytest.raises(KeyError):
        picture.curve("95 % confidence", 1)  # unknown for write amplification


def test_rounds_show_the_window_its_range_and_its_line() -> None:
    values = [50.0, 100.0, 110.0, 120.0]
    rounds = {"values": values, "tracked": "iops", "reached": True, "first_round_of_window": 2,
              "last_round_of_window": 4, "average": 110.0, "slope_per_round": 10.0,
              "rule": {"range_percent": 20, "slope_percent": 10}}
    picture = steady_rounds(rounds)
    assert picture.curve("rounds").y.tolist() == values
    assert picture.curve("fitted line").y.tolist() == [100.0, 120.0]
    assert np.nanmin(picture.curve("allowed range").y) == pytest.approx(99.0)
    assert (picture.bands[0].x_from, picture.bands[0].x_to) == (1.5, 4.5)
    assert "reached after 4" in picture.title


def test_curves_over_depth_are_the_rows_of_the_procedure(tmp_path: Path) -> None:
    points = points_of(read_procedure(folders.write_procedure(tmp_path / "p"), "p", False))
    picture = curves_over_depth({"p": points})
    assert picture.curve("read").x.tolist() == [1, 2, 4]
    assert picture.curve("write").y.tolist() == [1005, 2005, 4005]
    assert picture.curve("write", 1).y.tolist() == [250, 125, 62.5]
    assert list(picture.x.ticks.values()) == ["1", "2", "4"]
    assert not varies(points, "bs")


def test_bars_over_depth_are_the_same_rows_with_latency_beside(tmp_path: Path) -> None:
    points = points_of(read_procedure(folders.write_procedure(tmp_path / "p"), "p", False))
    picture = bars_over_depth({"p": points})
    assert [panel.title for panel in picture.panels] == ["read", "write"]
    requests, latency = picture.panels[1].marks
    assert isinstance(requests, Columns) and isinstance(latency, Columns)
    assert requests.y.tolist() == [1005, 2005, 4005] and latency.y.tolist() == [250, 125, 62.5] and latency.right
    assert requests.words == ["1.00k", "2.00k", "4.00k"] and latency.words == ["250", "125", "62.5"]
    rows = picture.table()
    assert rows["x"].tolist()[:3] == ["1", "2", "4"] and rows["panel"].tolist()[0] == "read"
    layers = picture.specification()["vconcat"][0]["layer"]
    assert [layer["layer"][0]["encoding"]["y"]["axis"]["orient"] for layer in layers] == ["left", "right"]


def test_bars_are_drawn_for_one_source_and_curves_for_several(tmp_path: Path) -> None:
    one, two = (folders.write_procedure(tmp_path / name) for name in ("p", "q"))
    drawn = [picture.title for of in ([one], [one, two]) for picture in point_curves(read_sources(of))]
    assert drawn == ["IOPS and latency over the queue depth", "Speed and latency over the queue depth"]


def test_an_interval_is_an_area_around_throughput_and_residual(run: Run) -> None:
    bounds = {"level": 0.8, "known": "sheet", "wa": [2.0, 3.0], "jobs": [
        {"job": "random-write", "direction": "write", "iops": [800.0, 1250.0]}]}
    known = dataclasses.replace(run, ftlab={**run.ftlab, "intervals": bounds})
    assert factor_of(known, "Throughput, write") == pytest.approx(1.25)
    assert factor_of(known, "WA") == pytest.approx(1.5 ** 0.5)
    assert all(np.isnan(factor_of(one, name)) for one, name in ((known, "p99, write"), (run, "WA")))
    panel = rates(Sources(runs=[known]))[0].panels[0]
    area, line = panel.marks
    assert isinstance(area, Ribbon) and isinstance(line, Curve)
    assert (area.high / line.y).tolist() == pytest.approx([1.25] * len(line.y))
    against = against_over_time(run.series, run.series, factors={"write": 1.25})
    residual = against.panels[1].marks[0]
    assert isinstance(residual, Ribbon) and (residual.low[0], residual.high[0]) == (pytest.approx(-20), pytest.approx(25))
    assert not any(isinstance(mark, Ribbon) for panel in against_over_time(run.series, run.series).panels
                   for mark in panel.marks)


def test_jobs_that_differ_in_block_size_are_a_curve(tmp_path: Path) -> None:
    rates = {"128k": 100.0, "4k": 900.0, "8k": 500.0}
    jobs = [folders.fio_job(f"j{bs}", {"bs": bs}, iops) for bs, iops in rates.items()]
    run = read_run_folder(folders.write_run(tmp_path / "r", jobs=jobs), "r", False)
    picture = curves_over_block_size({"r": points_of_jobs(run.jobs)})
    assert picture.curve("randwrite", 1).x.tolist() == [4096, 8192, 131072]
    assert picture.curve("randwrite", 1).y.tolist() == [900, 500, 100]
    assert list(picture.x.ticks.values()) == ["4 KiB", "8 KiB", "128 KiB"]


def test_a_run_has_its_colour_in_every_picture_whichever_others_are_in_it(tmp_path: Path, run: Run) -> None:
    points = points_of(read_procedure(folders.write_procedure(tmp_path / "p"), "p", False))
    hues = {"first": 0, "second": 1, "third": 2}
    depth = curves_over_depth({"first": points, "third": points}, hues)
    assert {curve.name.split(":")[0]: curve.hue for curve in depth.panels[0].marks} == {"first": 0, "third": 2}
    same = [[curve.symbol for curve in depth.panels[0].marks if curve.name.startswith(name)] for name in ("first", "third")]
    assert same[0] == same[1] and len(set(same[0])) == len(same[0]) > 1  # a workload has the same symbol in every run
    against = against_over_time(run.series, run.series, hues=(2, 1))
    assert (against.curve("simulated, write").hue, against.curve("measured, write").hue) == (2, 1)
    assert against.curve("residual, write", 1).hue == 2
    bins = {"third": run.latencies, "second": run.latencies}
    assert {curve.name.split(":")[0]: curve.hue for curve in nines(bins, hues).panels[0].marks
            if isinstance(curve, Curve)} == {"third": 2, "second": 1}


def test_the_picture_of_rounds_names_what_they_track() -> None:
    rounds = {"values": [1.0, 2.0], "tracked": "latency_mean_ns", "reached": False}
    picture = steady_rounds(rounds)
    assert (picture.panels[0].y.label, picture.panels[0].y.unit) == ("Mean latency", "ns")
    assert picture.title == "Steady state of rounds: not reached after 2" and not picture.bands


def test_residuals_are_simulated_over_measured_less_one(run: Run) -> None:
    picture = against_over_time(run.series, run.series.assign(write_iops=run.series["write_iops"] * 2))
    assert picture.curve("residual, write", 1).y == pytest.approx([-50.0] * 20)
    assert picture.curve("measured, write").y == pytest.approx(run.series["write_iops"] * 2)


def test_residuals_of_different_grids_compare_the_same_requests(run: Run) -> None:
    pairs = run.series["write_iops"].to_numpy().reshape(10, 2).mean(axis=1)
    coarse = pd.DataFrame({"t_s": np.arange(2.0, 21.0, 2.0), "length_s": 2.0, "write_iops": pairs})
    picture = against_over_time(run.series, coarse)
    residual = picture.curve("residual, write", 1)
    assert residual.x.tolist() == coarse["t_s"].tolist()
    assert residual.y == pytest.approx(np.zeros(10), abs=1e-9)


def test_points_are_matched_by_their_workload(tmp_path: Path) -> None:
    def jobs(rates: Dict[str, float]) -> pd.DataFrame:
        made = [folders.fio_job(f"j{depth}-{rate}", {"iodepth": depth}, rate)
                for depth, rate in rates.items()]
        return read_run_folder(folders.write_run(tmp_path / str(rates["1"]), jobs=made), "r", False).jobs
    picture = against_points(jobs({"1": 110.0, "4": 390.0, "8": 1.0}),
                             jobs({"1": 100.0, "4": 400.0, "2": 7.0}))
    assert picture.curve("workloads").x.tolist() == [100, 400]
    assert picture.curve("workloads").y.tolist() == [110, 390]
    assert picture.curve("residual", 1).y == pytest.approx([10, -2.5])
    assert "2 rows of one have no counterpart" in picture.caption


def test_the_scoreboard_marks_misses(tmp_path: Path) -> None:
    path = folders.write_board(tmp_path / "board.json")
    board = read_board(json.loads(path.read_text()), path, "board")
    picture = scoreboard(board.rows)
    assert board.rows["holds"].tolist() == [False, True, True]  # misses first
    assert picture.curve("a review, misses").y == pytest.approx([0.25])
    assert picture.curve("a review, holds").y == pytest.approx([1.05])
    assert picture.curve("a review, misses").symbol != picture.curve("a review, holds").symbol
    assert trace(picture, "a review, misses")["words"] == [
        "X: statement 2; published 200 MB/s, simulated 50"]


def test_long_series_are_drawn_as_medians_of_common_groups() -> None:
    ends = np.arange(1.0, 36_001.0)
    series = pd.DataFrame({"t_s": ends, "length_s": 1.0, "write_iops": 100 + ends % 2, "wa": 2.0})
    verdict = {"steady_from_s": 18e3, "at_s": 36e3, "reached": True}
    for picture in (steady_run(series, verdict), against_over_time(series, series), rates_over_time({"r": series})):
        assert all(len(mark.x) <= 300 for panel in picture.panels for mark in panel.marks if isinstance(mark, Curve))
        assert "medians of up to 120 neighbouring intervals" in picture.caption


def test_names_stand_at_the_ends_of_ordered_lines_unless_they_overlap() -> None:
    def spec_of(ends: "list[float]", hue: int) -> Any:
        curves = [Curve(f"OP {n}", np.array([0.0, 1.0]), np.array([1.0, end]), "line", hue + n)
                  for n, end in enumerate(ends)]
        return Picture("s", "t", "", Axis("Time", "s"), [Panel(Axis("y"), curves)]).specification()["vconcat"][0]
    def names(ends: "list[float]") -> "list[str]":
        layers = [one for one in spec_of(ends, palette.RAMP)["layer"] if one.get("mark", {}).get("align") == "left"]
        return sorted(row.split(",")[1] for one in layers for row in one["data"]["values"].splitlines()[1:])
    assert names([100.0, 50.0, 10.0]) == ["OP 0", "OP 1", "OP 2"]
    assert names([100.0, 97.0, 10.0]) == ["OP 0", "OP 2"]  # OP 1 would cover OP 0
    assert names([100.0, 50.0, 49.9]) == ["OP 0"]  # a name at a bundle would not tell which line it means
    drawn = spec_of([100.0, 50.0, 10.0], palette.RAMP)
    assert drawn["width"] < spec_of([100.0, 50.0], 0)["width"]
    assert "left" not in json.dumps(spec_of([100.0, 50.0], 0)["layer"])


def test_a_heat_map_is_pale_where_numbers_hardly_differ() -> None:
    def darkest(values: "list[float]") -> float:
        cells = Cells("p99", ["a", "b"], ["r"], np.array([values]))
        drawn = Picture("s", "t", "", Axis("x"), [Panel(Axis("p99", "ms"), [cells])]).specification()["vconcat"][0]
        low, top = drawn["layer"][0]["encoding"]["color"]["scale"]["domain"]
        return float((max(values) - low) / (top - low))
    assert darkest([31.3, 32.9]) < 0.2 and darkest([100.0, 110.0]) < 0.4 and darkest([1.0, 2.0]) == 1.0


def test_every_axis_of_every_picture_has_a_unit_or_is_a_name(run: Run) -> None:
    pictures = [rates_over_time({"r": run.series}), latencies_over_time({"r": run.series}),
                collection_over_time({"r": run.series}), nines({"r": run.latencies}),
                latency_blame({"r": run.ftlab["latency_parts_ns"]}, {"r": 1000}),
                amplification_parts({"r": run.ftlab["wa"]}),
                erase_histogram({"r": run.ftlab["erases"]["histogram"]})]
    for picture in pictures:
        axes = [picture.x, *(panel.y for panel in picture.panels if not panel.categories)]
        assert all(axis.unit for axis in axes), picture.slug


def test_a_png_is_a_picture_and_the_same_every_time(run: Run) -> None:
    picture = rates_over_time({"run": run.series})
    first = picture.png()
    assert first == picture.png() and picture.svg() == picture.svg()
    with Image.open(io.BytesIO(first)) as image:
        assert image.format == "PNG" and image.width > 1000


def test_names_that_look_like_markup_are_drawn_literally(run: Run) -> None:
    hostile = ["<a href='https://x'>y</a>", "$\\frac{", "_hidden", "%{x}"]
    picture = rates_over_time({name: run.series for name in hostile})
    assert [entry[0] for entry in picture.specification()["usermeta"]["legend"]] == hostile
    drawn = picture.svg()
    assert "<a " not in drawn and all(html.escape(name, quote=False) in drawn for name in hostile)


def test_a_long_series_is_a_line_of_medians_in_a_band(run: Run) -> None:
    stream = np.random.Generator(np.random.PCG64(2))
    seconds = np.arange(1.0, 7201.0)
    series = pd.DataFrame({"t_s": seconds, "length_s": 1.0, "write_iops": 1000 + 50 * stream.standard_normal(7200),
                           "write_MB_per_s": 4.0})
    panel = rates_over_time({"run": series}).panels[0]
    band, line = panel.marks[0], panel.marks[1]
    assert isinstance(band, Ribbon) and isinstance(line, Curve) and len(line.x) == 300
    assert line.x[-1] == 120 and rates_over_time({"run": series}).x.unit == "min"
    assert line.y == pytest.approx(np.median(series["write_iops"].to_numpy().reshape(300, 24), axis=1))
    inside = [(band.low[n] <= group).mean() for n, group in enumerate(series["write_iops"].to_numpy().reshape(300, 24))]
    assert min(inside) > 0.9 and (band.low < line.y).all() and (line.y < band.high).all()


def test_phases_and_the_end_are_marked(run: Run) -> None:
    extras = Extras(phases={"run": [{"name": "fill", "from_s": 0.0, "to_s": 5.0},
                                    {"name": "mixed", "from_s": 5.0, "to_s": 20.0}]},
                    endings={"run": Ending(10.0, 20.0, False, "it drifts")})
    panel = rates_over_time({"run": run.series}, extras).panels[0]
    assert panel.bands == [Guide("fill", 0, "x"), Guide("mixed", 5, "x"), Band("not steady", 10, 20, lane=0)]


def test_a_picture_that_is_not_steady_says_so_in_title_and_band(run: Run) -> None:
    verdict = {"reached": False, "why_not": "throughput drifts", "steady_from_s": 10.0, "at_s": 20.0,
               "iops": {"mean": 1100.0}}
    picture = steady_run(run.series, verdict)
    assert picture.title == "Steady state: not reached, throughput drifts"
    assert picture.bands[0].name == "judged, not steady"
    reached = steady_run(run.series, {**verdict, "reached": True})
    assert reached.title == "Steady state: reached at 20 s, IOPS 1,100" and reached.bands[0].name == "judged steady"


def test_percentiles_and_the_flash_s_own_times_are_reference_lines(run: Run) -> None:
    operations = operations_of([{"nand": {"read_ns": {"value": 75000}}}, {"nand": {"read_ns": 75000, "erase_ns": [1, 2]}}])
    assert operations == {"tR": 75.0}
    guides = [mark for mark in nines({"run": run.latencies}, None, operations).panels[0].marks if isinstance(mark, Guide)]
    assert [(guide.name, guide.place) for guide in guides] == [("p50", 2.0), ("p99", 100.0), ("tR", 75.0)]


@given(st.lists(st.lists(st.integers(0, 200), min_size=1, max_size=40), min_size=1, max_size=4))
@settings(max_examples=100)
def test_histograms_of_several_runs_share_bins_and_lose_no_block(drives: "list[list[int]]") -> None:
    histograms = {str(n): as_histogram(erases) for n, erases in enumerate(drives)}
    picture = erase_histogram(histograms)
    bars = [mark for mark in picture.panels[0].marks if isinstance(mark, Columns)]
    assert all(bar.x_from.tolist() == bars[0].x_from.tolist() and bar.x_to.tolist() == bars[0].x_to.tolist() for bar in bars)
    assert [bar.y.sum() for bar in bars] == pytest.approx([100.0] * len(bars) if len(bars) > 1 else [len(drives[0])])
    assert len(bars[0].x_from) <= 65


def as_histogram(erases: "list[int]") -> "list[dict[str, int]]":
    """Erases in the format of result.json: up to 16 classes of equal width."""
    width = (max(erases) - min(erases)) // 16 + 1
    edges = range(min(erases), max(erases) + 1, width)
    return [{"from": low, "below": low + width, "blocks": sum(low <= one < low + width for one in erases)} for low in edges]
