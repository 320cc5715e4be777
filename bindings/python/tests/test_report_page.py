"""The page: no network, escaped user texts, sections with data only."""

import hashlib
import html.parser
import io
import json
import re
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List, Tuple

import pandas as pd
import pytest
import report_folders as folders
from hypothesis import given, settings, strategies as st

from ftlab.errors import ConfigError
from ftlab.report import figures, markup
from ftlab.report.command import files_of, report
from ftlab.report.page import library, page, write_folder
from ftlab.report.problems import problem_box
from ftlab.report.reading.sources import read_sources
from ftlab.report.sections import sections_of
from ftlab.report.selection import left_out

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&amp;"


class Elements(html.parser.HTMLParser):
    """All elements of a page with attributes, and the texts of its tables."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: List[Tuple[str, Dict[str, "str | None"]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: "list[tuple[str, str | None]]") -> None:
        self.found.append((tag, dict(attrs)))

    def attributes(self, *names: str) -> "list[str]":
        return [value or "" for _, attrs in self.found for name, value in attrs.items() if name in names]

    def tags(self) -> "set[str]":
        return {tag for tag, _ in self.found}


def page_of(*sources: Path, title: str = "") -> str:
    return page(title, sections_of(read_sources(sources)))


def table_in(text: str, slug: str, panel: int = 0) -> pd.DataFrame:
    """The points of a panel of a figure."""
    found = re.search(rf'id="plot-{slug}".*?<script type="application/json">(.*?)</script>', text, re.DOTALL)
    assert found
    layers = json.loads(found.group(1))["vconcat"][panel]["layer"]
    return pd.read_csv(io.StringIO(next(layer["data"]["values"] for layer in layers if "layer" in layer)))


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of all kinds of sources at once."""
    home = tmp_path_factory.mktemp("everything")
    out = home / "report"
    report(sources_in(home), out, measured=[folders.write_measured_run(home / "measured")])
    return out


def test_a_simulated_run_is_not_taken_for_a_measured_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="was simulated, and --measured is for results of a real device"):
        report(sources_in(tmp_path), tmp_path / "report", measured=[folders.write_run(tmp_path / "other")])


def sources_in(home: Path) -> "list[Path]":
    key = folders.ftlab_key()
    key["until_steady"] = {"reached": True, "steady_from_s": 10.0, "at_s": 20.0,
                           "iops": {"mean": 1100.0, "half_width_95": 9.0}}
    table = home / "sweep.csv"
    table.write_text("op,wa,policy,theory,anything\n0.07,7.0,greedy,7.01,x\n0.28,2.4,greedy,2.41,y\n")
    return [folders.write_run(home / "run", ftlab=key), folders.write_procedure(home / "ramp"),
            folders.write_board(home / "board.json"), table]


def test_a_page_has_a_section_for_all_that_there_is(everything: Path) -> None:
    text = (everything / "index.html").read_text()
    titles = re.findall(r"<h2>(.*?)</h2>", text)
    assert titles == ["In short", "Simulated against measured", "Spare space", "Designs against each other", "Over time",
                      "Latency",
                      "Garbage collection", "Wear", "Steady state", "Over queue depth and block size", "Scoreboard",
                      "Workload and drive"]
    pictures = {entry.stem for entry in everything.glob("*.png")}
    assert pictures == {"rates", "latencies", "power", "nines", "slowest", "collection", "amplification",
                        "erases",
                        "steady-1", "depth", "spare-1", "against-1", "against-2", "scoreboard-1"}


def test_a_figure_is_added_by_one_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "host_bytes.py").write_text(
        "import numpy as np\n"
        "from ftlab.report.picture import Axis, Curve, Panel, Picture\n"
        "from ftlab.report.selection import all_runs\n"
        "SECTION, PLACE = 'Endurance', 1\n"
        "def figures(sources):\n"
        "    curve = Curve('bytes', np.arange(len(all_runs(sources))), np.ones(len(all_runs(sources))))\n"
        "    return [Picture('host-bytes', 'What the host wrote', '', Axis('Run'), [Panel(Axis('Bytes'), [curve])])]\n")
    monkeypatch.setattr(figures, "__path__", [*figures.__path__, str(tmp_path)])
    found = sections_of(read_sources([folders.write_run(tmp_path / "run")]))
    added = {section.title: [picture.title for picture in section.pictures] for section in found}
    assert added["Endurance"] == ["What the host wrote"]
    assert list(added).index("Over time") < list(added).index("Endurance")


