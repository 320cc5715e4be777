"""A value means the same on the command line, in a grid and in Python, or is refused in all three."""

from __future__ import annotations

import json
import random
import subprocess

import pytest
from conftest import SMALL, small_drive

import ftlab
from ftlab import _core
from ftlab.settings import drive_settings, variable_settings
from ftlab.sweeps.grid import read_grid
from ftlab.sweeps.plan import make_plan

DRIVE = "example-25nm-mlc"
ENDLESS = "[w]\nfilename=drive\nrw=randwrite\nbs=64k\niodepth=8\ntime_based\nruntime=20ms\n"
REFUSED = "refused"


def numbers_drawn(count: int, seed: int) -> "list[str]":
    """Plain numbers and percentages of every magnitude, and words that are neither."""
    chance = random.Random(seed)
    numbers = [f"{chance.uniform(0, 10 ** chance.randint(-3, 2)):.{chance.randint(1, 4)}f}" for _ in range(count)]
    return [number + chance.choice(["", "%"]) for number in numbers] + ["0.5", "2", "2%", "0.02", "%", "two", "-2%", "1e1%"]


def number_or_text(word: str) -> object:
    """The value as a grid or a Python caller would write it."""
    try:
        return json.loads(word)
    except json.JSONDecodeError:
        return word


def value_or_refusal(work: "object") -> object:
    try:
        return work()  # type: ignore[operator]
    except ftlab.ConfigError:
        return REFUSED


def answered(*words: str) -> "dict | str":
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 2), done.stderr
    return json.loads(done.stdout) if done.returncode == 0 else REFUSED


@pytest.mark.parametrize("word", numbers_drawn(12, 1))
def test_until_steady_means_the_same_in_a_grid_and_in_python(word: str) -> None:
    shares = [value_or_refusal(lambda: read_grid({"drive": DRIVE, "job": "w.fio", "until_steady": value}).until_steady)
              for value in (word, number_or_text(word))]
    request = value_or_refusal(lambda: small_drive().run(ftlab.Job(ENDLESS), until_steady=number_or_text(word)))
    run = request if request == REFUSED else request.json["ftlab"]["until_steady"]["fraction"]  # type: ignore[union-attr]
    assert shares == [run, run]
    assert word != "0.5" or run == REFUSED
    assert word not in ("2", "2%", "0.02") or run == 0.02


@pytest.mark.parametrize("word", ["0.5", "2", "2%", "0.02", "0.3%", "60%", "two"])
def test_until_steady_means_the_same_on_the_command_line(word: str, program: str, tmp_path: object) -> None:
    (tmp_path / "w.fio").write_text(ENDLESS)  # type: ignore[operator]
    settings = [part for key, value in SMALL.items() for part in ("--set", f"{key}={value}")]
    result = answered(program, "run", f"{tmp_path}/w.fio", "--drive", DRIVE, *settings, f"--until-steady={word}",
                      "--out", f"{tmp_path}/out", "--json")
    shown = result if isinstance(result, str) else result["ftlab"]["until_steady"]["fraction"]
    assert shown == value_or_refusal(lambda: _core.share(word, True, "", 0, "until_steady"))


@pytest.mark.parametrize("word", [*numbers_drawn(6, 2), "7%", "0.07", "7"])
def test_over_provisioning_means_the_same_at_all_doors(word: str, program: str) -> None:
    in_python = value_or_refusal(lambda: ftlab.theory(op=number_or_text(word))["wa"])
    command = answered(program, "theory", f"--op={word}", "--json")
    assert in_python == (command if isinstance(command, str) else command["wa"])
    planned = value_or_refusal(lambda: make_plan({"kind": "wa", "axes": [{"op": [word]}]}))
    assert (planned == REFUSED) == (in_python == REFUSED)


def test_a_share_in_per_cent_is_the_same_point_as_its_ratio() -> None:
    plan = make_plan({"kind": "wa", "axes": [{"op": [0.07, "7%", "0.070", "7.0%"]}]})
    assert len(plan.tasks) == 1 and len(plan.points) == 4


