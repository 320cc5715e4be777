"""Grids: their expansion, addresses, and the messages of refusals; `ftlab run --vary`; the summary of replicates."""

from __future__ import annotations

import argparse
import itertools
import json
import math
import pathlib
import subprocess

from conftest import SMALL
from hypothesis import given, settings, strategies as st
import numpy as np
import pandas as pd
import pytest

from ftlab import ConfigError
from ftlab.report.names import named_by_difference
from ftlab.report.reading.sources import read_sources
from ftlab.sweeps.command import add_arguments
from ftlab.sweeps.document import parse_document
from ftlab.sweeps.grid import read_grid
from ftlab.sweeps.plan import address_of, make_plan
from ftlab.sweeps.summary import half_width, summary, t_quantile
from ftlab.sweeps.variants import variants_of
from ftlab.sweeps.words import grid_of

PLAIN = st.one_of(st.integers(-9, 9), st.text("ab.", max_size=3), st.booleans())
KEYS = st.lists(st.text("klmn", min_size=1, max_size=3), min_size=1, max_size=4, unique=True)


def refused(grid, tmp_path, make=read_grid):
    """The message without the file's folder."""
    if isinstance(grid, str):
        path = tmp_path / "grid.json"
        path.write_text(grid)
        grid = path
    with pytest.raises(ConfigError) as error:
        make(grid)
    return str(error.value).replace(f"{tmp_path}/", "")


@st.composite
def products(draw):
    return {key: draw(st.lists(PLAIN, min_size=1, max_size=3, unique_by=json.dumps)) for key in draw(KEYS)}


@given(products(), st.integers(1, 3))
def test_axes_make_their_product_with_the_last_one_fastest(axes, seeds):
    grid = read_grid({"kind": "wa", "axes": [{key: values} for key, values in axes.items()], "seeds": {"count": seeds}})
    expected = [dict(zip(axes, values)) for values in itertools.product(*axes.values())]
    assert list(grid.choices()) == expected
    assert grid.count == len(expected) * seeds
    assert grid.seeds == tuple(range(1, seeds + 1))


@given(KEYS, st.integers(1, 5))
def test_a_zip_goes_through_its_lists_side_by_side(keys, count):
    columns = {key: [[key, i] for i in range(count)] for key in keys}
    grid = read_grid({"kind": "wa", "axes": [{"zip": columns}]})
    assert list(grid.choices()) == [{key: [key, i] for key in keys} for i in range(count)]


def test_a_list_may_give_other_keys_in_each_point():
    grid = read_grid({"kind": "wa", "axes": [{"list": [{"a": 1}, {"b": 2, "c": 3}]}, {"d": [4, 5]}]})
    assert list(grid.choices()) == [{"a": 1, "d": 4}, {"a": 1, "d": 5}, {"b": 2, "c": 3, "d": 4}, {"b": 2, "c": 3, "d": 5}]
    assert grid.keys == ("a", "b", "c", "d")


@given(st.recursive(PLAIN, lambda inner: st.one_of(st.lists(inner, max_size=3),
                                                   st.dictionaries(st.text("ab\"\\/*\n", max_size=4), inner, max_size=3))))
@settings(max_examples=200)
def test_comments_change_neither_values_nor_lines(value):
    text = json.dumps({"v": value}, indent=1)
    commented = "/* one\n two */ " + text.replace("\n", " // end of line, \"quoted\" {\n") + "// last"
    plain, with_comments = parse_document(text, "f"), parse_document(commented, "f")
    assert with_comments.value == plain.value == {"v": value}
    assert {steps: line + 1 for steps, line in plain.lines.items()} == dict(with_comments.lines)


def test_keys_know_their_lines():
    document = parse_document('{\n "a": [1,\n  {"b":\n 2}],\n "c.d": 3\n}', "f")
    assert (document.line("a"), document.line("a", 1), document.line("a", 1, "b"), document.line("c.d")) == (2, 3, 3, 5)
    assert document.line("a", 1, "missing") == 3


@given(st.dictionaries(st.text(max_size=3), st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False)),
                       max_size=5))
def test_an_address_does_not_depend_on_the_order_of_keys(content):
    assert address_of(dict(reversed(list(content.items())))) == address_of(content)
    assert address_of({**content, "one more": 1}) != address_of(content)


def test_the_same_question_in_other_words_has_the_same_address():
    plan = make_plan({"kind": "wa", "settings": {"op": 0.1}, "axes": [{"list": [{"d": 10}, {"policy": "greedy"},
                                                                                 {"pages_per_block": "64"}, {"d": 9}]}]})
    first, second, third, other = (point.address for point in plan.points)
    assert first == second == third != other
    assert len(plan.tasks) == 2


