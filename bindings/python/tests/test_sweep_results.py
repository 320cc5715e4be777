"""A sweep keeps the same rows through kills, resumes, shards and failures."""

import contextlib
import json
import multiprocessing
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

import duckdb
import pandas as pd
import pytest

import ftlab
from ftlab import ConfigError, Sweep
from ftlab.sweeps import Count
from ftlab.sweeps.plan import make_plan
from ftlab.progress import point_progress
from ftlab.sweeps.execute import state_of
from ftlab.sweeps.store import Store
from ftlab.sweeps.worker import Outcome

GRID = {"kind": "wa", "settings": {"blocks": 128, "pages_per_block": 16, "precision": 0.05, "most_batches": 20},
        "axes": [{"policy": ["greedy", "fifo"]}, {"op": [0.1, 0.28]}], "seeds": [1, 2]}
SLOW = {**GRID, "settings": {"blocks": 256, "pages_per_block": 32, "precision": 0.05, "most_batches": 20},
        "axes": [{"policy": ["greedy", "fifo", "random"]}, {"op": [0.1, 0.15, 0.2, 0.28]}]}
JOB = "[w]\nfilename=drive\nrw=randwrite\niodepth=4\nsize=70%\nio_size=16m\n"
AGEING = ("[fill]\nfilename=drive\nrw=write\nbs=1m\nsize=95%\n"
          "[random]\nstonewall\nfilename=drive\nrw=randwrite\nbs=4k\nsize=95%\nio_size=500m\n")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return ftlab.sweep(GRID, tmp_path_factory.mktemp("whole"), processes=2)


def runs_grid(folder, **more):
    (folder / "w.fio").write_text(JOB)
    (folder / "age.fio").write_text(AGEING)
    return {"drive": "example-25nm-mlc", "job": str(folder / "w.fio"), **more}


def command(*words, **options):
    return subprocess.Popen([sys.executable, "-m", "ftlab", "sweep", *map(str, words)], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, **options)


def kept_in(folder):
    try:
        with sqlite3.connect(f"file:{folder}/sweep.sqlite?mode=ro", uri=True) as database:
            return database.execute("SELECT count(*) FROM results").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


def wait_for(process, folder, points):
    while kept_in(folder) < points and process.poll() is None:
        time.sleep(0.02)
    assert process.poll() is None, "the sweep ended before it could be stopped"


def test_a_row_for_each_point_with_what_wa_answers(whole):
    frame = whole.frame()
    assert frame[["policy", "op", "seed"]].values.tolist() == [
        [policy, op, seed] for policy in ("greedy", "fifo") for op in (0.1, 0.28) for seed in (1, 2)]
    answer = ftlab.wa(policy="fifo", op=0.28, seed=2, blocks=128, pages_per_block=16, precision=0.05, most_batches=20)
    last = frame.iloc[-1]
    assert (last.wa, last.wa_halfwidth95, last.theory_wa) == (answer["wa"], answer["ci95"], answer["theory"]["wa"])
    assert whole.count == Count(points=8, done=8, failed=0, computed=8, kept=0)
    assert len(whole.failures) == 0
    assert whole.summary()["wa_mean"].tolist() == frame.groupby(["policy", "op"], sort=False)["wa"].mean().tolist()


def test_rows_do_not_depend_on_processes_or_on_where_they_are_kept(whole, tmp_path):
    pd.testing.assert_frame_equal(ftlab.sweep(GRID, tmp_path / "one", processes=1).frame(), whole.frame())


def test_a_second_call_computes_nothing(whole):
    again = ftlab.sweep(GRID, whole.folders[0])
    assert (again.count.computed, again.count.kept, len(again.efforts())) == (0, 8, 8)


def test_shards_together_are_the_whole(whole, tmp_path):
    parts = [ftlab.sweep(GRID, tmp_path / f"shard{i}", processes=1, shard=(i, 2)) for i in (1, 2)]
    assert [part.count.computed for part in parts] == [4, 4]
    assert [len(part.frame()) for part in parts] == [4, 4]
    together = Sweep.open(*(part.folders[0] for part in parts))
    pd.testing.assert_frame_equal(together.frame(), whole.frame())
    assert (together.count.points, together.count.done, together.count.open) == (8, 8, 0)


