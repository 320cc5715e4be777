"""Sweeps on the page: heat maps, Pareto fronts of designs, and points that link to their rows."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

import report_folders as folders
from ftlab.report.figures.designs import front, heat_maps, of_runs, of_sweep
from ftlab.report.best_point import best_point
from ftlab.report.page import page
from ftlab.report.picture import Cells, Curve
from ftlab.report.problems import problem_box
from ftlab.report.reading.run import read_run_folder
from ftlab.report.reading.sources import Sources, read_sources
from ftlab.report.reading.sweep_table import SweepTable, _common, make_sweep_table
from ftlab.report.sections import sections_of
from ftlab.sweeps import sweep


def table() -> SweepTable:
    rows = [{"policy": policy, "depth": depth, "seed": seed, "effective_spare": spare, "wa": 1 / spare + seed / 10,
             "write_iops": 1000.0 * depth, "write_latency_us_p99": 50.0 * depth * depth}
            for policy, spare in (("greedy", 0.1), ("fifo", 0.2)) for depth in (1, 2, 4) for seed in (1, 3)]
    return make_sweep_table(pd.DataFrame(rows), ["policy", "depth"], "grid")


def frame_of_runs() -> pd.DataFrame:
    """Two policies that rank differently at the end than since the beginning, and one run that is not steady."""
    return pd.DataFrame({"policy": ["greedy", "cost-benefit", "fifo"], "seed": 1, "simulated_s": 600.0,
                         "over_provisioning": [0.16, 0.16, 0.28], "effective_spare": [0.2, 0.2, 0.3],
                         "wa": [2.182, 2.172, 2.1], "steady_reached": [True, True, False], "steady_wa": [2.496, 2.501, 2.2],
                         "steady_iops": [900.0, 890.0, 2000.0], "write_iops": [1000.0, 1010.0, 3000.0],
                         "problems": ["", None, "not_steady;depth_counted_as_1"]})


def test_steady_figures_stand_before_those_since_the_beginning() -> None:
    table = make_sweep_table(frame_of_runs()[:2], ["policy"], "grid")
    assert table.figures() == {"wa_first": "Write amplification, steady",
                               "write_iops_first": "Throughput, write, steady (IOPS)"}
    assert table.points["wa_first"].tolist() == [2.496, 2.501] and table.points["write_iops_first"].tolist() == [900.0,
                                                                                                                 890.0]
    assert list(table.shown()) == ["design", "steady", "Over-provisioning, nominal (%)", "Effective spare (%)",
                                   "Write amplification, steady",
                                   "Write amplification, since the beginning", "Throughput, write, steady (IOPS)",
                                   "Throughput, write, since the beginning (IOPS)"]


def test_p99_stands_beside_the_throughput_of_the_same_period() -> None:
    frame = frame_of_runs().assign(write_iops_at_end=[800.0, 700.0, 600.0], steady_iops=np.nan,
                                   write_latency_us_p99=[5.0, 6.0, 7.0])
    for more, when, first in (({}, "since the beginning", 1000.0),
                              ({"write_latency_us_p99_at_end": [50.0, 60.0, 70.0]}, "at the end", 800.0)):
        picture = next(one for one in of_sweep(make_sweep_table(frame.assign(**more), ["policy"], "grid"), 0)
                       if "p99" in one.title)
        assert picture.x.label == f"Throughput, write, {when}" and picture.panels[0].y.label == f"p99, write, {when}"
        assert first in [x for mark in picture.panels[0].marks if isinstance(mark, Curve) for x in mark.x]


def test_points_that_are_not_steady_are_not_called_so_and_name_their_problems() -> None:
    table = make_sweep_table(frame_of_runs(), ["policy"], "grid")
    assert table.figures()["wa_first"] == "Write amplification, steady or at the end"
    assert table.shown()["steady"].tolist() == ["steady", "steady", "not_steady, depth_counted_as_1"]
    assert table.label(2) == "fifo; not_steady; depth_counted_as_1"
    boxed = problem_box(Sources(sweeps=[table]))
    assert "<b>grid</b>: <code>not_steady</code>: 1 of 3 points" in boxed
    at_end = make_sweep_table(frame_of_runs().assign(steady_reached=False, wa_at_end=[2.4, 2.5, 2.3]), ["policy"], "grid")
    assert at_end.figures()["wa_first"] == "Write amplification, at the end"
    assert at_end.points["wa_first"].tolist() == [2.4, 2.5, 2.3]


@given(st.lists(st.tuples(st.booleans(), st.sampled_from(["", "unwritten_reads", "depth_counted_as_1"]),
                          st.none() | st.floats(1, 9)), min_size=1, max_size=6))
@settings(max_examples=25, deadline=None)
def test_a_point_shows_its_steady_figure_else_that_at_the_end(rows: "list[tuple[bool, str, float | None]]") -> None:
    frame = pd.DataFrame([{"point": n, "seed": 1, "simulated_s": 1.0, "wa": 1.0, "steady_reached": reached, "steady_wa": 5.0,
                           "wa_at_end": end, "problems": codes} for n, (reached, codes, end) in enumerate(rows)])
    table = make_sweep_table(frame, ["point"], "grid")
    steady = [reached and codes != "unwritten_reads" for reached, codes, _ in rows]
    wanted = [5.0 if one or end is None else end for one, (_, _, end) in zip(steady, rows)]
    assert table.points["wa_first"].tolist() == wanted
    words = "steady" if all(steady) else "steady or at the end" if any(steady) else "at the end"
    assert table.words["wa_first"] == f"Write amplification, {words}"


def test_what_all_points_of_a_sweep_have_in_common_is_told() -> None:
    grid = {"drive": "d", "job": "/x/w.fio", "age": {"precondition": "random"}, "settings": {"geometry.channels": 2}}
    assert _common(grid) == "d, w.fio, precondition random, geometry.channels 2"


def test_a_sweep_leads_with_its_best_design() -> None:
    sentence = best_point(table(), 2)
    assert "Best of the 6 designs of grid" in sentence
    assert 'lowest write amplification: <b>5.2</b> with <a href="#point-2-3">' in sentence
    assert "highest throughput, write: <b>4,000 IOPS</b>" in sentence


def test_of_over_provisioning_the_price_is_told_and_no_point_that_is_not_steady_wins() -> None:
    rows = [{"over_provisioning": f"{share}%", "ftl.gc.policy": policy, "seed": 1, "simulated_s": 1.0,
             "wa_at_end": 9 / share,
             "wa": 2.0, "write_iops_at_end": iops, "write_iops": 5.0, "problems": "not_steady" if share == 80 else ""}
            for share, iops in ((10, 1000.0), (20, 2000.0), (40, 2400.0), (60, 2450.0), (80, 9000.0))
            for policy in ("greedy", "fifo")]
    table = make_sweep_table(pd.DataFrame(rows), ["over_provisioning", "ftl.gc.policy"], "grid")
    sentence = re.sub("<[^>]*>", "", best_point(table, 0))
    assert sentence.startswith("10 designs of grid, 8 of them steady: knee: OP 40 %, greedy "
                               "with 2,400 IOPS, alike within 1 %: OP 40 %, fifo;")
    assert "20\u00a0% → 40\u00a0%: +20\u00a0% IOPS, −14\u00a0% capacity;" in sentence
    assert "9,000" not in sentence and "2,450 IOPS (OP 60 %, greedy) to 1,000 IOPS" in sentence
    never = make_sweep_table(pd.DataFrame(rows).assign(problems="not_steady"), ["over_provisioning", "ftl.gc.policy"],
                             "grid")
    assert "No best, as none of the 10 designs of grid is <b>steady</b>" in best_point(never, 0)


def test_sweeps_are_drawn_over_spare_space_and_over_depth() -> None:
    over = make_sweep_table(frame_of_runs(), ["policy"], "grid").over_spare()
    assert over[["op", "wa", "policy"]].to_numpy().tolist() == [[0.16, 2.496, "greedy"], [0.16, 2.501, "cost-benefit"],
                                                                [0.28, 2.2, "fifo"]]
    rows = [{"policy": policy, "job:iodepth": depth, "seed": 1, "write_iops": 100.0 * depth, "write_latency_us_mean": 7.0}
            for policy in ("greedy", "fifo") for depth in (1, 4)]
    depths = make_sweep_table(pd.DataFrame(rows), ["policy", "job:iodepth"], "grid").over_depth()["write"]
    assert depths["group"].tolist() == ["greedy", "greedy", "fifo", "fifo"] and depths["iops"].tolist() == [100, 400, 100,
                                                                                                            400]


def test_replicates_are_folded_and_axes_that_do_not_vary_are_left_out() -> None:
    assert table().keys == ["policy", "depth"] and len(table().points) == 6
    assert table().points["wa"].tolist() == pytest.approx([10.2] * 3 + [5.2] * 3)
    assert table().label(0) == "greedy, depth 1"


def test_a_heat_map_holds_every_point_in_its_place() -> None:
    pictures = heat_maps(table(), 0)
    assert [picture.title for picture in pictures] == [
        "grid: write amplification over depth and policy", "grid: throughput, write, over depth and policy",
        "grid: p99, write, over depth and policy"]
    cells = pictures[0].panels[0].marks[0]
    assert isinstance(cells, Cells) and list(cells.columns) == ["1", "2", "4"] and list(cells.rows) == ["greedy", "fifo"]
    assert cells.values == pytest.approx(np.array([[10.2] * 3, [5.2] * 3]))
    assert cells.links is not None and cells.links[1][0] == "#point-0-3"


def test_the_front_holds_what_none_beats_in_both() -> None:
    x, y = np.array([1.0, 2.0, 3.0, 2.5, np.nan]), np.array([5.0, 3.0, 1.0, 4.0, 0.0])
    assert front(x, y).tolist() == [0, 1, 2]
    assert front(x, y, more_x=True).tolist() == [2]


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=30), st.booleans())
def test_no_point_of_a_front_is_beaten_and_every_other_is(points: "list[tuple[int, int]]", more_x: bool) -> None:
    x, y = (np.array([point[side] for point in points], dtype=float) for side in (0, 1))
    sign = -1 if more_x else 1
    kept = set(front(x, y, more_x).tolist())
    for n in range(len(points)):
        beaten = any(sign * x[k] <= sign * x[n] and y[k] <= y[n] and (x[k], y[k]) != (x[n], y[n])
                     for k in range(len(points)))
        twin = any((x[k], y[k]) == (x[n], y[n]) for k in kept)
        assert twin != beaten


def test_points_of_fronts_lead_to_their_rows() -> None:
    pictures = of_sweep(table(), 2)
    assert [picture.slug for picture in pictures] == ["front-wa-2", "front-write-2"]
    designs = [mark for mark in pictures[1].panels[0].marks if isinstance(mark, Curve) and mark.links is not None]
    assert [mark.name for mark in designs] == ["greedy", "fifo"]
    assert [link for mark in designs for link in mark.links or ()] == [f"#point-2-{row}" for row in range(6)]
    assert pictures[1].panels[0].y.unit == "µs" and "depth 4" in designs[1].words[2]  # type: ignore[index]


def test_three_runs_are_designs_too(tmp_path: Path) -> None:
    runs = []
    for number in range(3):
        key = {**folders.ftlab_key(), "over_provisioning": {"nominal": 0.1 * (number + 1), "effective_spare": 0.9}}
        folder = folders.write_run(tmp_path / f"r{number}", ftlab=key,
                                   jobs=[folders.fio_job("j", iops=100.0 * (number + 1))])
        runs.append(read_run_folder(folder, f"r{number}", False))
    pictures = of_runs(runs, [0, 1, 2])
    assert [picture.slug for picture in pictures] == ["front-runs-wa", "front-runs-write"]
    assert pictures[0].curve("r1").x == pytest.approx([20.0]) and pictures[0].curve("r1").links == ["#run-1"]


def test_a_sweep_of_runs_becomes_a_page_whose_links_all_lead_somewhere(tmp_path: Path) -> None:
    job = tmp_path / "job.fio"
    job.write_text("[w]\nfilename=drive\nioengine=libaio\nrw=randwrite\nbs=4k\nnorandommap\ntime_based\nruntime=2\n")
    grid = {"kind": "run", "drive": "example-small-and-slow", "job": str(job),
            "axes": [{"ftl.gc.policy": ["greedy", "fifo"]}, {"job:iodepth": [1, 4]}], "seeds": {"first": 1, "count": 1}}
    sweep(grid, tmp_path / "sweep", processes=1)
    text = page("A sweep", sections_of(read_sources([tmp_path / "sweep"])))
    links = set(re.findall(r"#point-[\d-]+", text))
    assert len(links) == 4 and all(f'id="{link[1:]}"' in text for link in links)


def test_over_provisioning_in_per_cent_is_a_number() -> None:
    rows = [{"op": op, "seed": 1, "wa": wa} for op, wa in (("7%", 7.3), ("28%", 2.4), ("0.5", 1.6))]
    drawn = make_sweep_table(pd.DataFrame(rows), ["op"], "grid")
    assert drawn.over_spare()["op"].tolist() == pytest.approx([0.07, 0.28, 0.5])
    assert drawn.points["wa"].tolist() == [7.3, 2.4, 1.6] and drawn.axes(0) == "OP 7 %"