def test_another_seed_setting_or_job_is_another_address(tmp_path):
    (tmp_path / "w.fio").write_text("[w]\nfilename=drive\nrw=randwrite\nsize=10%\n")
    grid = {"drive": "example-25nm-mlc", "job": str(tmp_path / "w.fio"), "seeds": [1, 2],
            "axes": [{"job:bs": ["4k", "8k"]}, {"ftl.gc.policy": ["greedy", "fifo"]}]}
    before = [point.address for point in make_plan(grid).points]
    assert len(set(before)) == 8
    assert [point.address for point in make_plan(grid).points] == before
    (tmp_path / "w.fio").write_text("[w]\nfilename=drive\nrw=randwrite\nsize=20%\n")
    assert not set(before) & {point.address for point in make_plan(grid).points}


def test_an_included_file_is_part_of_the_job(tmp_path):
    (tmp_path / "w.fio").write_text("include common.fio\n[w]\nfilename=drive\nrw=randwrite\nsize=10%\n")
    (tmp_path / "common.fio").write_text("[global]\nbs=4k\n")
    grid = {"drive": "example-25nm-mlc", "job": str(tmp_path / "w.fio")}
    plan = make_plan(grid)
    assert "bs=4k" in plan.tasks[plan.points[0].address]["content"]["job"]["text"]
    (tmp_path / "common.fio").write_text("[global]\nbs=8k\n")
    assert make_plan(grid).points[0].address != plan.points[0].address


def test_shards_are_the_whole_without_overlap():
    plan = make_plan({"kind": "wa", "axes": [{"op": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]}]})
    positions = [point.position for i in (1, 2, 3) for point in plan.shard(i, 3)]
    assert sorted(positions) == list(range(7))


@pytest.mark.parametrize("grid, message", [
    ('{\n "kind": "wa",\n "axs": []}', "grid.json:3: axs: is not a known key (allowed: kind, settings, axes, seeds; "
                                       "did you mean axes?)"),
    ('{"kind": "ran"}', "grid.json:1: kind: is not a kind of sweep (got ran; allowed: wa, run; did you mean run?)"),
    ('{"kind": "wa",\n "axes": [\n {"op": []}]}',
     "grid.json:3: op: must be a list of one value or more (got [])"),
    ('{"kind": "wa", "axes": [\n {"op": [0.1,\n 0.2, 0.1]}]}', "grid.json:3: op: has a value twice (got 0.1)"),
    ('{"kind": "wa", "axes": [{"op": [0.1]},\n {"op": [0.2]}]}', "grid.json:2: op: is on two axes"),
    ('{"kind": "wa", "settings": {"op": 1}, "axes": [{"op": [0.1]}]}', "grid.json:1: op: is on an axis and in settings"),
    ('{"kind": "wa", "axes": [{"zip": {"a": [1, 2],\n "b": [1]}}]}',
     "grid.json:1: zip: must give as many values to each of its keys, not a: 2, b: 1"),
    ('{"kind": "wa", "axes": [{"a": [1], "b": [2]}]}',
     'grid.json:1: axes: must be one of the forms of an axis (got {"a": [1], "b": [2]}; allowed: {"KEY": [...]}, '
     '{"zip": {"KEY": [...], ...}} or {"list": [{...}, ...]})'),
    ('{"kind": "wa", "seeds": [1,\n -1]}', "grid.json:2: seeds: is not a seed (got -1; allowed: 0 to 18446744073709551615)"),
    ('{"kind": "wa", "seeds": [1, 1]}', "grid.json:1: seeds: has a seed twice (got 1)"),
    ('{"kind": "wa", "seeds": {"frist": 1, "count": 2}}',
     "grid.json:1: frist: is not a known key (allowed: first, count; did you mean first?)"),
    ('{"kind": "wa",\n\n "kind": "run"}', "grid.json:3: kind: stands here twice"),
    ('{"kind": "wa",\n "axes": [}', "grid.json:2: is not JSON: Expecting value"),
    ('{"kind": "wa", "seeds": [NaN]}', "grid.json: is not JSON: NaN is not a number"),
    ('{"kind": "wa", "settings": {"op": 1e400}}', "grid.json: is not JSON: 1e400 is larger than any number here"),
    ('{"drive": "example-25nm-mlc"}', "grid.json: job: is missing: a sweep of runs needs one, for all points or on an axis"),
    ('{"kind": "wa", "axes": [{"op": [1, 2, 3]}, {"zip": {"d": [1, 2], "window": [1, 2]}}],\n "seeds": {"count": 200000}}',
     "grid.json:1: axes: has too many points: 3 (op) x 2 (d with window) x 200000 seeds = 1200000 (allowed: at most"
     " 1000000)"),
    ('{"drive": "d", "job": "j", "untimed": true,\n "until_steady": 0.5}',
     "grid.json:2: until_steady: may be a ratio or per cent (got 0.5; allowed: 0.5% if per cent was meant, 50% if the ratio "
     "was)"),
    ('{"age": {"job": "a",\n "untimd": true}, "drive": "d", "job": "j"}',
     "grid.json:2: untimd: is not a known key (allowed: job, precondition, settings, job_settings, untimed, seed; did you "
     "mean untimed?)"),
    ('[1]', "grid.json:1: must be an object (got [1])"),
])
def test_a_wrong_grid_is_refused_with_line_and_key(grid, message, tmp_path):
    assert refused(grid, tmp_path) == message


