"""The question of `ftlab explore`: its commands and its drive file repeat the figures; what is not known says why."""

import json
import shlex
import subprocess
from pathlib import Path

import pytest

import ftlab
from ftlab.explore.answers import FIRST, REFINED, Size, answer_all, curve_of, kept_in, quick_blocks, run_words, tbw_of
from ftlab.explore.facts import facts_of
from ftlab.explore.process import Process
from ftlab.explore.question import NotKnown, Question, Workload, command_line, read_settings
from ftlab.explore.scaled import scaled
from ftlab.explore.command import points_of, start_of

SMALL = "example-small-and-slow"
SHORT = Size("short", 65_536, 256, 1, 30)
QUESTIONS = [Question(SMALL), Question(SMALL, op=0.4, policy="d-choices", d=4, frontiers="one"),
             Question(SMALL, policy="windowed-greedy", window=0.3, workload=Workload("hot-cold", 0.9, 0.1)),
             Question(SMALL, workload=Workload("zipf", skew=0.8), block_pages=32)]


@pytest.mark.parametrize("question", QUESTIONS)
def test_explore_command_of_wa_gives_the_figure_of_python(question: Question, program: str) -> None:
    words = question.wa_words(precision=0.01)
    printed = json.loads(subprocess.run([program, *words, "--json"], capture_output=True, check=True).stdout)
    assert printed["wa"] == ftlab.wa(**question.wa_question(), precision=0.01)["wa"]
    assert shlex.split(command_line(words)) == ["ftlab", *words]


@pytest.mark.parametrize("question",
                         [*QUESTIONS[1:3], Question(SMALL, buffer_bytes=131072, map_scheme="demand", map_share=0.2)])
def test_explore_drive_file_repeats_the_run_of_the_settings(question: Question, program: str, tmp_path: Path) -> None:
    made, words = run_words(question, SHORT)
    assert made.times == 1
    file = tmp_path / "design.json"
    file.write_text(json.dumps(question.document()))
    by_file = ["run", "--drive", str(file), *words[words.index("--"):]]
    signatures = []
    for number, run in enumerate((words, by_file)):
        out = tmp_path / str(number)
        subprocess.run([program, *kept_in(run, str(out))], capture_output=True, check=True)
        signatures.append(json.loads((out / "result.json").read_text())["ftlab"]["signature"])
    assert signatures[0] == signatures[1]


def test_explore_facts_have_the_over_provisioning_of_a_run(program: str, tmp_path: Path) -> None:
    made, words = run_words(Question(SMALL, op=0.3), SHORT)
    subprocess.run([program, *kept_in(words, str(tmp_path / "r"))], capture_output=True, check=True)
    summary = json.loads((tmp_path / "r" / "result.json").read_text())["ftlab"]
    assert summary["over_provisioning"]["nominal"] == pytest.approx(0.3, abs=1e-3)
    assert summary["free"]["superblocks"] == facts_of(SMALL).superblocks
    assert summary["health"]["user_bytes"] == made.user_bytes


@pytest.mark.parametrize("size", [FIRST, REFINED])
def test_explore_scaled_drives_of_the_library_are_accepted(size: Size) -> None:
    for name in ftlab.drives():
        if ftlab.drive_document(name).get("kind", "ssd") == "ssd":
            made = scaled(Question(name), size.most_pages, size.fewest_blocks)
            assert ftlab.drive_document(name, made.settings)["user_sectors"]
            assert made.user_bytes * made.times == pytest.approx(facts_of(name).user_bytes)


