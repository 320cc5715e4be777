"""The format of grids: their expansion, addresses, and the messages of refusals."""

import argparse
import itertools
import json

import pytest
from hypothesis import given, settings, strategies as st

from ftlab import ConfigError
from ftlab.sweeps.command import add_arguments, grid_of
from ftlab.sweeps.grid import parse_document, read_grid
from ftlab.sweeps.plan import address_of, make_plan

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
     "grid.json:1: seeds.frist: is not a known key (allowed: first, count; did you mean first?)"),
    ('{"kind": "wa",\n\n "kind": "run"}', "grid.json:3: kind: is given twice, first on line 1"),
    ('{"kind": "wa",\n "axes": [}', "grid.json:2: axes: is not JSON here: unexpected '}'; expected '[', '{', or a literal"),
    ('{"kind": "wa", "seeds": [NaN]}', "grid.json:1: seeds: is not JSON here: invalid literal"),
    ('{"kind": "wa", "settings": {"op": 1e400}}', "grid.json:1: settings.op: is a number too large for a double (got 1e400)"),
    ('{"drive": "example-25nm-mlc"}', "grid.json: job: is missing: a sweep of runs needs one, for all points or on an axis"),
    ('{"kind": "wa", "axes": [{"op": [1, 2, 3]}, {"zip": {"d": [1, 2], "window": [1, 2]}}],\n "seeds": {"count": 200000}}',
     "grid.json:1: axes: has too many points: 3 (op) x 2 (d with window) x 200000 seeds = 1200000 (allowed: at most"
     " 1000000)"),
    ('{"drive": "d", "job": "j", "untimed": true,\n "until_steady": 0.5}',
     "grid.json:2: until_steady: may be a ratio or per cent (got 0.5; allowed: 0.5% if per cent was meant, 50% if the ratio "
     "was)"),
    ('{"age": {"job": "a",\n "untimd": true}, "drive": "d", "job": "j"}',
     "grid.json:2: age.untimd: is not a known key (allowed: job, precondition, settings, job_settings, untimed, seed; did you "
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
