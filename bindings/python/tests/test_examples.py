"""Every example runs and shows what its text says."""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"


def printed_by(name: str, *words: object) -> str:
    done = subprocess.run([sys.executable, str(EXAMPLES / name), *map(str, words)], capture_output=True, text=True,
                          env={**os.environ, "MPLBACKEND": "agg"})
    assert done.returncode == 0, done.stderr
    return done.stdout


def numbers(text: str, line: str) -> list:
    """All numbers of the first line that begins with `line`."""
    found = next(row for row in text.splitlines() if row.strip().startswith(line))
    return [float(number) for number in re.findall(r"\d+(?:\.\d+)?", found[found.index(line) + len(line):])]


@pytest.mark.long
def test_random_writes_fall_to_the_level_of_theory(tmp_path: pathlib.Path) -> None:
    text = printed_by("write_amplification_fall.py", str(tmp_path / "fall.png"))
    (new_iops, new_wa), (iops, wa) = numbers(text, "new:"), numbers(text, "steady:")
    assert new_wa == 1 and iops < 0.4 * new_iops
    assert wa == pytest.approx(numbers(text, "theory:")[0], rel=0.05)
    assert (tmp_path / "fall.png").stat().st_size > 10_000


def test_trim_gives_the_spare_back() -> None:
    text = printed_by("effect_of_trim.py")
    (_, iops, wa), (_, trimmed_iops, trimmed_wa) = numbers(text, "without TRIM"), numbers(text, "with TRIM")
    assert trimmed_wa < 1.5 < 3.5 < wa
    assert trimmed_iops / iops == pytest.approx(wa / trimmed_wa, rel=0.15)  # the dies are the bottleneck


@pytest.mark.long
def test_data_that_compress_are_written_faster_and_less() -> None:
    rows = [numbers(text, f"{percent} ") for text in [printed_by("sandforce_and_entropy.py")]
            for percent in (0, 25, 50, 75, 100)]
    speeds, amplifications = [row[0] for row in rows], [row[1] for row in rows]
    assert speeds == sorted(speeds) and speeds[-1] > 1.1 * speeds[0]
    assert amplifications == sorted(amplifications, reverse=True) and amplifications[0] > 1 > 0.2 > amplifications[-1]


@pytest.mark.long
def test_an_own_policy_levels_wear() -> None:
    text = printed_by("own_policy.py")
    built_in, greedy, levelling = (numbers(text, name)
                                   for name in ("greedy, built in", "greedy, in Python", "least worn, in Python"))
    assert greedy[0] == pytest.approx(built_in[0], rel=0.01)
    assert levelling[2] < 0.8 * greedy[2] and levelling[0] < 1.05 * greedy[0]


@pytest.mark.long
def test_a_hidden_number_is_found_by_calibration(tmp_path: pathlib.Path) -> None:
    fitted, hidden = numbers(printed_by("calibrate_to_your_drive.py", str(tmp_path)), "nand.read_ns:")
    assert fitted == pytest.approx(hidden, rel=0.01)


# The examples of sweeps and of the search, run as a reader would, but smaller.


@pytest.mark.long
def test_how_much_spare_answers_in_words_and_numbers(tmp_path):
    text = printed_by("how_much_spare.py", "--out", tmp_path, "--blocks", 192, "--trials", 6)
    assert "Promised: 1 drive writes a day for 5 years, 1,825 times the capacity" in text
    assert "With uniform random writes, " in text and "no policy changes that" in text
    assert "With 90 % of the writes on 10 % of the data, greedy wants" in text and "the policy saves" in text
    assert "write amplification goes from" in text
    assert (tmp_path / "front.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.long
def test_a_promise_that_no_spare_keeps_is_told(tmp_path):
    text = printed_by("how_much_spare.py", "--out", tmp_path, "--blocks", 192, "--trials", 2, "--writes-per-day", 10)
    assert "With uniform random writes, no spare up to 100% keeps the promise: buy flash that bears more cycles." in text


@pytest.mark.long
def test_the_scheduling_study_draws_its_cells(tmp_path):
    grid_file = EXAMPLES.parents[2] / "configs" / "sweeps" / "scheduling" / "reads-beside-writes.json"
    from ftlab.sweeps.grid import parse_document
    from ftlab.sweeps.plan import make_plan
    assert len(make_plan(grid_file).points) == 40
    grid = parse_document(grid_file.read_text(), str(grid_file)).value
    folder = grid_file.parent
    grid["job"], grid["age"]["job"] = str(folder / grid["job"]), str(folder / grid["age"]["job"])
    grid["settings"] = {"geometry.blocks_per_plane": 48}
    grid["job_settings"] = {"runtime": 2, "ramp_time": 1}
    grid["axes"][0] = {"list": [{"drive": str(folder / "sata.json"), "user_sectors": 1415000 // 8 * 8}]}
    (tmp_path / "grid.json").write_text(json.dumps(grid))
    text = printed_by("read_latency_by_scheduling.py", "--grid", tmp_path / "grid.json", "--out", tmp_path / "out")
    assert text.count("read-first, suspends") == 2 and text.count("yield") == 2 and text.count("share") == 2
    assert (tmp_path / "out" / "read-latency.png").read_bytes().startswith(b"\x89PNG")


def test_the_grid_of_500_points_is_one():
    from ftlab.sweeps.plan import make_plan
    plan = make_plan(EXAMPLES.parents[2] / "configs" / "sweeps" / "wa-500.json")
    assert len(plan.points) == len(plan.tasks) == 500