def test_explore_answers_come_in_the_order_of_their_cost(tmp_path: Path) -> None:
    names, answers = [], {}

    def report(name: str, answer: object) -> None:
        names.append(name)
        answers[name] = answer
    answer_all(Question(SMALL, erase_limit=3000), Process(), report, tmp_path / "runs")
    assert names[:5] == ["wa", "wa", "run", "load", "wa"]
    assert names[-1] == "done"
    run, load = answers["run"], answers["load"]
    assert run.result.wa_at_end > 1.5 and run.curve["wa"].iloc[0] == pytest.approx(1, abs=0.01)
    assert sorted(set(load.points["depth"])) == [1, 2, 4, 8, 16, 32]
    assert answers["wa"].refined and answers["wa"].answer["wa"] > 1
    assert tbw_of(run)[0] > 0


def test_explore_says_why_a_figure_is_not_known(tmp_path: Path) -> None:
    with pytest.raises(NotKnown, match="a question for ftlab wa"):
        Question(SMALL, frontiers="hot+cold").settings()
    with pytest.raises(NotKnown, match="takes distributions"):
        Question(SMALL, workload=Workload("trace", path="t.csv")).wa_question()
    answers = {}
    question = Question(SMALL, workload=Workload("job file", path=str(tmp_path / "missing.fio")))
    answer_all(question, Process(), lambda name, answer: answers.update({name: answer}), tmp_path / "runs")
    assert "missing.fio" in answers["run"].why_none
    assert "a load of its own" in answers["load"].why_none


def test_explore_replays_a_job_file(tmp_path: Path) -> None:
    job = tmp_path / "w.fio"
    job.write_text("[w]\nfilename=drive\nioengine=libaio\ndirect=1\nrw=randwrite\nbs=4k\niodepth=8\nio_size=20m\n")
    answers = {}
    answer_all(Question(SMALL, workload=Workload("job file", path=str(job))), Process(),
               lambda name, answer: answers.update({name: answer}), tmp_path / "runs")
    assert answers["run"].result is not None and answers["run"].result.wa_at_end > 1


def test_explore_curve_keeps_what_was_written() -> None:
    series = "t_s,length_s,write_MB_per_s,wa\n1,1,100,1\n2,1,50,3\n"
    curve = curve_of(ftlab.Result({"series.csv": series}).series, 100_000_000)
    assert list(curve["drive_writes"]) == [1.0, 1.5]
    assert list(curve["wa"]) == [1, 3]


def test_explore_lists_are_those_of_the_program() -> None:
    assert ftlab.analysis.choices("ftl.frontiers") == ["one", "host+gc"]
    assert ftlab.analysis.choices("frontiers") == ["one", "host+gc", "hot+cold", "hot+cold+gc"]
    assert set(ftlab.analysis.choices("ftl.gc.policy")) >= set(ftlab.gc_policies())
    assert "demand" in ftlab.analysis.choices("ftl.mapping.scheme")
    with pytest.raises(ftlab.ConfigError, match="has no list of words"):
        ftlab.analysis.choices("user_sectors")


def test_explore_refuses_unknown_drives_disks_and_settings() -> None:
    with pytest.raises(ftlab.ConfigError, match="unknown drive"):
        start_of("no-such-drive")
    with pytest.raises(ftlab.ConfigError, match="is a disk"):
        start_of("wd-5000bpkt")
    with pytest.raises(ftlab.ConfigError, match="KEY=VALUE on a line"):
        read_settings("nand.read_ns")
    assert read_settings(" nand.read_ns = 75us \n\n") == (("nand.read_ns", "75us"),)


def test_explore_starts_from_the_points_of_a_sweep(tmp_path: Path) -> None:
    grid = tmp_path / "grid.json"
    grid.write_text(json.dumps({"kind": "wa", "settings": {"frontiers": "one"},
                                "axes": [{"op": [0.1, "28%"]}, {"workload": ["uniform", "hot-cold:0.8:0.2", "zipf:0.9"]}]}))
    question, points = start_of(str(grid))
    assert len(points) == 6 and question == next(iter(points.values()))
    last = list(points_of(str(grid)).values())[-1]
    assert last.op == 0.28 and last.workload == Workload("zipf", skew=0.9)
    assert quick_blocks(last) == 256
