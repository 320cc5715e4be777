"""The top of the page: differences between runs, their effect, and whether it exceeds the scatter."""

import dataclasses
import re
import tempfile
from pathlib import Path
from typing import Any, Dict

import numpy as np
import pandas as pd
import pytest
import report_folders as folders
from hypothesis import HealthCheck, given, settings, strategies as st

from ftlab.report import palette
from ftlab.report.agreement import against_words
from ftlab.report.answer import differences, in_short
from ftlab.report.corners import corners_problem, corners_words
from ftlab.report.digits import column_texts, figure_texts
from ftlab.report.ending import ending_of, fresh_until
from ftlab.report.figures.blame import buffer_waits, slowest_blame
from ftlab.report.figures.point_curves import figures as depth_bars
from ftlab.report.figures.intervals import figures as rates_figures
from ftlab.report.figures.steady import figures as steady
from ftlab.report.headline import headline, ratio_words, tail_words
from ftlab.report.measures import Measure, measures_of
from ftlab.report.names import named_by_difference
from ftlab.report.price import knee, no_knee_words
from ftlab.report.problems import how_far, problem_box
from ftlab.report.reading.latency_parts import slowest_parts, split, uses_of, waits_of
from ftlab.report.reading.facts import FAILED_CHECK
from ftlab.report.reading.procedure import read_procedure
from ftlab.report.reading.run import Run, read_run_folder
from ftlab.report.reading.sources import Sources
from ftlab.report.scatter import Track, batch_means, paired_scatter, relative_scatter, steady_level
from ftlab.sweeps.summary import half_width


def run_of(home: Path, name: str, jobs: "Any" = None, **changes: Any) -> Run:
    key: Dict[str, Any] = {**folders.ftlab_key(), **changes}
    return read_run_folder(folders.write_run(home / name, ftlab=key, jobs=jobs), name, False)


def test_cards_show_the_interval_of_a_real_drive_and_whether_the_measured_one_lies_in_it(tmp_path: Path) -> None:
    bounds = {"level": 0.8, "known": "sheet",
              "jobs": [{"job": "random-write", "direction": "write", "iops": [800.0, 1250.0]}]}
    rates = {**folders.ftlab_key()["rates_at_end"], "write": {"iops": 3000.0, "bytes_per_s": 12288000.0}}
    simulated = run_of(tmp_path, "simulated", intervals=bounds)
    near, far = (dataclasses.replace(run_of(tmp_path, name, **more), measured=True)
                 for name, more in (("near", {}), ("far", {"rates_at_end": rates})))
    text = short([simulated, near, far])
    assert "80 % of cases" in text and "×/÷ 1.25" in text
    assert text.count("in the 80 % interval") == 1 and text.count("outside the 80 % interval") == 1


def short(runs: "list[Run]") -> str:
    return "".join(in_short(runs, {run.name: number for number, run in enumerate(runs)}))


def titled(run: Run) -> "Dict[str, Measure]":
    return {measure.title: measure for measure in measures_of([run])}


def test_keys_that_differ_are_told_with_both_values(tmp_path: Path) -> None:
    drive = {**folders.ftlab_key()["drive"], "ftl": {"gc": {"policy": "fifo"}}}
    one = run_of(tmp_path, "one")
    other = run_of(tmp_path, "other", [folders.fio_job("random-write", {"iodepth": "8"})], drive=drive, seed=9,
                   before={"host_write_bytes": 4096, "mapped_bytes": 0, "block_erases": 0})
    assert dict(differences([one, other])) == {
        "state before: host write bytes": ["0", "4\u2009096"], "job: [random-write] iodepth": ["4", "8"],
        "seed": ["7", "9"], "drive: ftl.gc.policy": ["–", "fifo"]}


def test_equal_runs_are_said_to_be_equal(tmp_path: Path) -> None:
    runs = [run_of(tmp_path, "one"), run_of(tmp_path, "other")]
    assert differences(runs) == []
    assert "No setting differs" in short(runs)


def test_cards_hold_the_figures_of_the_results(tmp_path: Path) -> None:
    run = run_of(tmp_path, "one")
    measures = titled(run)
    assert list(measures)[:2] == ["WA at the end", "WA since the beginning"]
    assert (measures["WA at the end"].values, measures["WA since the beginning"].values) == ([2.95], [2.75])
    assert measures["WA at the end"].figures[0].scatter == pytest.approx(0.02)
    throughput = measures["Throughput, write, at the end"]
    assert throughput.values == [1200.0] and throughput.unit == "IOPS" and throughput.figures[0].scatter == 0.02
    assert measures["Throughput, write, since the beginning"].values == [1000.0]
    tails = [measures[f"{p}, write, since the beginning"].values[0] for p in ("p50", "p99", "p99.9")]
    assert tails == [1.0, 2.0, 50.0]  # µs, from the bins
    large = re.findall(r'<p class="value"><b>(.*?)</b>', short([run]))
    assert large[:2] == ["2.950", "1\u2009200"]
    erases = sum(second * 3 for second in range(1, 21))
    written = sum(1000 + 37 * (second % 11) for second in range(1, 21)) * 4096 / 1e9
    assert measures["Erases, since the beginning"].values[0] == pytest.approx(erases / written)