def test_problems_stand_above_everything_with_their_remedies(tmp_path: Path) -> None:
    problem = {"code": "unwritten_reads", "text": "98 % of the bytes read were never written",
               "remedy": "write the drive first"}
    bad = [folders.write_run(tmp_path / name, ftlab={**folders.ftlab_key(), "problems": [problem]})
           for name in ("one", "two")]
    text = page_of(*bad, folders.write_run(tmp_path / "good"))
    assert re.findall(r"<h2>(.*?)</h2>", text)[0] == "Problems"
    items = re.findall(r"<li>(<b>.*?)</li>", text)
    assert items == ['<b>one</b>, <b>two</b>: <code>unwritten_reads</code>: 98 % of the bytes read were never written.'
                     ' <span class="remedy">Remedy: write the drive first</span>']
    assert "<h2>Problems</h2>" not in page_of(tmp_path / "good")


@pytest.mark.parametrize("size, found", [("8g", True), ("2g", True), ("1500m", False)])
def test_a_comparison_over_another_space_is_a_problem(tmp_path: Path, size: str, found: bool) -> None:
    key = {**folders.ftlab_key(), "over_provisioning": {"user_bytes": 1 << 30}}
    ours = folders.write_run(tmp_path / "ours", ftlab=key)
    real = folders.write_measured_run(tmp_path / "real", jobs=[folders.fio_job("random-write", {"size": size})])
    boxed = problem_box(read_sources([ours], [real]))
    assert ("<code>other_size</code>" in boxed) == found


def test_runs_that_a_picture_leaves_out_are_named(tmp_path: Path) -> None:
    runs = [folders.write_run(tmp_path / f"r{n}") for n in range(10)]
    drawn = {p.slug: p for section in sections_of(read_sources(runs, runs[:0])) for p in section.pictures}
    for slug in ("rates", "nines", "erases"):
        assert [mark.name.split(":")[0] for mark in drawn[slug].panels[0].marks][:10] == [f"r{n}" for n in range(10)], slug
    assert left_out([f"r{n}" for n in range(26)]) == " The first 24 of 26 are drawn; left out: r24, r25."
    unpaired = page("", sections_of(read_sources(runs[:2], [folders.write_measured_run(tmp_path / "real")])))
    assert "Without a counterpart, and not compared: r1." in unpaired


def test_only_sections_with_data_appear(tmp_path: Path) -> None:
    files = files_of([folders.write_board(tmp_path / "board.json")], [], "")
    assert re.findall(r"<h2>(.*?)</h2>", files["index.html"].decode()) == ["Scoreboard"]
    assert sorted(files) == ["index.html", "scoreboard-1.csv", "scoreboard-1.png", "scoreboard-1.svg", "vega.js"]


def test_the_head_says_what_was_run(everything: Path) -> None:
    text = (everything / "index.html").read_text()
    for told in ("A drive of tests", "random-write", "0123456789abcdef", '<td data-head="run">7</td>', "0.1.0",
                 "host 1 + relocation 1.5 + mapping 0.25", "2.75", "2.95 ± 0.059", "nand.read_ns", "Some data sheet"):
        assert told in text, told


def test_nothing_is_loaded_from_anywhere(everything: Path) -> None:
    elements = Elements((everything / "index.html").read_text())
    loads = elements.attributes("src", "href", "srcset", "data", "action", "poster", "background")
    beside = {entry.name for entry in everything.iterdir()}
    for link in loads:
        assert link.startswith("#") or link == "data:," or link in beside, link
    assert elements.tags().isdisjoint({"iframe", "object", "embed", "base", "form", "audio", "video"})
    assert "@import" not in (everything / "index.html").read_text().split("<script>")[0]


def test_the_browser_is_told_to_refuse_the_network(everything: Path) -> None:
    policies = [a for tag, a in Elements((everything / "index.html").read_text()).found
                if a.get("http-equiv") == "Content-Security-Policy"]
    assert len(policies) == 1
    policy = policies[0]["content"] or ""
    assert "default-src 'none'" in policy and "form-action 'none'" in policy and "connect-src" not in policy


def test_names_of_the_user_are_never_markup(tmp_path: Path) -> None:
    key = folders.ftlab_key()
    key["drive"]["name"] = key["version"] = key["seed"] = HOSTILE
    key["problems"] = [HOSTILE, {"code": HOSTILE, "text": HOSTILE, "remedy": HOSTILE}]
    key["latency_parts_ns"][HOSTILE] = 5
    key["wa"][HOSTILE] = 0.5
    jobs = [folders.fio_job(HOSTILE, {"description": HOSTILE}), folders.fio_job("b", {"iodepth": "8"})]
    folder = folders.write_run(tmp_path / "a <b>&", ftlab=key, jobs=jobs)
    text, harmless = page_of(folder, title=HOSTILE), page_of(folders.write_run(tmp_path / "plain"))
    elements, usual = Elements(text), Elements(harmless)
    assert "img" not in elements.tags() and elements.tags() - {"ul", "li", "code"} <= usual.tags()
    assert not elements.attributes("onerror")
    scripts = sum(tag == "script" for tag, _ in elements.found)
    pictures = sum(attrs.get("class") == "plot" for _, attrs in elements.found)
    assert scripts == pictures + 2  # the library and the page's own


