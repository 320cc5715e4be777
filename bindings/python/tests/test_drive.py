"""A drive in Python is the program's drive: the same results, and its state can be forked, saved and loaded."""

from __future__ import annotations

import json
import pathlib
import subprocess

import numpy as np
import pytest
from conftest import SMALL, small_drive, writes
from hypothesis import given, settings
from hypothesis import strategies as st

import ftlab
from ftlab.settings import drive_settings


def without_effort(text: str) -> dict:
    result = json.loads(text)
    del result["ftlab"]["simulator"]
    return result


def test_a_run_gives_what_the_program_gives(tmp_path: pathlib.Path, program: str) -> None:
    job = tmp_path / "job.fio"
    job.write_text(writes().text)
    words = [word for setting in drive_settings(SMALL) for word in ("--set", setting)]
    subprocess.run([program, "run", str(job), "--drive", "example-25nm-mlc", "--seed", "7", "--out", str(tmp_path / "out"),
                    *words], check=True, capture_output=True)
    ours = small_drive(seed=7).run(job, seed=7)
    theirs = ftlab.Result.load(tmp_path / "out")
    assert sorted(ours.files) == sorted(theirs.files)
    assert without_effort(ours.files["result.json"]) == without_effort(theirs.files["result.json"])
    for name in set(ours.files) - {"result.json"}:
        assert ours.files[name] == theirs.files[name], name


def test_a_host_costs_time_and_is_echoed_apart_from_the_drive() -> None:
    alone = small_drive().run(writes())
    hosted = ftlab.Drive("example-25nm-mlc", SMALL, host="hp-microserver-gen8").run(writes())
    assert json.loads(alone.files["host.json"])["name"] == "default"
    assert json.loads(hosted.files["host.json"])["cores"]["value"] == 2
    assert "host" not in json.loads(hosted.files["drive.json"])
    assert hosted.json["ftlab"]["latency_parts_ns"]["host"] > alone.json["ftlab"]["latency_parts_ns"]["host"] == 0
    with pytest.raises(ftlab.ConfigError, match="unknown host"):
        ftlab.Drive("example-25nm-mlc", SMALL, host="hp-microserver-gen9")


def test_the_same_run_gives_the_same_signature_and_another_seed_another() -> None:
    first, second = small_drive().run(writes()), small_drive().run(writes())
    assert first.signature == second.signature
    assert small_drive().run(writes(), seed=2).signature != first.signature


def test_a_fork_goes_on_like_its_origin_and_apart_from_it() -> None:
    drive = small_drive()
    drive.run(writes())
    drive.idle(3.0)
    fork = drive.fork()
    assert fork.signature == drive.signature and fork.lived_s == drive.lived_s
    ours, theirs = drive.run(writes("50m")), fork.run(writes("50m"))
    assert ours.files["series.csv"] == theirs.files["series.csv"]
    assert fork.signature == drive.signature
    drive.run(writes("10m"))
    assert fork.signature != drive.signature


def test_a_saved_drive_goes_on_where_it_was(tmp_path: pathlib.Path) -> None:
    drive = small_drive()
    drive.run(writes())
    drive.save(tmp_path / "aged.state")
    loaded = ftlab.Drive.load(tmp_path / "aged.state")
    assert loaded.signature == drive.signature
    drive.idle(1.0)  # saving a state waits until the drive is idle
    assert loaded.run(writes("50m")).files["series.csv"] == drive.run(writes("50m")).files["series.csv"]


def test_one_aged_drive_is_forked_across_designs(tmp_path: pathlib.Path) -> None:
    aged = small_drive(timed=False)
    aged.run(writes())
    aged.save(tmp_path / "aged.state")
    fifo = ftlab.Drive.load(tmp_path / "aged.state", settings={"ftl.gc.policy": "fifo"})
    assert fifo.config["ftl"]["gc"]["policy"] == "fifo"
    assert fifo.counters["mapped_bytes"] == aged.counters["mapped_bytes"]
    assert fifo.inspect() == []


def test_timed_and_untimed_runs_place_the_same() -> None:
    timed, untimed = small_drive(), small_drive(timed=False)
    timed.run(writes(iodepth=1))
    untimed.run(writes(iodepth=1))
    assert timed.counters["media_relocation_bytes"] == untimed.counters["media_relocation_bytes"] > 0
    untimed.timed = True
    assert untimed.timed and untimed.run(writes("5m")).series["write_iops"].iloc[0] > 0