def test_batch_means_and_their_interval_are_those_of_the_book() -> None:
    values = np.repeat(np.arange(10.0), 3)
    means = batch_means(values, np.ones(30))
    assert means.tolist() == list(range(10))
    assert half_width(means) == pytest.approx(2.262 * np.std(np.arange(10), ddof=1) / np.sqrt(10), rel=1e-3)
    assert np.isnan(half_width(batch_means(np.ones(4), np.ones(4))))  # too few intervals


def test_a_difference_within_the_scatter_is_told_from_one_beyond_it(tmp_path: Path) -> None:
    stream = np.random.Generator(np.random.PCG64(4))
    runs = []
    for name, rate in (("a", 1000), ("b", 1005), ("c", 1200)):
        run = run_of(tmp_path, name, [folders.fio_job("random-write", iops=rate)])
        assert run.series is not None
        noisy = run.series.assign(write_iops=rate * (1 + 0.05 * stream.standard_normal(len(run.series))))
        runs.append(dataclasses.replace(run, series=noisy))
    text = short([dataclasses.replace(run, ftlab={key: one for key, one in run.ftlab.items() if not key.endswith("_at_end")})
                  for run in runs])
    assert re.search(r"\.\d %, within the scatter", text) and re.search(r'<span class="beyond">\+[12]\d\.\d %</span>', text)
    assert "<em>best</em>" in text and re.search(r"<b>c</b> is best \(\+[12]\d\.\d % against the next\)", text)


def drawn_pair(stream: np.random.Generator, difference: float, late: bool = False) -> "tuple[Track, Track]":
    """Two runs with common drift and independent noise; the second is better by a share, if `late` only after a third."""
    count = int(stream.integers(60, 400))
    place = np.arange(1.0, count + 1) / count
    drift = [1 + stream.uniform(1, 6) * np.exp(-place / stream.uniform(0.05, 0.4)), 1 + stream.uniform(0, 3) * (1 - place),
             np.where(place < stream.uniform(0.1, 0.5), stream.uniform(1, 4), 1.0)][stream.integers(3)]
    share = stream.uniform(0.02, 0.1)
    better = 1 + difference * np.where(late, 1.5 * (place > 1 / 3), 1.0)
    one, other = (drift * much * (1 + share * stream.standard_normal(count)) for much in (1.0, better))
    return (Track(place, one, np.ones(count)), Track(place, other, np.ones(count)))


@pytest.mark.parametrize("late", [False, True])
def test_a_planted_difference_of_two_drifting_runs_is_called_and_chance_is_not(late: bool) -> None:
    stream = np.random.Generator(np.random.PCG64(1))

    def called(difference: float, shift_s: float = 0.0) -> bool:
        one, other = drawn_pair(stream, difference, late)
        moved = Track(other.ends_s + shift_s, other.values, other.weights)
        both = paired_scatter(one, moved)
        assert (both is None) == (shift_s > 0)
        if both is None:
            both = float(np.hypot(relative_scatter(one), relative_scatter(moved) * other.mean() / one.mean()))
        return abs(other.mean() / one.mean() - 1) > both
    assert sum(called(0.0) for _ in range(500)) <= 35  # 7 %
    assert sum(called(-0.2) for _ in range(200)) >= 190
    assert sum(called(0.0, 1e6) for _ in range(200)) <= 14  # runs without common intervals
    assert sum(called(1.0, 1e6) for _ in range(100)) >= 90


def test_scatter_covers_the_mean_of_independent_intervals_in_19_of_20_runs() -> None:
    stream = np.random.Generator(np.random.PCG64(1))
    held = 0
    for _ in range(1000):
        track = Track(np.arange(100.0), 100 + 10 * stream.standard_normal(100), np.ones(100))
        held += abs(track.mean() / 100 - 1) <= relative_scatter(track)
    assert 930 <= held <= 975


def test_of_a_job_with_phases_the_last_one_is_compared(tmp_path: Path) -> None:
    phases = [{"name": "fill", "from_s": 0.0, "to_s": 10.0}, {"name": "mixed", "from_s": 10.0, "to_s": 20.0}]
    jobs = [folders.fio_job("fill", iops=5000.0), folders.fio_job("mixed", iops=70.0)]
    run = run_of(tmp_path, "one", jobs, phases=phases)
    measures = titled(run)
    assert measures["Throughput, write, since the beginning"].values == [70.0]
    late = run.series[run.series["t_s"] > 10]
    written = late["write_MB_per_s"]
    assert measures["WA since the beginning"].values[0] == pytest.approx((late["wa"] * written).sum() / written.sum())
    assert "the last of 2 phases, mixed" in short([run])