@given(st.text())
@settings(max_examples=200)
def test_any_text_comes_back_from_a_table_as_it_was(word: str) -> None:
    class Cells(html.parser.HTMLParser):
        text = ""

        def handle_data(self, data: str) -> None:
            self.text += data
    cells = Cells()
    cells.feed(markup.table(pd.DataFrame({"a": [f"[{word}]"]})))
    cells.close()
    assert cells.text.replace("\r\n", "\n").replace("\r", "\n").endswith(
        f"[{word}]".replace("\r\n", "\n").replace("\r", "\n"))


def test_the_data_of_a_figure_in_the_page_are_those_of_the_series(everything: Path) -> None:
    table = table_in((everything / "index.html").read_text(), "rates")
    rates = [1000.0 + 37 * (second % 11) for second in range(1, 21)]
    assert table[table["k"] == 0]["y"].tolist() == pytest.approx(rates)


def test_each_figure_has_its_numbers_in_a_file(everything: Path) -> None:
    text = (everything / "index.html").read_text()
    slugs = re.findall(r'<div class="plot" id="plot-(.*?)"', text)
    assert len(slugs) == len(set(slugs)) == len(re.findall(r"<figure", text)) > 10
    for slug in slugs:
        assert all(f'<a href="{slug}.{kind}" download>' in text for kind in ("png", "svg", "csv"))
        assert len(pd.read_csv(everything / f"{slug}.csv")) > 0


def test_a_long_table_shows_every_nth_row_and_says_so() -> None:
    text = markup.table(pd.DataFrame({"a": range(1000)}), "Numbers.")
    assert text.count("<tr>") == 201 and "Every 5th of 1000 rows." in text


def test_results_without_anything_to_draw_are_refused(tmp_path: Path) -> None:
    (tmp_path / "board.json").write_text('{"rows": [], "predicted": {}}')
    sections = sections_of(read_sources([tmp_path / "board.json"]))
    assert [section.title for section in sections] == ["Scoreboard"]  # 0 of 0 rows miss
    assert "0 of 0 rows miss" in sections[0].after


def test_the_view_of_a_drive_at_work_is_appended_when_its_blocks_were_recorded(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folders.write_run(tmp_path / "run")
    (folder / "blocks.json").write_text("{}")
    monkeypatch.setattr("ftlab.report.drive_at_work.section", lambda path: f"<p>animated: {path.name}</p>")
    text = page_of(folder)
    assert '<section id="a-drive-at-work">' in text and "<p>animated: run</p>" in text
    (folder / "blocks.json").unlink()
    assert "A drive at work" not in page_of(folder)


def test_a_real_run_becomes_a_page(tmp_path: Path) -> None:
    job = tmp_path / "job.fio"
    job.write_text("[j]\nrw=randwrite\nbs=4k\niodepth=4\nioengine=libaio\ndirect=1\nfilename=/dev/x\n"
                   "time_based\nruntime=20\nnorandommap\nlog_avg_msec=1000\nwrite_iops_log=j\n")
    folders.run_program("run", str(job), "--drive", "example-25nm-mlc", "--out", str(tmp_path / "run"))
    table = table_in(page_of(tmp_path / "run"), "rates")
    series = pd.read_csv(tmp_path / "run" / "series.csv")
    whole = series[series["length_s"] > 0.5]
    assert table[table["k"] == 0]["y"].tolist() == pytest.approx(whole["write_iops"].tolist())


# The folder of a report: atomic, reproducible, and never written over anything else.

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


def test_the_drawing_library_is_kept_with_the_states_of_drives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vl_convert = pytest.importorskip("vl_convert")
    made: List[str] = []
    monkeypatch.setattr(vl_convert, "javascript_bundle", lambda script: made.append(script) or f"made {len(made)}")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("FTLAB_CACHE_LIMIT", raising=False)

    def again() -> str:
        library.cache_clear()
        return library()
    try:
        assert [again(), again()] == ["made 1", "made 1"]
        [kept] = (tmp_path / "ftlab").iterdir()
        kept.write_bytes(b"\xff")
        assert again() == "made 2"
        monkeypatch.setenv("FTLAB_CACHE_LIMIT", "0")
        assert again() == "made 3"
    finally:
        library.cache_clear()


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


def test_a_disk_that_fills_leaves_the_earlier_report(tmp_path: Path) -> None:
    out = tmp_path / "out"
    report([folders.write_board(tmp_path / "board.json")], out)
    before = (out / "index.html").read_bytes()
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, most))
    try:
        with pytest.raises(OSError):
            write_folder(out, {"index.html": b"new"}, replace=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
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
