"""`ftlab run --vary`: the folders are those of single runs, in the product of the values, and bad input starts nothing."""

from __future__ import annotations

import json
import pathlib
import subprocess

import pytest
from conftest import SMALL

from ftlab import ConfigError
from ftlab.report.names import named_by_difference
from ftlab.report.reading.sources import read_sources
from ftlab.sweeps.variants import variants_of

SETTINGS = [part for key, value in SMALL.items() for part in ("--set", f"{key}={value}")]
JOB = "[w]\nfilename=drive\nrw=randwrite\nbs=4k\niodepth=8\nnorandommap\nio_size=100m\n"


def run(program: str, home: pathlib.Path, *words: str) -> "subprocess.CompletedProcess[str]":
    (home / "w.fio").write_text(JOB)
    return subprocess.run([program, "run", "w.fio", "--drive", "example-25nm-mlc", *SETTINGS, *words], cwd=home,
                          capture_output=True, text=True, check=False)


def result_of(folder: pathlib.Path) -> object:
    """Without its time and memory."""
    result = json.loads((folder / "result.json").read_text())
    del result["ftlab"]["simulator"]
    return result


def test_variants_are_the_product_of_their_values_with_short_names() -> None:
    variants = variants_of(["ftl.gc.policy=greedy,fifo", "job:iodepth=1,32"])
    assert [one.name for one in variants] == ["greedy_iodepth-1", "greedy_iodepth-32", "fifo_iodepth-1", "fifo_iodepth-32"]
    assert variants[3].words == ("--set", "ftl.gc.policy=fifo", "--set-job", "iodepth=32")
    assert [one.words for one in variants_of(["op=7%,28%"])] == [("--set", "over_provisioning=7%"),
                                                                 ("--set", "over_provisioning=28%")]
    assert [(one.name, *one.words) for one in variants_of(["drive=configs/a.json,configs/b.json"])] == [
        ("configs-a.json", "--drive", "configs/a.json"), ("configs-b.json", "--drive", "configs/b.json")]
    assert [one.name for one in variants_of(['x=["a b","a/b"]'])] == ["a-b", "a-b-2"]
    assert variants_of(["name=report"])[0].name == "report-2"  # the page's folder


@pytest.mark.parametrize("words, message", [
    (["ftl.gc.policy"], "--vary: lacks a key or a value (got ftl.gc.policy; allowed: KEY=VALUE)"),
    (["a=1", "a=2"], "--vary: a: is on two axes"),
    (["a=1,1"], "--vary: a: has a value twice (got 1)"),
    ([f"a={','.join(map(str, range(1001)))}"],
     "--vary: makes too many variants (got 1001; allowed: at most 1000; ftlab sweep)")])
def test_bad_words_are_refused(words: "list[str]", message: str) -> None:
    with pytest.raises(ConfigError) as error:
        variants_of(words)
    assert str(error.value) == message


def test_each_variant_is_the_result_of_its_own_run_and_the_page_names_them(program: str, tmp_path: pathlib.Path) -> None:
    done = run(program, tmp_path, "--vary", "ftl.gc.policy=greedy,fifo", "--report", "--seed", "3", "--out", "out")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("greedy: ftl.gc.policy=greedy\n") and done.stdout.endswith("out/report/index.html\n")
    alone = run(program, tmp_path, "--set", "ftl.gc.policy=fifo", "--seed", "3", "--out", "alone")
    assert alone.returncode == 0, alone.stderr
    assert result_of(tmp_path / "out/fifo") == result_of(tmp_path / "alone")
    page = (tmp_path / "out/report/index.html").read_text()
    assert "<b>greedy</b>" in page and "<b>fifo</b>" in page
    again = run(program, tmp_path, "--vary", "ftl.gc.policy=greedy,fifo", "--out", "out")
    assert (again.returncode,
            again.stderr) == (2, "out: --out: exists already (allowed: a new or empty folder, or --replace)\n")


def test_a_bad_variant_is_refused_before_any_runs(program: str, tmp_path: pathlib.Path) -> None:
    done = run(program, tmp_path, "--vary", "ftl.gc.policy=greedy,fivo", "--out", "out")
    assert done.returncode == 2
    assert done.stderr.startswith("--vary: variant 2 of 2 (ftl.gc.policy=fivo): ftl.gc.policy: ")
    assert not (tmp_path / "out").exists()


def test_what_varies_is_not_given_beside_it(program: str, tmp_path: pathlib.Path) -> None:
    done = run(program, tmp_path, "--vary", "seed=1,2", "--seed", "3", "--out", "out")
    assert (done.returncode, done.stderr) == (2, "--vary: seed: varies, and is given beside it (allowed: no --seed, or one "
                                              "of its values)\n")


def test_check_simulates_nothing(program: str, tmp_path: pathlib.Path) -> None:
    done = run(program, tmp_path, "--check", "--out", "out")
    assert (done.returncode, done.stdout.startswith("w.fio: accepted for ")) == (0, True), done.stderr
    done = run(program, tmp_path, "--vary", "op=30%,40%", "--check", "--out", "out")
    assert (done.returncode, done.stdout) == (2, ""), done.stderr  # SMALL sets user_sectors, too
    assert "gives the user capacity, which user_sectors gives too" in done.stderr and not (tmp_path / "out").exists()


def test_designs_of_different_capacity_are_named_by_over_provisioning(program: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "w.fio").write_text(JOB.replace("io_size=100m", "io_size=2m"))
    done = subprocess.run([program, "run", "w.fio", "--drive", "example-small-and-slow", "--vary", "op=30%,40%", "--out",
                           "out"],
                          cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    folders = [tmp_path / "out" / name for name in ("op-30%", "op-40%")]
    assert [one.name for one in named_by_difference(read_sources(folders)).runs] == ["OP 30 %", "OP 40 %"]