@pytest.mark.parametrize("grid, message", [
    ('{"kind": "wa", "axes": [\n {"policy": ["greedy", "gredy"]},\n {"op": [0.1, 0.2]}]}',
     'grid.json:2: point 3 of 4 (policy="gredy", op=0.1): --policy: is not a known name (got gredy; allowed: greedy, '
     'random, '
     'd-choices, fifo, windowed-greedy, cost-benefit, cost-benefit-kawaguchi, greedy-least-worn; did you mean greedy?)'),
    ('{"kind": "wa", "axes": [{"polcy": ["fifo"]}]}',
     'grid.json:1: point 1 of 1 (polcy="fifo"): polcy: is not part of the question (allowed: policy, d, window, op, blocks, '
     'pages_per_block, workload, frontiers, trim, compression, parameters; did you mean policy?)'),
    ('{"kind": "wa", "settings": {"blocks": 64},\n "axes": [{"polcy": ["fifo"]}]}',
     'grid.json:2: point 1 of 1 (polcy="fifo"): polcy: is not part of the question (allowed: policy, d, window, op, blocks, '
     'pages_per_block, workload, frontiers, trim, compression, parameters; did you mean policy?)'),
    ('{"kind": "wa",\n "settings": {"precision": 20}}',
     "grid.json:2: point 1 of 1: precision: is out of range (got 20; allowed: 0.001% to 10%, as 7% or 0.07)"),
    ('{"drive": "example-25nm-mlc", "job": "w.fio",\n "axes": [{"ftl.gc.policy": ["greedy", "fifoo"]}], "seeds": [1, 2]}',
     'grid.json:2: point 2 of 2 (ftl.gc.policy="fifoo"): ftl.gc.policy: is not a known name (got "fifoo"; allowed: greedy, '
     'random, d-choices, fifo, windowed-greedy, cost-benefit, cost-benefit-kawaguchi, greedy-least-worn;'
     ' did you mean fifo?)'),
    ('{"drive": "example-25nm-mlc", "job": "w.fio", "axes": [{"job:rw": ["randwrit"]}]}', "did you mean randwrite?"),
    ('{"drive": "example-25nm-mlc", "job": "nowhere.fio"}', "grid.json: point 1 of 1: nowhere.fio: does not exist"),
    ('{"drive": "example-25nm-mlc", "job": "p.json"}',
     "grid.json: point 1 of 1: p.json: is a procedure; a sweep takes job files"),
    ('{"drive": "example-25nm-mlc", "job": "w.fio", "until_steady": 0.02}',
     "ends by itself before a steady state could be seen"),
    ('{"drive": "wd-5000bpkt", "job": "w.fio", "age": {"job": "w.fio"}}',
     "grid.json: point 1 of 1: age: is for drives whose state can be kept; a disk has none (got wd-5000bpkt)"),
    ('{"drive": "example-25nm-mlc", "job": "w.fio", "axes": [\n{"list": [{"drive": 3}]}]}',
     "is on an axis and in the grid itself"),
])
def test_a_wrong_point_is_refused_before_anything_starts(grid, message, tmp_path):
    (tmp_path / "w.fio").write_text("[w]\nfilename=drive\nrw=randwrite\nsize=10%\n")
    told = refused(grid, tmp_path, make_plan)
    assert told == message or (message in told and not message.startswith("grid.json"))


def test_what_json_has_not_is_refused_from_python(tmp_path):
    assert "grid: has what JSON has not" in refused({"kind": "wa", "axes": [{"op": [object()]}]}, tmp_path)


def words(*given):
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return grid_of(parser.parse_args([*given, "--out", "x"]))


def test_words_of_the_command_line_describe_a_grid():
    made = words("--drive", "example-25nm-mlc", "--job", "j.fio", "--axis", "op=7%,28%", "--axis",
                 "ftl.gc.policy=greedy,fifo",
                 "--axis", "job:iodepth=1,32", "--set", "nand.read_ns=50000", "--precondition", "steady", "--seeds", "2")
    assert made == {"kind": "run", "drive": "example-25nm-mlc", "job": "j.fio",
                    "axes": [{"over_provisioning": ["7%", "28%"]}, {"ftl.gc.policy": ["greedy", "fifo"]},
                             {"job:iodepth": [1, 32]}],
                    "settings": {"nand.read_ns": 50000}, "age": {"precondition": "steady"},
                    "seeds": {"first": 1, "count": 2}}
    assert read_grid(made).count == 16
    assert words("--axis", "op=0.07,0.28", "--axis", "policy=greedy,fifo")["kind"] == "wa"