def test_the_command_prints_a_table_and_writes_all_rows_as_csv(whole, tmp_path):
    (tmp_path / "grid.json").write_text(json.dumps(GRID))
    process = command(tmp_path / "grid.json", "--out", tmp_path / "out", "--processes", 1)
    lines = process.communicate(timeout=120)[0].splitlines()
    assert process.returncode == 0
    assert lines[0].startswith("8 points: 0 were done before, 8 computed now, 0 failed; results in ")
    assert lines[2].split() == ["policy", "op", "seed", "wa", "wa_halfwidth95", "theory_wa", "theory_kind", "deviation",
                                "batches"]
    assert len(lines) == 3 + 8
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "out" / "sweep.csv"), whole.frame())


BEGINNERS, FOLDERS = 4, 60


def begin_in_turn(number, parent, plan, start, refusals):
    for folder in range(FOLDERS):
        start.wait()
        time.sleep(number * folder * 10e-6)  # so that every step of one meets every step of the other
        try:
            Store.begin(parent / str(folder), plan).close()
        except Exception as error:  # the test reports any exception
            refusals.put(repr(error))


def test_processes_may_begin_the_same_sweep_at_the_same_moment(tmp_path):
    context = multiprocessing.get_context("fork")
    start, refusals = context.Barrier(BEGINNERS), context.Queue()
    processes = [context.Process(target=begin_in_turn, args=(i, tmp_path, make_plan(GRID), start, refusals))
                 for i in range(BEGINNERS)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert refusals.empty(), refusals.get()


@pytest.mark.long
def test_shards_may_share_a_folder_at_the_same_time(whole, tmp_path):
    (tmp_path / "grid.json").write_text(json.dumps(GRID))
    shards = [command(tmp_path / "grid.json", "--out", tmp_path / "out", "--processes", 1, "--shard", f"{i}/2", "--json")
              for i in (1, 2)]
    output = [json.loads(shard.communicate(timeout=120)[0]) for shard in shards]
    assert [(count["points"], count["computed"], count["failed"]) for count in output] == [(4, 4, 0), (4, 4, 0)]
    pd.testing.assert_frame_equal(Sweep.open(tmp_path / "out").frame(), whole.frame())


@pytest.mark.long
def test_a_killed_sweep_goes_on_without_repeating_a_point(tmp_path):
    (tmp_path / "grid.json").write_text(json.dumps(SLOW))
    out = tmp_path / "out"
    first = command(tmp_path / "grid.json", "--out", out, "--processes", 2)
    wait_for(first, out, 8)
    first.kill()
    first.communicate()
    kept = kept_in(out)
    assert 8 <= kept < 24
    second = command(tmp_path / "grid.json", "--out", out, "--processes", 2, "--json")
    output = json.loads(second.communicate(timeout=120)[0])
    print(f"killed after {kept} of 24 points; then {output['kept']} were kept and {output['computed']} computed")
    assert (second.returncode, output["kept"], output["computed"], output["done"]) == (0, kept, 24 - kept, 24)
    efforts = Sweep.open(out).efforts()
    assert len(efforts) == efforts["address"].nunique() == 24
    pd.testing.assert_frame_equal(Sweep.open(out).frame(), ftlab.sweep(SLOW, tmp_path / "straight").frame())


def test_an_interrupted_sweep_keeps_what_was_done_and_says_so(tmp_path):
    (tmp_path / "grid.json").write_text(json.dumps(SLOW))
    out = tmp_path / "out"
    process = command(tmp_path / "grid.json", "--out", out, "--processes", 1)
    wait_for(process, out, 2)
    process.send_signal(signal.SIGINT)
    output = process.communicate(timeout=60)
    assert (process.returncode, output[0]) == (130, "")
    assert output[1] == f"interrupted; finished points are kept in {out}, and the same command continues\n"
    assert kept_in(out) >= 2


def test_a_folder_that_was_only_begun_is_recovered(whole, tmp_path):
    sqlite3.connect(tmp_path / "sweep.sqlite").close()  # killed before the plan was written
    with pytest.raises(ConfigError, match="was not begun"):
        Sweep.open(tmp_path)
    pd.testing.assert_frame_equal(ftlab.sweep(GRID, tmp_path, processes=1).frame(), whole.frame())


@pytest.mark.parametrize("share", [0.3, 0.999])
def test_a_write_ahead_log_that_was_cut_anywhere_is_recovered(whole, tmp_path, share):
    """A crash of the whole machine may leave the file and a part of its log."""
    plan = make_plan(GRID)
    with contextlib.closing(Store.open(whole.folders[0])) as source:
        results = source.results()
    with contextlib.closing(Store.begin(tmp_path / "crashed", plan)) as store:
        for point in plan.points[:5]:
            store.keep(Outcome(point.address, results[point.address], "", 1, 0.0, 0.0, "here"))
        (tmp_path / "left").mkdir()
        for name in ("sweep.sqlite", "sweep.sqlite-wal"):  # while it is open, because closing merges the log
            shutil.copy(tmp_path / "crashed" / name, tmp_path / "left" / name)
    log = tmp_path / "left" / "sweep.sqlite-wal"
    os.truncate(log, int(log.stat().st_size * share))
    resumed = ftlab.sweep(GRID, tmp_path / "left", processes=1)
    assert resumed.count.kept < 5 and resumed.count.computed == 8 - resumed.count.kept
    pd.testing.assert_frame_equal(resumed.frame(), whole.frame())


def test_another_grid_or_another_folder_is_refused_with_the_difference(whole, tmp_path):
    folder = whole.folders[0]
    with pytest.raises(ConfigError) as refused:
        ftlab.sweep({**GRID, "seeds": [1, 3]}, folder)
    assert str(refused.value) == (f"{folder}: belongs to another sweep: there grid.seeds.1 is 2, here it is 3 "
                                  "(allowed: a new folder, or a grid that has all points with a result there)")
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(ConfigError, match="is taken: it has files, but no sweep"):
        ftlab.sweep(GRID, tmp_path)
    (tmp_path / "sweep.sqlite").write_text("this is not a database, however long one looks at it" * 100)
    with pytest.raises(ConfigError, match="is not a sweep's file: file is not a database"):
        ftlab.sweep(GRID, tmp_path)
    (tmp_path / "sweep.sqlite").unlink()
    with contextlib.closing(sqlite3.connect(tmp_path / "sweep.sqlite")) as database:
        database.execute("CREATE TABLE songs (name)")
    with pytest.raises(ConfigError, match="is not a sweep's file: it has other tables .got songs"):
        ftlab.sweep(GRID, tmp_path)
    with pytest.raises(ConfigError, match="is not a sweep's folder: it has no sweep.sqlite"):
        Sweep.open(tmp_path / "nowhere")


def grown(grid, chance):
    """The grid with additional values, seeds or an axis, in another order."""
    axes = [{key: chance.sample([*values, *more], len(values) + len(more))}
            for axis, more in zip(grid["axes"], (chance.sample(["random", "cost-benefit"], chance.randint(0, 2)),
                                                 chance.sample([0.15, 0.2], chance.randint(0, 2))))
            for key, values in axis.items()]
    return {**grid, "axes": axes[::chance.choice([1, -1])], "seeds": [*grid["seeds"], *range(3, 3 + chance.randint(0, 1))]}


@pytest.mark.parametrize("draw", range(2))
def test_a_grid_that_grows_computes_only_what_is_new(whole, tmp_path, draw):
    larger = grown(GRID, random.Random(draw))
    shutil.copytree(whole.folders[0], tmp_path / "out")
    made = ftlab.sweep(larger, tmp_path / "out", processes=1)
    points = make_plan(larger).points
    assert (made.count.points, made.count.kept, made.count.computed) == (len(points), 8, len(points) - 8)
    frame = made.frame()
    assert frame["address"].tolist() == [point.address for point in points]
    before = whole.frame().set_index(["policy", "op", "seed"])
    after = frame.set_index(["policy", "op", "seed"]).loc[before.index]
    pd.testing.assert_frame_equal(after, before)
    with pytest.raises(ConfigError, match="belongs to another sweep"):
        ftlab.sweep({**larger, "axes": [{"policy": ["fifo"]}, {"op": [0.1, 0.28]}]}, tmp_path / "out")


def test_results_of_other_figures_are_read_but_not_added_to(whole, tmp_path):
    """A folder of an earlier version, whose rows lack newer figures."""
    shutil.copytree(whole.folders[0], tmp_path / "out")
    with contextlib.closing(sqlite3.connect(tmp_path / "out" / "sweep.sqlite")) as database, database:
        identity = json.loads(database.execute("SELECT identity FROM about").fetchone()[0])
        del identity["ftlab"]["figures"]
        database.execute("UPDATE about SET identity = ?", (json.dumps(identity),))
        for table in ("points", "results", "efforts"):
            database.execute(f"UPDATE {table} SET address = 'earlier-' || address")
    frame = Sweep.open(tmp_path / "out").frame()
    assert frame["wa"].tolist() == whole.frame()["wa"].tolist()
    with pytest.raises(ConfigError, match="there ftlab.figures is missing, here it is 2"):
        ftlab.sweep(GRID, tmp_path / "out")


def test_a_job_that_changed_is_another_sweep(tmp_path):
    grid = runs_grid(tmp_path)
    ftlab.sweep(grid, tmp_path / "out", processes=1)
    (tmp_path / "w.fio").write_text(JOB.replace("16m", "8m"))
    with pytest.raises(ConfigError, match=r"belongs to another sweep: there files.job .*w.fio is"):
        ftlab.sweep(grid, tmp_path / "out")


def test_parquet_has_the_same_numbers_for_duckdb_and_pandas(whole, tmp_path):
    whole.export(tmp_path / "rows.parquet")
    frame = whole.frame()
    asked = duckdb.sql(f"SELECT policy, op, seed, wa FROM '{tmp_path}/rows.parquet'").fetchall()
    assert asked == list(frame[["policy", "op", "seed", "wa"]].itertuples(index=False, name=None))
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "rows.parquet"), frame, check_dtype=False)
    assert list(tmp_path.iterdir()) == [tmp_path / "rows.parquet"]