def test_jobs_of_which_nothing_says_when_they_ran_are_not_added_up(tmp_path: Path) -> None:
    jobs = [folders.fio_job("one"), folders.fio_job("other")]
    known = folders.ftlab_key()
    del known["phases"]
    run = read_run_folder(folders.write_run(tmp_path / "run", ftlab=known, jobs=jobs), "run", False)
    assert sorted({measure.name for measure in measures_of([run])}) == ["Erases", "WA"]
    at_once = run_of(tmp_path, "at_once", jobs, phases=[{"name": "one, other", "from_s": 0.0, "to_s": 20.0}])
    assert titled(at_once)["Throughput, write, since the beginning"].values == [2000.0]


def test_the_first_sentence_says_drive_job_and_steady_against_fresh(tmp_path: Path) -> None:
    run = run_of(tmp_path, "one")
    series = run.series.assign(write_iops=np.where(run.series["t_s"] <= 5, 9000.0, 1200.0))
    fallen = dataclasses.replace(run, series=series)
    assert headline([fallen], measures_of([fallen])) == (
        '<p class="answer">A drive of tests, randwrite 4 KiB, depth 4, at the end (last 2 s): 1,200 IOPS steady after 5 s, '
        '9,000 fresh;'
        ' WA 2.95; p99 of writes 110 µs; 79\u00a0% of write latency is flash operations of the requests, over the whole '
        'run.</p>')
    used = dataclasses.replace(fallen, ftlab={**fallen.ftlab, "before": {"host_write_bytes": 4096}})
    assert "9,000 at the start" in headline([used], measures_of([used]))
    assert "Fresh: the first 5 s." in short([fallen]) and "At the start: the first 5 s." in short([used])


def test_a_latency_far_below_that_at_the_end_is_shown_in_its_own_unit(tmp_path: Path) -> None:
    run = run_of(tmp_path, "one")
    fast = run.series["t_s"] <= 5
    series = run.series.assign(write_MB_per_s=np.where(fast, 80.0, 5.0), latency_write_us_p99=np.where(fast, 6000.0, 5e6))
    bins = run.latencies.assign(latency_ns=5_000_000_000)
    assert "6.000 ms fresh" in short([dataclasses.replace(run, series=series, latencies=bins)])


def rates(*MB_per_s: float, length_s: float = 60.0) -> pd.DataFrame:
    ends = length_s * np.arange(1, len(MB_per_s) + 1)
    return pd.DataFrame({"t_s": ends, "length_s": length_s, "write_MB_per_s": MB_per_s})


@pytest.mark.parametrize("series, user_bytes, until_s", [
    (rates(174, 29.6, 26.1, 25.2), 64e9, 60.0),  # the interval after the fall is left out
    (rates(200, 101, 99, 100, 101, 102, 100, 20, length_s=1.0), 1e11, 7.0),  # the write buffer took in the first second
    (rates(500, 500, 500, 30, 30, 30, 30, length_s=5.0), 1e12, 15.0),  # a pSLC cache
    (rates(*[300, 0, 0] * 20, *[30, 0, 0] * 20, length_s=0.01), 2.4e9, 0.58),  # intervals shorter than a flash operation
    (rates(174, 160, 149, 147, 174), None, 180.0),  # 15 % of 174 are 26; what follows the first fall does not count
    (rates(100, 100, 100, 100), 1.5e10, 120.0),  # 6 GB an interval: two are within the capacity
    (rates(100, 100), 1e9, 60.0), (rates(0, 50, 50, 5), None, 180.0), (rates(7, 7, 7), None, 180.0),
    (rates(0, 0), None, None)])
def test_a_drive_is_fresh_until_throughput_leaves_its_first_level_or_the_capacity_is_written(
        series: pd.DataFrame, user_bytes: "float | None", until_s: "float | None") -> None:
    assert fresh_until(series, user_bytes) == until_s


def test_of_a_job_with_phases_no_figure_is_called_fresh(tmp_path: Path) -> None:
    phases = [{"name": "fill", "from_s": 0.0, "to_s": 10.0}, {"name": "random-write", "from_s": 10.0, "to_s": 20.0}]
    run = run_of(tmp_path, "one", phases=phases)
    seconds = run.series["t_s"]
    fast = seconds <= 10
    run = dataclasses.replace(run, series=run.series.assign(
        write_iops=np.where(fast, 5000.0, 1200.0), write_MB_per_s=np.where(fast, 80.0, 5.0)))
    assert "fresh" not in headline([run], measures_of([run]))
    alone = dataclasses.replace(run, ftlab={**run.ftlab, "phases": phases[:1]})
    assert "5,000 fresh" in headline([alone], measures_of([alone]))


@pytest.mark.parametrize("ratio, words",
                         [(20.0, "20 times"), (1.28, "+28.0 %"), (0.9, "−10.0 %"), (1.0, "0.0 %"), (0.25, "1/4")])
