"""The examples of sweeps and of the search, run as a reader would, but smaller."""

import json
import pathlib
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).parent.parent / "examples"


def said_by(name, *words):
    done = subprocess.run([sys.executable, EXAMPLES / name, *map(str, words)], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.long
def test_how_much_spare_answers_in_words_and_numbers(tmp_path):
    text = said_by("how_much_spare.py", "--out", tmp_path, "--blocks", 192, "--trials", 6)
    assert "Promised: 1 drive writes a day for 5 years, 1,825 times the capacity" in text
    assert "With uniform random writes, " in text and "no policy changes that" in text
    assert "With 90 % of the writes on 10 % of the data, greedy wants" in text and "the policy saves" in text
    assert "write amplification goes from" in text
    assert (tmp_path / "front.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.long
def test_a_promise_that_no_spare_keeps_is_told(tmp_path):
    text = said_by("how_much_spare.py", "--out", tmp_path, "--blocks", 192, "--trials", 2, "--writes-per-day", 10)
    assert "With uniform random writes, no spare up to 100% keeps the promise: buy flash that bears more cycles." in text


@pytest.mark.long
def test_a_sweep_is_killed_goes_on_and_is_the_same_on_a_cluster(tmp_path):
    grid = {"kind": "wa", "settings": {"blocks": 8192, "pages_per_block": 32, "precision": 0.02, "most_batches": 100},
            "axes": [{"policy": ["greedy", "fifo"]}, {"op": [0.1, 0.12, 0.15, 0.2, 0.28]}]}
    (tmp_path / "grid.json").write_text(json.dumps(grid))
    text = said_by("sweep_killed_and_resumed.py", "--grid", tmp_path / "grid.json", "--out", tmp_path / "out")
    kept = int(text.split("killed after ")[1].split()[0])
    assert 5 <= kept < 10
    assert f"killed after {kept} of 10 points, which were kept; {10 - kept} were computed then, 0 failed" in text
    assert "10 computations of 10 different points" in text
    assert "a Dask cluster of 3 workers computed 10 points" in text and "identical rows" in text


@pytest.mark.long
def test_the_scheduling_study_draws_its_cells_and_adds_up(tmp_path):
    grid_file = EXAMPLES.parents[2] / "configs" / "sweeps" / "scheduling" / "reads-beside-writes.json"
    from ftlab.sweeps.document import parse_document
    from ftlab.sweeps.plan import make_plan
    assert len(make_plan(grid_file).points) == 40
    grid = parse_document(grid_file.read_text(), str(grid_file)).value
    folder = grid_file.parent
    grid["job"], grid["age"]["job"] = str(folder / grid["job"]), str(folder / grid["age"]["job"])
    grid["settings"] = {"geometry.blocks_per_plane": 48}
    grid["job_settings"] = {"runtime": 2, "ramp_time": 1}
    grid["axes"][0] = {"list": [{"drive": str(folder / "sata.json"), "user_sectors": 1415000 // 8 * 8}]}
    (tmp_path / "grid.json").write_text(json.dumps(grid))
    text = said_by("read_latency_by_scheduling.py", "--grid", tmp_path / "grid.json", "--out", tmp_path / "out")
    assert text.count("read-first, suspends") == 2 and text.count("yield") == 2 and text.count("share") == 2
    assert "The dies' time is that of what they did" in text
    assert (tmp_path / "out" / "read-latency.png").read_bytes().startswith(b"\x89PNG")


def test_the_grid_of_500_points_is_one():
    from ftlab.sweeps.plan import make_plan
    plan = make_plan(EXAMPLES.parents[2] / "configs" / "sweeps" / "wa-500.json")
    assert len(plan.points) == len(plan.tasks) == 500