@pytest.mark.parametrize("words, ratio", [(["7%", "0.07"], 0.07), (["7.5%", "0.075"], 0.075)])
def test_a_new_drive_has_the_over_provisioning_of_either_word(words: "list[str]", ratio: float, program: str,
                                                              tmp_path: object) -> None:
    files = []
    for word in words:
        file = f"{tmp_path}/{len(files)}.json"
        subprocess.run([program, "init", file, "--capacity=256GB", f"--over-provisioning={word}"], check=True,
                       capture_output=True)
        files.append(ftlab.drive_document(file))
    assert files[0] == files[1]


def units_drawn(count: int) -> "list[tuple[str, str]]":
    chance = random.Random(3)
    kinds = [("nand.read_ns", ["ns", "us", "ms", "s"]), ("ftl.write_buffer.bytes", ["B", "kB", "MB", "KiB", "MiB"]),
             ("user_sectors", ["MB", "MiB", "KiB"]), ("endurance.limit_spread_permille", ["%"]),
             ("nand.read_ns", ["MB", "kg"])]
    drawn = [chance.choice(kinds) for _ in range(count)]
    return [(key, f"{chance.randint(1, 300)}{chance.choice(['', '.5'])}{chance.choice(units)}") for key, units in drawn]


@pytest.mark.parametrize("key, word", [*units_drawn(24), ("nand.read_ns", "75us"), ("ftl.write_buffer.bytes", "40MB")])
def test_a_number_with_a_unit_means_the_same_in_set_in_settings_and_in_grids(key: str, word: str) -> None:
    def resolved(words: "list[str]") -> object:
        _core.check_drive(DRIVE, words, "")
        value = json.loads(_core.drive_document(DRIVE, words, ""))
        for step in key.split("."):
            value = value[step]
        return value["value"] if isinstance(value, dict) else value

    def in_grid(grid: "dict") -> object:
        return make_plan({"drive": DRIVE, "job": "nowhere.fio", **grid})

    as_set = value_or_refusal(lambda: resolved([f"{key}={word}"]))
    assert value_or_refusal(lambda: resolved(drive_settings({key: word}))) == as_set
    for grid in ({"settings": {key: word}}, {"axes": [{key: [word]}]}):
        with pytest.raises(ftlab.ConfigError) as error:
            in_grid(grid)
        assert ("nowhere.fio: does not exist" in str(error.value)) == (as_set != REFUSED), str(error.value)


def test_variables_of_a_procedure_are_words_of_jobs() -> None:
    assert variable_settings({"cell": "100ms", "block": ["4k", 8192], "deep": True}) == ["cell=100ms", "block=4k,8192",
                                                                                         "deep=1"]
    with pytest.raises(ftlab.ConfigError, match="cell"):
        variable_settings({"cell": None})


def test_intervals_are_the_same_on_the_command_line_and_in_python(program: str, tmp_path: object) -> None:
    job = "[w]\nfilename=drive\nrw=randwrite\nbs=4k\niodepth=8\nio_size=8m\n"
    (tmp_path / "w.fio").write_text(job)  # type: ignore[operator]
    settings = [part for key, value in SMALL.items() for part in ("--set", f"{key}={value}")]
    told = answered(program, "run", f"{tmp_path}/w.fio", "--drive", DRIVE, *settings, "--interval", "sheet", "--out",
                    f"{tmp_path}/out", "--json")
    result = small_drive().run(f"{tmp_path}/w.fio", interval="sheet")
    assert result.json["ftlab"]["intervals"] == told["ftlab"]["intervals"]  # type: ignore[index]
    bounds = result.intervals.set_index("figure")
    iops = result.jobs["iops"][0]
    assert bounds.loc["iops", "low"] < iops < bounds.loc["iops", "high"]
    assert small_drive().run(f"{tmp_path}/w.fio").intervals.empty
    with pytest.raises(ftlab.ConfigError, match="what the drive file is based on"):
        small_drive().run(f"{tmp_path}/w.fio", interval="shet")


def test_policies_are_those_that_the_program_takes(program: str) -> None:
    refusal = subprocess.run([program, "wa", "--policy", "none"], capture_output=True, text=True, check=False).stderr
    assert f"allowed: {', '.join(ftlab.gc_policies())}" in refusal