def test_large_differences_are_told_as_times(ratio: float, words: str) -> None:
    assert ratio_words(ratio) == words


def test_runs_are_called_by_what_differs_between_their_designs(tmp_path: Path) -> None:
    drives = [{**folders.ftlab_key()["drive"], "ftl": {"gc": {"policy": policy, "start": start}}}
              for policy, start in (("greedy", 2), ("fifo", 2), ("fifo", 4))]
    runs = [run_of(tmp_path, f"out-{n}", drive=drive, seed=n) for n, drive in enumerate(drives)]
    named = named_by_difference(Sources(runs=runs))
    assert [run.name for run in named.runs] == ["greedy, start 2", "fifo, start 2", "fifo, start 4"]
    alike = Sources(runs=[run_of(tmp_path, "a"), run_of(tmp_path, "b", seed=9)])
    assert [run.name for run in named_by_difference(alike).runs] == ["a", "b"]


def spare_runs(home: Path, rates: "Dict[float, float]", unsteady: float = 0.0) -> "list[Run]":
    """Runs that differ by over-provisioning only, in the reverse order of it."""
    made = []
    for share, iops in reversed(rates.items()):
        key = folders.ftlab_key()
        user = int(1e9 / (1 + share))
        made.append(run_of(home, f"op-{share}", drive={**key["drive"], "user_sectors": user // 512},
                           over_provisioning={"nominal": share, "user_bytes": user},
                           rates_at_end={**key["rates_at_end"], "iops": iops,
                                         "write": {"iops": iops, "bytes_per_s": 4096 * iops}},
                           problems=[{"code": "not_steady", "text": "it drifts"}] if share == unsteady else []))
    return made


def test_of_over_provisioning_the_price_of_each_step_is_told_and_the_largest_does_not_win(tmp_path: Path) -> None:
    rates = {0.07: 100.0, 0.1: 1000.0, 0.2: 2000.0, 0.4: 2500.0, 0.8: 2600.0}
    named = named_by_difference(Sources(runs=spare_runs(tmp_path, rates, unsteady=0.07)))
    assert [run.name for run in named.runs] == ["OP 7 %", "OP 10 %", "OP 20 %", "OP 40 %", "OP 80 %"]  # in order
    text = "".join(in_short(named.runs, named.hues()))
    assert "knee: <b>OP 40 %</b>, 2,500 IOPS steady" in text  # the last step up to it: +25 % for 14 % of capacity
    assert "best" not in text.partition("How these")[0] and "Not steady, left out: OP 7 %" in text
    assert "OP 20\u00a0% → 40\u00a0%: +25\u00a0% IOPS, −14\u00a0% capacity" in text
    table = re.findall(r"<tr><th scope=\"row\">.*?</tr>", text)
    # no step from a run that is not steady
    assert len(table) == 5 and "+100\u00a0%, −8.3\u00a0%" in table[2] and "%, " not in table[1]


def test_a_knee_does_not_depend_on_the_range_that_was_tried() -> None:
    shares, gains = [0.07, 0.1, 0.2, 0.4, 0.8], [100.0, 1000.0, 2000.0, 2500.0, 2600.0]
    assert [shares[first:][knee(shares[first:], gains[first:]) or 0] for first in (0, 1, 2)] == [0.4] * 3
    assert knee(shares[:4], gains[:4]) is None and "even the last step" in no_knee_words(shares[:4], gains[:4])
    assert knee(shares, [1.0] * 5) is None and "no step" in no_knee_words(shares, [1.0] * 5)


def test_a_p99_9_far_beyond_p99_is_told_with_its_cause(tmp_path: Path) -> None:
    parts = [{"from_ns": 1000, "requests": 9990, "parts_ns": {"link": 9990000}},
             {"from_ns": 5000000, "requests": 10, "parts_ns": {"die_wait": 49000000, "link": 1000000}}]
    assert tail_words(run_of(tmp_path, "tail", latency_parts_by_latency=parts), 0.001) == (
        "the slowest 0.1\u00a0% spend 98\u00a0% of it on waiting for busy dies")
    assert tail_words(run_of(tmp_path, "old", latency_parts_by_latency=[]), 0.001) == ""


def test_of_a_price_there_is_no_choice_if_half_of_the_runs_are_not_steady(tmp_path: Path) -> None:
    runs = named_by_difference(Sources(runs=spare_runs(tmp_path, {0.1: 1000.0, 0.2: 2000.0, 0.4: 2500.0},
                                                       unsteady=0.4))).runs
    assert "no choice, as only 2 of 3 are steady" in headline(runs, measures_of(runs))


def test_runs_that_differ_by_one_number_have_colours_in_its_order(tmp_path: Path) -> None:
    named = named_by_difference(Sources(runs=spare_runs(tmp_path, {0.01 * n: 100.0 * n for n in range(5, 17)})))
    hues = list(named.hues().values())
    assert hues == sorted(set(hues)) and min(hues) >= palette.RAMP and {palette.dash_of(hue) for hue in hues} == {0}
    assert len({palette.of_run(hue) for hue in hues}) == 12 and all(palette.ON_DARK[palette.of_run(hue)] for hue in hues)


def test_a_best_run_that_is_not_steady_is_not_called_best(tmp_path: Path) -> None:
    runs = spare_runs(tmp_path, {0.1: 1000.0, 0.2: 2000.0}, unsteady=0.2)
    text = "".join(in_short(runs, {run.name: number for number, run in enumerate(runs)}))
    assert "no best: <b>op-0.2</b> leads" in text and "<em>best</em>" not in text.partition("IOPS")[2].partition("p50")[0]


def test_a_run_that_is_not_steady_says_what_is_missing(tmp_path: Path) -> None:
    run = run_of(tmp_path, "one", over_provisioning={"user_bytes": 100_000_000}, before={"host_write_bytes": 50_000_000},
                 rates_at_end={**folders.ftlab_key()["rates_at_end"], "write": {"iops": 1.0, "bytes_per_s": 5_000_000.0}},
                 problems=[{"code": "not_steady", "text": "the drive was not written twice over before"}])
    assert run.series is not None
    series = run.series.assign(write_MB_per_s=5.0)  # 20 intervals of a second
    assert how_far(dataclasses.replace(run, series=series)).startswith(
        "1 of 2 drive writes stood before its second half, 0.5 of 1 in it; at the rate at the end, a run of 60 s would do")
    assert how_far(dataclasses.replace(run, series=None)) == ""


def test_the_time_of_the_dies_is_divided_by_use(tmp_path: Path) -> None:
    drive = {"name": "x", "geometry": {"channels": {"value": 2}, "chips_per_channel": 1, "dies_per_chip": 1}}
    traffic = {"die_host_program_ns": 10_000_000_000, "die_relocation_program_ns": 12_000_000_000,
               "die_erase_ns": 4_000_000_000,
               "die_internal_read_ns": 2_000_000_000, "media_relocation_bytes": 300, "media_mapping_bytes": 100}
    uses = uses_of(run_of(tmp_path, "one", drive=drive, traffic=traffic))
    assert uses["programs for the host"] == 0.25 and uses["copies of collection"] == pytest.approx(0.05 + 0.225)
    assert uses["map writes"] == pytest.approx(0.075) and uses["erases"] == 0.1 and sum(uses.values()) == pytest.approx(1)
    assert uses_of(run_of(tmp_path, "old")) == {}


def test_waits_for_buffer_space_are_split_by_what_the_dies_began(tmp_path: Path) -> None:
    traffic = {"media_relocation_bytes": 300, "media_mapping_bytes": 100}
    waits = [{"from_ns": 0, "writes": 60, "waited_ns": 0, "dies_ns": {}},
             {"from_ns": 896, "writes": 39, "waited_ns": 39_000_000, "dies_ns": {"host_program": 7}},
             {"from_ns": 8_388_608, "writes": 1, "waited_ns": 9_000_000,
              "dies_ns": {"relocation_program": 400, "erase": 50}}]
    ranges = waits_of(run_of(tmp_path, "one", traffic=traffic, buffer_waits=waits))
    assert [one["requests"] for one in ranges] == [60, 39, 1]
    assert ranges[2]["parts_ns"]["copies of collection"] == pytest.approx(6_000_000)
    assert ranges[2]["parts_ns"]["map writes"] == pytest.approx(2_000_000)
    picture = buffer_waits({"one": ranges})
    assert picture.panels[0].categories == ["p50: no wait", "p99: 1 ms", "p99.9: 9 ms", "longest: 9 ms"]
    erases = next(part for part in picture.panels[0].marks if part.name == "erases")
    assert erases.lengths == pytest.approx([0, 0, 100 / 9, 100 / 9]) and erases.words[3] == "1 ms"
    assert waits_of(run_of(tmp_path, "old")) == []


def test_a_comparison_with_a_measurement_states_the_error_and_no_best(tmp_path: Path) -> None:
    runs = [run_of(tmp_path, "simulated"), dataclasses.replace(run_of(tmp_path, "real"), measured=True)]
    runs[1] = dataclasses.replace(runs[1], jobs=runs[1].jobs.assign(iops=runs[1].jobs["iops"] / 1.1))
    text = against_words(Sources(runs))
    assert "against real, since the beginning: no interval is stated for throughput <b>+10.0 %</b>, mean latency" in text
    assert text.endswith("p50 <b>0.0 %</b> and p99 <b>0.0 %</b>.</p>")
    assert " is best" not in in_short(runs, {"simulated": 0, "real": 1}, True)[0]


def test_a_verdict_covers_throughput_and_each_percentile_that_has_an_interval(tmp_path: Path) -> None:
    bounds = {"level": 0.8, "known": "sheet", "jobs": [{"job": "random-write", "direction": "write", "iops": [800.0, 1250.0],
                                                        "clat_p50_ns": [800.0, 1250.0], "clat_p99_ns": [1900.0, 2100.0]}]}
    simulated = run_of(tmp_path, "sim", intervals=bounds)
    real = dataclasses.replace(run_of(tmp_path, "real"), measured=True, ftlab={})
    real = dataclasses.replace(real, jobs=real.jobs.assign(iops=real.jobs["iops"] / 1.1,
                                                           latency_us_p99=real.jobs["latency_us_p99"] / 1.5))
    assert against_words(Sources([simulated, real])) == (
        '<p class="answer">sim against real, since the beginning: agrees in throughput <b>+10.0 %</b> (80 % interval ×/÷ '
        '1.25) and'
        ' p50 <b>0.0 %</b> (80 % interval ×/÷ 1.25); does <b>not</b> agree in p99 <b>+50.0 %</b> (80 % interval ×/÷ 1.05);'
        ' no interval is stated for mean latency <b>0.0 %</b>.</p>')
    jobs = [folders.fio_job("random-write"), folders.fio_job("deep", {"iodepth": "64"}, iops=500.0)]
    several = [run_of(tmp_path, "a", jobs,
                      intervals={"level": 0.8, "known": "sheet",
                                 "jobs": [{"job": "random-write", "direction": "write", "iops": [800.0, 1250.0]}]})]
    several.append(dataclasses.replace(run_of(tmp_path, "b", jobs), measured=True, ftlab={}))
    several[1] = dataclasses.replace(several[1], jobs=several[1].jobs.assign(iops=[1000.0, 250.0]))
    assert ("does <b>not</b> agree in throughput <b>2 times</b> (at most, at randwrite, depth 64, median 50 %, 1 of 2 "
            "inside the 80 % interval"
            in against_words(Sources(several)))


def test_the_headline_names_the_main_cause_of_write_latency(tmp_path: Path) -> None:
    run = run_of(tmp_path, "one")
    cause = "79\u00a0% of write latency is flash operations of the requests, over the whole run.</p>"
    assert cause in headline([run], measures_of([run]))
    parts = [{"from_ns": 896, "requests": 100, "parts_ns": {"buffer_wait": 900, "link": 100}}]
    waits = [{"from_ns": 0, "writes": 100, "waited_ns": 900, "dies_ns": {"relocation_program": 9, "host_program": 1}}]
    runs = [run_of(tmp_path, f"r{n}", latency_parts_by_latency=parts, buffer_waits=waits,
                   traffic={"media_relocation_bytes": 300})
            for n in range(2)]
    told = "81\u00a0% of write latency is waiting for garbage collection copies, over the whole run"
    assert f"; {told}.</p>" in headline(runs[:1], measures_of(runs[:1]))
    assert f" {told}.</p>" in headline(runs, measures_of(runs)) and told not in headline([runs[0], run],
                                                                                         measures_of([runs[0], run]))


@pytest.mark.parametrize("count", [4, 10])
def test_every_run_has_its_line_in_every_card_and_many_runs_are_a_table(tmp_path: Path, count: int) -> None:
    text = short([run_of(tmp_path, f"r{n}") for n in range(count)])
    cards, table = text.split('<div class="card">')[1:], text.partition('class="matrix figures"')[2].partition("</table>")[0]
    assert len(cards) == (6 if count == 4 else 0) and all(card.count('<p class="of">') == count for card in cards)
    assert table.count('<th scope="row">') == (0 if count == 4 else count)
    assert table.count('<th scope="col" ') == (0 if count == 4 else 6)
    assert table.count('<th scope="colgroup"') == (0 if count == 4 else 2)  # the periods


PROBLEMS = ("unwritten_reads", "depth_counted_as_1", "not_steady", "window_below_superblock", "unusual_value")


@given(codes=st.lists(st.sampled_from(PROBLEMS), unique=True), says=st.booleans(), told=st.booleans(), reached=st.booleans())
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_run_with_a_problem_that_forbids_it_is_never_called_steady(
        tmp_path: Path, codes: "list[str]", says: bool, told: bool, reached: bool) -> None:
    key = folders.ftlab_key()
    key["problems"] = [{"code": code, "text": f"about {code}", "remedy": "do this"} for code in codes]
    key["until_steady"] = {"reached": reached, "steady_from_s": 10.0, "at_s": 20.0, "why_not": "" if reached else "drifts"}
    key["wa_at_end"].update(steady=says, why_not_steady="" if says else "it drifts")
    for name in () if told else ("wa_at_end", "rates_at_end"):
        del key[name]
    run = run_of(Path(tempfile.mkdtemp(dir=tmp_path)), "one", **key)
    ending = ending_of(run)
    forbidden = {"unwritten_reads", "not_steady", "window_below_superblock"} & set(codes)
    assert ending is not None and ending.steady == (not forbidden
                                                    and (says or not told)) and bool(ending.why) != ending.steady
    cards = short([run])
    assert all(f'<a class="bad" href="#problems">{code}</a>' in cards for code in set(codes) - {"not_steady"})
    assert not forbidden or ("<span>steady</span>" not in cards and "IOPS steady" not in cards)
    sources = Sources(runs=[run])
    drawn = repr([(p.title, p.caption, p.bands, [panel.bands for panel in p.panels])
                  for p in rates_figures(sources) + steady(sources)])
    assert not forbidden or not re.search(r"'steady'|judged steady|reached at", drawn)


def test_a_run_without_a_clock_has_no_rates_and_no_latencies(tmp_path: Path) -> None:
    key = {"clock": "untimed", "rates_at_end": None, "simulated_s": 0.0}
    run = run_of(tmp_path, "untimed", [folders.fio_job("random-write", iops=0.0)], **key)
    run = dataclasses.replace(run, series=None if run.series is None else run.series.iloc[:0])
    assert list(titled(run)) == ["WA at the end", "WA since the beginning"]


def test_a_run_that_erased_nothing_has_a_figure_of_zero(tmp_path: Path) -> None:
    run = run_of(tmp_path, "short", traffic={"host_write_bytes": 10**9, "block_erases": 0})
    assert titled(run)["Erases, since the beginning"].values == [0.0]
    collected = run_of(tmp_path, "longer", traffic={"host_write_bytes": 10**9, "block_erases": 5})
    assert all("Erases" in short(runs) for runs in ([run], [run, collected], [collected, run]))


def test_of_a_procedure_with_fresh_and_steady_steps_the_corners_are_told(tmp_path: Path) -> None:
    procedure = read_procedure(folders.write_corners(tmp_path / "bench"), "bench", False)
    text = corners_words(procedure, "A drive")
    assert text.startswith('<p class="answer">A drive: writes keep <b>25\u00a0%</b> of their fresh speed; WA at the end '
                           '3.00 to 4.00,'
                           ' <b>not steady</b>; p99 of randwrite 4 KiB 9 ms.</p>')
    cells = [re.findall(r"<td.*?>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", text)[1:]]
    assert cells == [["randwrite 4 KiB", "20,000 IOPS", "5,000 IOPS", "25 %", "4", "4.00 ?", "9"],
                     ["write 1 MiB", "105 MB/s", "26.2 MB/s", "25 %", "8", "3.00", "400"]]
    assert "last part / fresh" in text and ">steady<" not in text  # one of the steps named steady is not
    problem = corners_problem(procedure)
    assert problem is not None and problem.code == "not_steady" and problem.text.startswith("randwrite 4 KiB: it drifts")
    assert "<code>not_steady</code>" in problem_box(Sources(procedures=[procedure]))
    assert "not steady, as it drifts" in text and corners_words(read_procedure(folders.write_procedure(tmp_path / "p"), "p",
                                                                               False), "") == ""
    page = depth_bars(Sources(procedures=[procedure]))[0]
    assert {panel.right.unit for panel in page.panels if panel.right} == {"ms"}  # one unit of latency


def test_runs_without_a_common_figure_are_not_compared(tmp_path: Path) -> None:
    writes = run_of(tmp_path, "writes")
    reads = run_of(tmp_path, "reads", [folders.fio_job("random-read", {"rw": "randread"}, direction="read")])
    sentence = headline([writes, reads], measures_of([writes, reads]))
    assert "scatter" not in sentence and "best" not in sentence and "Without this figure: reads" in sentence


@pytest.mark.parametrize("ratio, words", [(1500.0, "1,500 times"), (1 / 3000, "1/3,000"), (999.7, "1,000 times")])
def test_ratios_beyond_a_thousand_are_whole_numbers(ratio: float, words: str) -> None:
    assert ratio_words(ratio) == words


def test_earlier_results_with_failed_checks_as_texts_are_read(tmp_path: Path) -> None:
    run = run_of(tmp_path, "old", problems=["a law does not hold"])
    assert [(problem.code, problem.text) for problem in run.problems] == [(FAILED_CHECK, "a law does not hold")]
    assert run.problems == run_of(tmp_path, "new", failed_checks=["a law does not hold"]).problems


def test_steady_is_the_longest_tail_without_a_drift() -> None:
    t = np.arange(1.0, 101.0)
    wave = 3 * np.sin(t)
    falling = np.where(t <= 50, 300 - 4 * t, 100) + wave
    series = pd.DataFrame({"t_s": t, "length_s": 1.0})
    level = steady_level(series, falling, 0.0, 100.0)
    assert level is not None and level.from_s == 50.0
    assert level.mean == pytest.approx(100, abs=1) and 0 < level.half_width < 1.5
    assert steady_level(series, 1000 - 9 * t, 0.0, 100.0) is None  # falls until the end


def test_a_start_unlike_the_rest_is_not_steady_though_no_line_fits_the_fall() -> None:
    t = np.arange(1.0, 101.0)
    series = pd.DataFrame({"t_s": t, "length_s": 1.0})
    level = steady_level(series, np.where(t <= 20, 2000 / t, 10.0) + 0.3 * np.sin(t), 0.0, 100.0)  # new at first, then full
    assert level is not None and level.from_s >= 25.0
    assert level.mean == pytest.approx(10, abs=0.1) and level.half_width < 0.2
    alike = np.random.default_rng(5).normal(10.0, 1.0, (500, 100))
    levels = [steady_level(series, values, 0.0, 100.0) for values in alike]
    assert sum(found is not None and found.from_s == 0.0 for found in levels) > 450  # steady series, found whole


def test_a_stub_at_the_end_is_no_data(tmp_path: Path) -> None:
    folder = folders.write_run(tmp_path / "run")
    whole = read_run_folder(folder, "run", False).series
    with (folder / "series.csv").open("a") as file:
        file.write(folders.series_row(21, 9e9).replace("21,1,", "20.0001,0.0001,", 1) + "\n")
    again = read_run_folder(folder, "run", False).series
    assert whole is not None and again is not None
    pd.testing.assert_frame_equal(whole, again)


def test_the_slowest_requests_are_blamed_by_their_own_parts() -> None:
    ranges = [{"from_ns": 1000, "requests": 980, "parts_ns": {"die": 980_000}},
              {"from_ns": 8000, "requests": 20, "parts_ns": {"die": 20_000, "buffer_wait": 180_000}}]
    assert slowest_parts(ranges, 0.01) == (10.0, {"die": 10_000.0, "buffer_wait": 90_000.0})
    assert slowest_parts(ranges, 1.0) == (1000.0, {"die": 1_000_000.0, "buffer_wait": 180_000.0})
    picture = slowest_blame({"run": ranges})
    assert list(picture.panels[0].categories) == ["all: 1.18 µs on average", "slowest 10 %: 2.8 µs on average",
                                                  "slowest 1 %: 10 µs on average"]  # 0.1 % would be a single request
    lengths = {mark.name: mark.lengths.tolist() for mark in picture.panels[0].marks}  # type: ignore[union-attr]
    # µs
    assert lengths["buffer wait"][2] == pytest.approx(9) and sum(one[2] for one in lengths.values()) == pytest.approx(10)


def test_parts_have_the_same_colour_whatever_else_is_drawn() -> None:
    few = slowest_blame({"a": [{"from_ns": 1, "requests": 10, "parts_ns": {"link": 5}}]})
    many = slowest_blame({"a": [{"from_ns": 1, "requests": 10, "parts_ns": {"die": 1, "buffer_wait": 1, "link": 5}}]})
    numbers = [next(mark.number for mark in p.panels[0].marks if mark.name == "link")
               for p in (few, many)]  # type: ignore[union-attr]
    assert numbers[0] == numbers[1]


@pytest.mark.parametrize("values, shown", [
    ([1.0, 22.0], ["1", "22"]), ([0.5, 12.25, None], ["0.50", "12.25", ""]), ([1234.5678, 2.0], ["1\u2009234.568", "2.000"]),
    ([3, "three"], ["3", "three"]), ([0.00012, 0.5], ["0.00012", "0.50000"])])
def test_numbers_of_a_column_have_the_same_digits(values: "list[object]", shown: "list[str]") -> None:
    assert column_texts(values) == shown


def test_figures_that_are_compared_keep_their_zeros() -> None:
    assert figure_texts([3.0, 2.9876]) == ["3.000", "2.988"]
    assert figure_texts([5749.0, float("nan")]) == ["5\u2009749", ""]


def test_buffer_wait_is_split_by_what_the_dies_did() -> None:
    parts = split({"die": 10.0, "buffer_wait": 90.0},
                  {"programs for the host": 0.2, "erases": 0.1, "map writes": 0.001, "idle": 0.699})
    assert parts == {"buffer wait: programs for the host": pytest.approx(60), "buffer wait: erases": pytest.approx(30),
                     "die": 10.0}
    assert split({"die": 1.0}, {"erases": 1.0}) == {"die": 1.0} and split({"buffer_wait": 1.0}, {}) == {"buffer_wait": 1.0}
    ranges = [{"from_ns": 0, "requests": 100, "parts_ns": {"buffer_wait": 9_000_000, "die": 1_000_000}}]
    picture = slowest_blame({"r": ranges}, {"r": {"erases": 0.5, "copies of collection": 0.25, "idle": 0.25}})
    assert [mark.name for mark in picture.panels[0].marks] == ["die", "buffer wait: erases",
                                                               "buffer wait: copies of collection"]
    assert "split" in picture.caption and "split" not in slowest_blame({"r": ranges}).caption