def test_runs_go_on_from_one_aged_drive(tmp_path):
    grid = runs_grid(tmp_path, age={"job": str(tmp_path / "age.fio")}, seeds=[1, 2],
                     axes=[{"ftl.gc.policy": ["greedy", "fifo"]}, {"job:bs": ["4k", "16k"]}])
    frame = ftlab.sweep(grid, tmp_path / "out", processes=2).frame()
    assert len(frame) == 8 and (frame["wa"] > 1.2).all() and (frame["failed_requests"] == 0).all()
    assert len(list((tmp_path / "out" / "states").glob("*.state"))) == 1
    assert frame["signature"].nunique() == 8
    aged = ftlab.Drive("example-25nm-mlc", timed=False)
    aged.run(ftlab.Job(AGEING))
    aged.save(tmp_path / "by-hand.state")
    with ftlab.Drive.load(tmp_path / "by-hand.state", settings={"ftl.gc.policy": "fifo"}) as drive:
        by_hand = drive.run(ftlab.Job(JOB), {"bs": "16k"}, seed=2)
    assert frame["signature"].iloc[-1] == by_hand.signature
    assert frame["write_latency_us_p999"].iloc[-1] == by_hand.jobs["latency_us_p999"].iloc[0]


def test_a_preconditioned_sweep_gives_what_the_program_gives(tmp_path, program):
    (tmp_path / "w.fio").write_text(JOB)
    run = subprocess.run([sys.executable, "-m", "ftlab", "sweep", "--drive", "example-25nm-mlc", "--job", "w.fio",
                          "--axis", "ftl.gc.policy=greedy,fifo", "--axis", "op=20%,30%", "--precondition", "random",
                          "--out", "out"], capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    frame = Sweep.open(tmp_path / "out").frame()
    assert len(frame) == 4 and len(list((tmp_path / "out/states").glob("*.state"))) == 2
    alone = subprocess.run([program, "run", "w.fio", "--drive", "example-25nm-mlc", "--set", "over_provisioning=30%",
                            "--precondition", "random", "--out", "one", "--json"], capture_output=True, text=True,
                            cwd=tmp_path)
    assert alone.returncode == 0, alone.stderr
    row = frame[(frame["over_provisioning"] > 0.29) & (frame["ftl.gc.policy"] == "greedy")].iloc[0]
    wa = json.loads((tmp_path / "one/result.json").read_text())["ftlab"]["wa"]["total"]
    assert row["wa"] == pytest.approx(wa, rel=0.05) and row["wa"] > 1.2


def test_an_aged_drive_is_made_once_however_many_ask(tmp_path, monkeypatch):
    def make(task, place):
        with open(tmp_path / "made", "a", encoding="ascii") as made:
            made.write("once\n")
        time.sleep(0.3)
        place.write_text("state")

    monkeypatch.setattr("ftlab.sweeps.execute._make", make)
    (tmp_path / "states").mkdir()
    (tmp_path / "states" / ".a.state.partial-1").write_text("what a killed process left")
    arguments = {"address": "a"}, str(tmp_path / "states")
    asking = [multiprocessing.get_context("fork").Process(target=state_of, args=arguments) for _ in range(4)]
    for process in asking:
        process.start()
    for process in asking:
        process.join()
        assert process.exitcode == 0
    assert (tmp_path / "made").read_text() == "once\n"
    assert sorted(path.name for path in (tmp_path / "states").iterdir()) == ["a.lock", "a.state"]


def test_points_whose_drive_cannot_be_aged_fail_with_its_reason(tmp_path):
    (tmp_path / "out" / "states").mkdir(parents=True)
    (tmp_path / "out" / "sweep.sqlite").touch()
    grid = runs_grid(tmp_path, age={"job": str(tmp_path / "age.fio")}, seeds=[1, 2])
    address, = make_plan(grid).states
    (tmp_path / "out" / "states" / f"{address}.state").write_text("no state")
    made = ftlab.sweep(grid, tmp_path / "out", processes=1)
    assert made.count.failed == 2
    assert made.failures["reason"].str.contains("is not a state|damaged|not a state").all(), made.failures["reason"][0]
    (tmp_path / "out" / "states" / f"{address}.state").unlink()
    assert ftlab.sweep(grid, tmp_path / "out", processes=1, retry_failed=True).count.done == 2


def test_a_run_that_ends_when_it_is_known_well_enough(tmp_path):
    (tmp_path / "w.fio").write_text("[w]\nfilename=drive\nrw=randwrite\nbs=64k\niodepth=4\ntime_based\nruntime=600\n")
    grid = {"drive": "example-25nm-mlc", "job": str(tmp_path / "w.fio"), "until_steady": "30%"}
    frame = ftlab.sweep(grid, tmp_path / "out", processes=1).frame()
    run = frame.iloc[0]
    assert run["steady_reached"] and run["steady_from_s"] < run["simulated_s"] < 590
    assert 0 < run["steady_wa_halfwidth95"] < 0.3 * run["steady_wa"]


def test_points_on_another_medium_have_an_aged_drive_of_their_own(tmp_path):
    grid = runs_grid(tmp_path, age={"job": str(tmp_path / "age.fio")}, untimed=True,
                     job_settings={"io_size": "200m"},
                     axes=[{"user_sectors": [1500000, 1700000]}, {"ftl.gc.policy": ["greedy", "fifo"]}])
    made = ftlab.sweep(grid, tmp_path / "out", processes=1)
    assert made.count.done == 4
    assert len(list((tmp_path / "out" / "states").glob("*.state"))) == 2
    wa = made.frame().set_index(["user_sectors", "ftl.gc.policy"])["wa"]
    assert wa[1500000, "greedy"] < wa[1700000, "greedy"]


def test_failures_are_listed_while_the_rest_goes_on(tmp_path):
    """Ten blocks cannot have a spare of 1 in 10,000: only the simulation, not the formula, can find that out."""
    grid = {**GRID, "axes": [{"list": [{"blocks": 128, "op": 0.1}, {"blocks": 10, "op": 0.0001}]}]}
    (tmp_path / "grid.json").write_text(json.dumps({**grid, "settings": {"precision": 0.05, "pages_per_block": 16}}))
    process = command(tmp_path / "grid.json", "--out", tmp_path / "out", "--processes", 1, "--json")
    output = json.loads(process.communicate(timeout=120)[0])
    assert (process.returncode, output["points"], output["done"], output["failed"]) == (3, 4, 2, 2)
    assert [(failure["blocks"], failure["seed"], failure["reason"]) for failure in output["failures"]] == [
        (10, seed, "ftlab wa: 10 blocks of 16 leave nothing above 160 logical pages") for seed in (1, 2)]
    again = ftlab.sweep(tmp_path / "grid.json", tmp_path / "out", processes=1)
    assert (again.count.computed, again.count.kept, again.count.failed) == (0, 2, 2)
    retried = ftlab.sweep(tmp_path / "grid.json", tmp_path / "out", processes=1, retry_failed=True)
    assert (retried.count.computed, retried.count.kept, retried.count.failed) == (2, 2, 2)


@pytest.mark.long
def test_a_worker_killed_from_outside_costs_nothing(tmp_path):
    (tmp_path / "grid.json").write_text(json.dumps(SLOW))
    process = command(tmp_path / "grid.json", "--out", tmp_path / "out", "--processes", 2, "--json")
    wait_for(process, tmp_path / "out", 3)
    with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="ascii") as file:
        children = file.read().split()
    children = children or [pid for pid in os.listdir("/proc") if pid.isdecimal() and _parent(pid) == process.pid]
    os.kill(int(children[0]), signal.SIGKILL)
    output = json.loads(process.communicate(timeout=120)[0])
    assert (process.returncode, output["done"], output["failed"]) == (0, 24, 0)


