"""The folder of a report: atomic, reproducible, and never written over anything else."""

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

import report_folders as folders
from ftlab.errors import ConfigError
from ftlab.report.command import files_of, report
from ftlab.report.folder import write_folder


@pytest.mark.long
def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    sources = [folders.write_procedure(tmp_path / "ramp"), folders.write_board(tmp_path / "board.json")]
    code = ("import sys, hashlib, pathlib\nfrom ftlab.report.command import files_of\n"
            "files = files_of([pathlib.Path(p) for p in sys.argv[1:]], [], '')\n"
            "print(hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest())")
    elsewhere = subprocess.run([sys.executable, "-c", code, *map(str, sources)], capture_output=True,
                               text=True,
                               env={"PYTHONPATH": ":".join(sys.path), "PYTHONHASHSEED": "1"})
    here = hashlib.sha256(repr(sorted(files_of(sources, [], "").items())).encode()).hexdigest()
    assert elsewhere.stdout.strip() == here, elsewhere.stderr


def test_a_folder_that_is_no_earlier_report_is_never_replaced(tmp_path: Path) -> None:
    source = folders.write_run(tmp_path / "run")
    out = tmp_path / "out"
    out.mkdir()
    (out / "thesis.tex").write_text("years of work")
    with pytest.raises(ConfigError, match="holds something other than an earlier report"):
        report([source], out, replace=True)
    with pytest.raises(ConfigError, match="holds something other than an earlier report"):
        report([source], source, replace=True)
    assert (out / "thesis.tex").read_text() == "years of work"


def test_a_report_to_which_something_was_added_is_not_replaced(tmp_path: Path) -> None:
    source = folders.write_board(tmp_path / "board.json")
    out = tmp_path / "out"
    report([source], out)
    with pytest.raises(ConfigError, match="holds an earlier report; --replace replaces it"):
        report([source], out)
    report([source], out, replace=True)
    (out / "mine.png").write_bytes(b"a picture of my own")
    with pytest.raises(ConfigError, match="holds something other than an earlier report"):
        report([source], out, replace=True)
    assert (out / "mine.png").exists()


def test_a_replaced_report_holds_nothing_of_the_old_one(tmp_path: Path) -> None:
    out = tmp_path / "out"
    table = tmp_path / "sweep.csv"
    table.write_text("op,wa\n0.07,7.0\n0.28,2.4\n")
    report([table], out)
    report([folders.write_board(tmp_path / "board.json")], out, replace=True)
    assert sorted(entry.name for entry in out.iterdir()) == ["index.html", *(f"scoreboard-1.{kind}"
                                                                             for kind in ("csv", "png", "svg")), "vega.js"]
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["board.json", "out", "sweep.csv"]


def test_refused_input_leaves_nothing_and_harms_no_earlier_report(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    with pytest.raises(ConfigError):
        report([tmp_path / "nothing.json"], out)
    assert not (tmp_path / "deep").exists()
    report([folders.write_board(tmp_path / "board.json")], out)
    before = (out / "index.html").read_bytes()
    with pytest.raises(ConfigError):
        report([tmp_path / "nothing.json"], out, replace=True)
    assert (out / "index.html").read_bytes() == before


def test_a_disk_that_fills_leaves_the_earlier_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    report([folders.write_board(tmp_path / "board.json")], out)
    before = (out / "index.html").read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError):
        write_folder(out, {"index.html": b"new"}, replace=True)
    assert (out / "index.html").read_bytes() == before
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["board.json", "out"]


def command_line(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-m", "ftlab", "report", *arguments], capture_output=True,
                          text=True,
                          env={"PYTHONPATH": ":".join(sys.path), "PATH": "/usr/bin:/bin"}, timeout=120)


def test_the_command_says_where_the_page_is_and_refuses_with_status_2(tmp_path: Path) -> None:
    source = folders.write_board(tmp_path / "board.json")
    done = command_line(str(source), "--out", str(tmp_path / "out"), "--title", "A title")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{tmp_path / 'out' / 'index.html'}\n", "")
    assert "<title>A title</title>" in (tmp_path / "out" / "index.html").read_text()
    again = command_line(str(source), "--out", str(tmp_path / "out"))
    assert (again.returncode, again.stdout) == (2, "")
    assert again.stderr == f"{tmp_path / 'out'}: holds an earlier report; --replace replaces it\n"