def test_block_columns_are_the_simulators_own_memory_and_read_only() -> None:
    drive = small_drive()
    blocks = drive.blocks
    before = blocks.valid.copy()
    drive.run(writes("20m"))
    assert (blocks.valid != before).any(), "the array shows the drive as it is now"
    assert np.array_equal(blocks.valid, drive.blocks.valid)
    assert blocks.valid.sum() * 4096 == drive.counters["mapped_bytes"]
    for name in ("valid", "state", "pool", "erases", "closed_at", "opened_at"):
        array = getattr(blocks, name)
        assert len(array) == 64 and not array.flags.writeable and not array.flags.owndata
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
        with pytest.raises(ValueError):
            array.setflags(write=True)
    frame = blocks.frame()
    assert set(frame["state"]) <= set(ftlab.blocks.STATES) and frame["erases"].sum() == blocks.erases.sum()


def test_arrays_outlive_the_drive_and_its_translation_layer() -> None:
    drive = small_drive()
    drive.run(writes("20m"))
    old = drive.blocks
    shown = old.valid.copy()
    drive.power_cycle()
    drive.run(writes("60m"))
    assert np.array_equal(old.valid, shown), "the old layer is as it was"
    drive.close()
    del drive
    assert np.array_equal(old.valid, shown)


def test_frames_hold_the_numbers_of_the_files() -> None:
    result = small_drive().run(writes(log_avg_msec=100, write_bw_log="w", write_iops_log="w"))
    writes_json = result.json["jobs"][0]["write"]
    row = result.jobs.iloc[0]
    assert (row["requests"], row["bytes"]) == (writes_json["total_ios"], 200 << 20)
    assert row["latency_us_mean"] == pytest.approx(writes_json["clat_ns"]["mean"] / 1e3)
    assert result.wa == pytest.approx(result.wa_parts.sum())
    series = result.series
    moved = (series["write_MB_per_s"] * series["length_s"]).sum() * 1e6
    assert moved == pytest.approx(200 << 20, rel=1e-3)
    log = result.log("bw")
    assert set(log["direction"]) == {"write"} and set(log["job"]) == {1}
    with pytest.raises(ftlab.ConfigError, match="wrote no such log .*allowed: bw, iops"):
        result.log("lat")


def test_latency_parts_sum_to_the_latency_exactly() -> None:
    result = small_drive().run(writes())
    writes_json = result.json["jobs"][0]["write"]
    total = sum(int(writes_json[kind]["mean"] * writes_json[kind]["N"]) for kind in ("lat_ns",))
    assert abs(int(result.latency_parts_ns.sum()) - total) <= writes_json["lat_ns"]["N"]


def test_a_result_is_written_whole_and_replaces_nothing_unasked(tmp_path: pathlib.Path) -> None:
    result = small_drive().run(writes("5m"))
    result.save(tmp_path / "r")
    assert ftlab.Result.load(tmp_path / "r").files == result.files
    with pytest.raises(ftlab.ConfigError):
        result.save(tmp_path / "r")
    result.save(tmp_path / "r", replace=True)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("years of work")
    with pytest.raises(ftlab.ConfigError):
        result.save(tmp_path / "mine", replace=True)
    assert (tmp_path / "mine" / "thesis.tex").read_text() == "years of work"


def test_a_job_file_for_a_larger_drive_runs_when_it_is_shrunk() -> None:
    job = writes("400m", size="480m")  # ten times the drive's size
    with pytest.raises(ftlab.ConfigError, match="reaches beyond the end"):
        small_drive().run(job)
    fitted = small_drive().run(job, shrink_jobs="fit")
    assert fitted.json["jobs"][0]["write"]["io_bytes"] == 40 << 20
    assert fitted.signature == small_drive().run(job, shrink_jobs=10).signature
    assert any("divided by 10" in note for note in fitted.notes)


def test_a_run_ends_when_its_steady_state_is_known() -> None:
    result = small_drive().run(writes("100g", time_based=1, runtime=3600), until_steady=0.05)
    assert result.series["t_s"].iloc[-1] < 3600
    assert result.json["ftlab"]["until_steady"]["reached"] is True