def _parent(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return int(file.read().rsplit(")", 1)[1].split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return 0


def test_a_terminal_sees_how_far_it_is_and_a_pipe_a_line_a_minute(capsys, monkeypatch, tmp_path):
    ftlab.sweep(GRID, tmp_path / "pipe", processes=1)
    assert capsys.readouterr().err == ""
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)  # as if tqdm were not installed
    with point_progress(2, shown=True) as count:
        count(False)
        count(True)
    lines = capsys.readouterr().err.replace("\n", "").split("\r")
    assert lines == ["", "50 %, 0:00 left; 1 of 2 points, 0 failed ", "100 %, 0:00 left; 2 of 2 points, 1 failed "]
    now = iter([0, 30, 59, 65, 90, 130])  # when the work begins, and after each point
    monkeypatch.setattr("ftlab.progress.monotonic", lambda: next(now))
    with point_progress(10, shown=None) as count:
        for failed in (False, True, False, False, False):
            count(failed)
    assert capsys.readouterr().err == ("30 %, 2:32 left; 3 of 10 points, 1 failed\n"
                                       "50 %, 2:10 left; 5 of 10 points, 1 failed\n")
    with point_progress(10, shown=False) as count:
        count(False)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("options, message", [
    ({"processes": 0}, "processes: is out of range (got 0; allowed: 1 to 1024)"),
    ({"shard": (3, 2)}, "shard: is not a shard (got (3, 2); allowed: (i, n): the i-th of n, from 1)"),
    ({"limit_s": -1}, "limit_s: is out of range (got -1; allowed: seconds; 0: no limit)"),
    ({"processes": 2, "scheduler": "tcp://nowhere:1"},
     "processes: has no meaning beside scheduler: the cluster has processes of its own (got 2)"),
])
def test_wrong_options_are_refused(options, message, tmp_path):
    with pytest.raises(ConfigError) as refused:
        ftlab.sweep(GRID, tmp_path / "out", **options)
    assert str(refused.value) == message
    assert not (tmp_path / "out").exists()


def test_the_command_refuses_a_bad_grid_with_status_2(tmp_path):
    (tmp_path / "grid.json").write_text('{"kind": "wa",\n"axes": [{"polcy": ["fifo"]}]}')
    process = command(tmp_path / "grid.json", "--out", tmp_path / "out")
    output = process.communicate(timeout=60)
    assert (process.returncode, output[0]) == (2, "")
    assert output[1].startswith(f"{tmp_path}/grid.json:2: point 1 of 1 (polcy=\"fifo\"): polcy: is not part of the question")
    assert not (tmp_path / "out").exists()