@pytest.mark.parametrize("given, message", [
    ((), "--axis: needs a grid file, or axes"), (("--axis", "op"), "--axis: lacks a key or a value (got op"),
    (("--axis", "op=7%", "--set", "a=1", "--set", "a=2"), "--set: a: is set twice (got 2"),
])  # fmt: skip
def test_wrong_words_are_refused(given, message):
    with pytest.raises(ConfigError) as error:
        words(*given)
    assert message in str(error.value)


@pytest.mark.parametrize("age, message", [
    ({}, "age: must have either a job or a precondition"),
    ({"job": "a.fio", "precondition": "steady"}, "age: must have either a job or a precondition"),
    ({"precondition": "steedy"}, "age.precondition: is not a state that a drive is brought into (got steedy; allowed: "
                                 "sequential, random, steady; did you mean steady?)"),
    ({"precondition": "steady", "untimed": True}, "age.untimed: applies to a job"),
])  # fmt: skip
def test_a_state_that_no_drive_is_brought_into_is_refused(age, message):
    with pytest.raises(ConfigError) as error:
        read_grid({"drive": "d", "job": "j", "age": age})
    assert message in str(error.value)


# `ftlab run --vary`: the folders are those of single runs, in the product of the values, and bad input starts nothing.

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


# Replicates: means and confidence intervals compared with published values.

# Two-sided 95 % and 99 % points from a table of Student's t (Abramowitz and Stegun, table 26.10).
TABLE = [(0.975, 1, 12.706), (0.975, 2, 4.303), (0.975, 3, 3.182), (0.975, 4, 2.776), (0.975, 9, 2.262), (0.975, 10, 2.228),
         (0.975, 30, 2.042), (0.975, 120, 1.980), (0.995, 1, 63.657), (0.995, 5, 4.032), (0.995, 40, 2.704)]


@pytest.mark.parametrize("share, degrees, t", TABLE)
def test_quantiles_of_student_are_those_of_the_tables(share, degrees, t):
    assert t_quantile(share, degrees) == pytest.approx(t, abs=5e-4)


def test_one_degree_of_freedom_is_cauchys_distribution():
    for share in (0.6, 0.75, 0.9, 0.999):
        assert t_quantile(share, 1) == pytest.approx(math.tan(math.pi * (share - 0.5)), rel=1e-9)


def test_the_interval_of_a_known_sample():
    # Student's own data (Biometrika 6, 1908, additional hours of sleep, drug 2 - 1): mean 1.58, s 1.23, n 10.
    gained = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]
    assert np.mean(gained) == pytest.approx(1.58)
    assert half_width(gained) == pytest.approx(0.8798, abs=5e-4)  # 0.7001 to 2.4599


def test_one_value_has_no_interval():
    assert math.isnan(half_width([3.0]))


def test_ninety_five_of_a_hundred_intervals_cover_the_mean():
    chance = np.random.default_rng(1)
    covered = sum(abs(np.mean(sample) - 7) <= half_width(sample) for sample in chance.normal(7, 2, (2000, 4)))
    assert 1900 - 4 * 9.75 <= covered <= 1900 + 4 * 9.75


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=20), st.floats(0.1, 10))
def test_intervals_scale_with_their_values(values, scale):
    assert half_width([scale * value for value in values]) == pytest.approx(scale * half_width(values), rel=1e-6, abs=1e-6)


def test_a_summary_has_a_row_for_each_choice_in_the_order_of_the_grid():
    frame = pd.DataFrame({"p": ["b", "b", "a", "a"], "op": [0.1, 0.1, 0.1, 0.1], "seed": [1, 2, 1, 2],
                          "wa": [2.0, 4.0, 5.0, 5.0], "kind": ["x", "x", "x", "y"], "flag": [True, True, False, False]})
    folded = summary(frame, ["p", "op"], ["wa", "kind", "flag"])
    assert folded["p"].tolist() == ["b", "a"]
    assert folded["replicates"].tolist() == [2, 2]
    assert folded["wa_mean"].tolist() == [3.0, 5.0]
    assert folded["wa_ci95"].tolist() == pytest.approx([12.706 * math.sqrt(2) / math.sqrt(2), 0.0], abs=1e-3)
    assert folded["kind"][0] == "x" and pd.isna(folded["kind"][1])
    assert folded["flag"].tolist() == [True, False]


def test_a_missing_figure_does_not_count():
    folded = summary(pd.DataFrame({"p": [1, 1, 1], "wa": [1.0, 3.0, math.nan]}), ["p"], ["wa"])
    assert folded["wa_mean"][0] == 2.0