def test_intervals_are_told_and_may_end_the_run() -> None:
    rows = []
    drive = small_drive()
    result = drive.run(writes("100g", time_based=1, runtime=3600),
                       each_interval=lambda row: rows.append(row) or len(rows) == 5)
    assert [row["t_s"] for row in rows[:5]] == [1, 2, 3, 4, 5]
    assert result.series["t_s"].iloc[-1] < 7
    assert rows[2]["write_MB_per_s"] == pytest.approx(result.series["write_MB_per_s"].iloc[2], abs=1e-3)


def test_progress_is_told_in_simulated_seconds_and_requests() -> None:
    calls = []
    small_drive().run(writes("4g"), progress=lambda seconds, requests: calls.append((seconds, requests)))
    assert calls and calls == sorted(calls)
    small_drive().run(writes("5m"), progress=True)


def test_a_disk_is_a_drive_without_blocks() -> None:
    disk = ftlab.Drive("wd-5000bpkt")
    result = disk.run(ftlab.Job("[r]\nfilename=d\nrw=randread\nbs=4k\nruntime=5\ntime_based\n"))
    assert 20 < result.jobs["iops"].iloc[0] < 200
    assert disk.fork().signature == disk.signature
    with pytest.raises(ftlab.DriveError, match="a disk has no blocks"):
        disk.blocks
    with pytest.raises(ftlab.ConfigError, match="is a disk; it has no policies"):
        ftlab.Drive("wd-5000bpkt", gc_policy=lambda view: None)


def test_a_procedure_runs_into_a_folder(tmp_path: pathlib.Path) -> None:
    procedure = tmp_path / "procedure.json"
    (tmp_path / "w.fio").write_text(writes("20m").text)
    procedure.write_text(json.dumps({"name": "two", "steps": [
        {"step": "job", "name": "first", "file": "w.fio"}, {"step": "idle", "seconds": 1},
        {"step": "job", "name": "second", "file": "w.fio"}]}))
    calls = []
    drive = small_drive()
    result = drive.run_procedure(procedure, tmp_path / "out", progress=calls.append)
    assert list(result.steps["step"]) and len(calls) == 2
    assert (tmp_path / "out" / calls[0] / "result.json").is_file()
    assert drive.counters["host_write_bytes"] == 40 << 20


def test_a_drive_may_be_a_mapping() -> None:
    document = ftlab.drive_document("example-25nm-mlc", SMALL)
    assert ftlab.Drive(document).run(writes("20m")).signature == small_drive().run(writes("20m")).signature
    with pytest.raises(ftlab.ConfigError, match="drive.json:.*user_sectorz.*did you mean user_sectors"):
        ftlab.Drive({**document, "user_sectorz": 1})


def test_write_amplification_agrees_with_its_theory() -> None:
    answer = ftlab.wa(op=0.28, blocks=256, pages_per_block=32, precision=0.005)
    assert abs(answer["deviation"]) < 0.03
    assert answer["theory"] == {key: value for key, value in ftlab.theory(op=0.28, blocks=256, pages_per_block=32).items()
                                if key in answer["theory"]}


def test_the_library_is_there() -> None:
    assert "kingston-ssdnow-v-64" in ftlab.drives()
    document = ftlab.drive_document("kingston-ssdnow-v-64")
    assert document["nand"]["read_ns"]["from"] in {"datasheet", "measured", "fitted", "assumed", "inferred"}


def test_other_commands_are_the_programs(program: str) -> None:
    assert "kingston-ssdnow-v-64" in ftlab.command("drives")
    with pytest.raises(ftlab.ConfigError, match="is not a command .*did you mean drives"):
        ftlab.command("drivez")


@settings(max_examples=25, deadline=None)
@given(policy=st.sampled_from(["greedy", "fifo", "random", "cost-benefit"]), depth=st.integers(1, 32),
       block=st.sampled_from(["512", "4k", "16k", "64k"]), seed=st.integers(0, 2**64 - 1))
def test_no_run_breaks_a_law(policy: str, depth: int, block: str, seed: int) -> None:
    drive = small_drive({"ftl.gc.policy": policy}, seed=seed)
    result = drive.run(writes("24m", bs=block, iodepth=depth), seed=seed)
    assert result.failed_checks == [] and result.failed_requests == 0
    assert drive.inspect() == []
    assert result.wa >= 1
    assert drive.blocks.valid.sum() * 4096 == drive.counters["mapped_bytes"]
