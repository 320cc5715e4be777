"""The page: controls of two designs, their answers, the commands that repeat them."""

from __future__ import annotations

import functools
import html
import json
import pathlib
import shutil
import tempfile
import weakref
from importlib.resources import files
from typing import Any, Callable, Dict, Mapping, Optional, Sequence

import panel as pn

from ftlab.analysis import drives
from ftlab.errors import ConfigError
from ftlab.explore import charts
from ftlab.explore.answers import FIRST, SAVED, Load, Run, Wa, answer_all, kept_in, run_words
from ftlab.explore.controls import Controls
from ftlab.explore.facts import facts_of
from ftlab.explore.process import Newest, Process
from ftlab.explore.question import NotKnown, Question, command_line
from ftlab.explore.command import FIRST_DRIVE
from ftlab.explore.table import in_short, table
from ftlab.report.command import report
from ftlab.search.search import Prices

STYLE = files("ftlab.explore").joinpath("page.css").read_text(encoding="utf-8")


class Page:
    """One visitor's page. sweep_points: designs by name, to start from. close() ends its work and deletes its files."""

    def __init__(self, question: Optional[Question] = None, sweep_points: Optional[Dict[str, Question]] = None) -> None:
        self._folder = pathlib.Path(tempfile.mkdtemp(prefix="ftlab-explore-"))
        self._document = pn.state.curdoc
        self.questions: Dict[str, Question] = {}
        self.was: Dict[str, Wa] = {}
        self.runs: Dict[str, Run] = {}
        self.loads: Dict[str, Load] = {}
        self._busy: Dict[str, bool] = {}
        self._refused: Dict[str, str] = {}
        first = question or Question(FIRST_DRIVE)
        self.controls = {letter: Controls(letter, first, _ssds()) for letter in charts.HUES}
        self._workers = {letter: Newest(self._answering(letter)) for letter in self.controls}
        self._make_panes(sweep_points or {})
        for letter in self.controls:
            self.controls[letter].on_change(functools.partial(self.ask, letter))
        self._finalizer = weakref.finalize(self, _release, dict(self._workers), self._folder)
        self.ask("A")

    def ask(self, letter: str) -> None:
        """Answers the question of a design's controls; what is at hand for an older one is dropped."""
        if letter == "B" and not self._two.value:
            return
        try:
            question = self.controls[letter].question()
        except ConfigError as error:
            self._refuse(letter, str(error))
            return
        self._refused.pop(letter, None)
        self.questions[letter] = question
        self._busy[letter] = True
        for answers in (self.was, self.runs, self.loads):
            answers.pop(letter, None)  # type: ignore[attr-defined]
        self._workers[letter].ask(question)
        self._draw_table()
        self._draw_status()

    def idle(self) -> bool:
        return all(worker.idle() for worker in self._workers.values())

    def close(self) -> None:
        self._finalizer()

    def view(self) -> pn.viewable.Viewable:
        controls = pn.FlexBox(self.controls["A"].view(), self._view_b, align_items="flex-start", gap="8px")
        top = [self._points] if self._points is not None else []
        form = pn.Column(*top, self._two, controls, self._prices_view(), styles={"grid-area": "form", "max-width": "100%"})
        wide = {"flex": "1 1 400px", "min-width": "280px"}
        first, *others = (pn.Column(chart, self._legends[name], sizing_mode="stretch_width", styles=wide)
                          for name, chart in self._charts.items())
        first.styles, first.stylesheets, first.css_classes = {"grid-area": "first"}, [STYLE], ["first"]
        drawings = pn.FlexBox(*others, gap="8px")
        rest = pn.Column(self._table, drawings, self._commands, self._saving_view(), sizing_mode="stretch_width",
                         styles={"grid-area": "rest"})
        moved = pn.Column(first, form, stylesheets=[STYLE], css_classes=["moved"])
        heading = pn.pane.HTML("<h1>ftlab explore</h1>", css_classes=["heading"])
        whole = pn.Column(moved, rest, stylesheets=[STYLE], css_classes=["whole"], sizing_mode="stretch_width")
        return pn.Column(heading, self._status, whole, sizing_mode="stretch_width")

    # Widgets.

    def _make_panes(self, points: Dict[str, Question]) -> None:
        w = pn.widgets
        self._two = w.Checkbox(name="Two designs side by side", value=False, css_classes=["two"])
        self._two.param.watch(self._second, "value")
        self._view_b = self.controls["B"].view()
        self._view_b.visible = False
        self._points = None
        if points:
            self._points = w.Select(name="Point of the sweep", options={"": None, **points}, width=270,
                                    css_classes=["points"])
            self._points.param.watch(self._take_point, "value")
        self._status = pn.pane.HTML("", css_classes=["status"], stylesheets=[STYLE], sizing_mode="stretch_width",
                                    styles={"position": "sticky", "top": "0", "z-index": "5", "background": "white"})
        self._table = pn.pane.HTML("", css_classes=["table"], stylesheets=[STYLE], sizing_mode="stretch_width")
        self._commands = pn.pane.HTML("", css_classes=["commands"], stylesheets=[STYLE], sizing_mode="stretch_width")
        self._charts = {name: pn.pane.Vega(charts.rate_chart({}), min_width=300, sizing_mode="stretch_width", margin=5,
                                           show_actions=False, css_classes=[f"chart-{name}"])
                        for name in ("wa", "fresh", "rate", "load")}
        standard = Prices()
        self._prices = {name: w.FloatInput(name=title, value=getattr(standard, name), start=0, step=0.1, width=270,
                                           css_classes=[name])
                        for name, title in (("flash_usd_per_gib", "Flash, USD a GiB"),
                                            ("dram_usd_per_mib", "DRAM, USD a MiB"), ("fixed_usd", "The rest, USD"))}
        self._legends = {name: pn.pane.HTML("", css_classes=[f"legend-{name}"], stylesheets=[STYLE],
                                            sizing_mode="stretch_width") for name in self._charts}
        for widget in self._prices.values():
            widget.param.watch(lambda _: self._draw_table(), "value")
        self._place = w.TextInput(name="Folder for results and report (new)", value="explored", width=270,
                                  css_classes=["place"])
        self._save = w.Button(name="Save", button_type="primary", css_classes=["save"])
        self._save.on_click(lambda _: self._do_save())
        self._saved = pn.pane.HTML("", css_classes=["saved"], stylesheets=[STYLE], sizing_mode="stretch_width")

    def _prices_view(self) -> pn.viewable.Viewable:
        return pn.Column(pn.pane.HTML("<h2>Prices (assumed; state your own)</h2>"), *self._prices.values())

    def _saving_view(self) -> pn.viewable.Viewable:
        return pn.Column(self._place, self._save, self._saved, sizing_mode="stretch_width")

    def _second(self, event: Any) -> None:
        self._view_b.visible = event.new
        if event.new:
            self.controls["B"].show(self.questions.get("A", Question(FIRST_DRIVE)))
            self.ask("B")
            return
        for answers in (self.questions, self.was, self.runs, self.loads, self._busy, self._refused):
            answers.pop("B", None)  # type: ignore[attr-defined]
        self._workers["B"].close()
        self._draw_all()

    def _take_point(self, event: Any) -> None:
        if event.new is not None:
            self.controls["A"].show(event.new)
            self.ask("A")

    # Answers, which come from the workers' threads.

    def _answering(self, letter: str) -> Callable[[Question, Process], None]:
        page, folder = weakref.ref(self), self._folder / letter

        def work(question: Question, process: Process) -> None:
            def report(name: str, answer: Any) -> None:
                alive = page()
                if alive is not None:
                    alive._later(lambda: alive._take(letter, question, name, answer))
            answer_all(question, process, report, folder)
        return work

    def _later(self, draw: Callable[[], None]) -> None:
        if self._document is None:
            draw()
        else:
            self._document.add_next_tick_callback(draw)

    def _take(self, letter: str, question: Question, name: str, answer: Any) -> None:
        """An answer to a question that has changed meanwhile is dropped."""
        if self.questions.get(letter) is not question:
            return
        if name == "done":
            self._busy[letter] = False
            self._draw_status()
            return
        tables: Dict[str, Any] = {"wa": self.was, "run": self.runs, "load": self.loads}
        kept = tables[name]
        kept[letter] = answer
        if name == "wa" and answer.answer is None and not answer.why_none:
            self._draw_status()  # theory alone: to draw more would delay the answer, which follows within 0.1 s
            return
        self._draw_table()
        self._draw_status()
        self._later(lambda: self._draw_charts(name))  # the figures are shown before the browser draws
        self._later(self._draw_commands)

    def _refuse(self, letter: str, why: str) -> None:
        self._refused[letter] = why
        self._draw_status()

    # Drawing.

    def _draw_all(self) -> None:
        self._draw_table()
        for name in ("wa", "run", "load"):
            self._draw_charts(name)
        self._draw_commands()
        self._draw_status()

    def _draw_status(self) -> None:
        lines = [f"<span class='refused'>Design {letter}: {html.escape(why)}</span>"
                 for letter, why in self._refused.items()]
        busy = [letter for letter, at_work in self._busy.items() if at_work]
        lines += [in_short(letter, self.was.get(letter), self.runs.get(letter)) for letter in self.questions]
        lines += [f"Design {' and '.join(busy)}: computing more exact answers"] if busy else []
        self._status.object = f"<div data-busy='{''.join(busy)}'>{'<br>'.join(lines)}</div>"

    def _draw_table(self) -> None:
        self._table.object = table(self.questions, self.was, self.runs, self._chosen_prices())

    def _chosen_prices(self) -> Prices:
        return Prices(**{name: widget.value or 0.0 for name, widget in self._prices.items()})

    def _draw_charts(self, name: str) -> None:
        drawing: Dict[str, Callable[[], Any]] = {
            "wa": lambda: charts.wa_chart(self.questions, self.was, self.runs),
            "fresh": lambda: charts.fresh_chart(self.runs, self.was),
            "rate": lambda: charts.rate_chart(self.runs), "load": lambda: charts.load_chart(self.loads)}
        for chart in {"wa": ("wa", "fresh"), "run": ("wa", "fresh", "rate"), "load": ("load",)}[name]:
            spec = drawing[chart]()
            self._charts[chart].object, self._legends[chart].object = spec, charts.legend(spec)

    def _draw_commands(self) -> None:
        self._commands.object = "".join(
            _commands_of(letter, question, self.runs.get(letter), self.loads.get(letter))
            for letter, question in self.questions.items())

    def _do_save(self) -> None:
        try:
            report = save(pathlib.Path(str(self._place.value)), self.questions, self.was, self.runs, self.loads)
            self._saved.object = f"<span data-saved='yes'>Saved; the report is {html.escape(str(report))}</span>"
        except (ConfigError, NotKnown, OSError) as error:
            self._saved.object = f"<span class='refused' data-saved='no'>{html.escape(str(error))}</span>"


def commands_of(question: Question, run: Optional[Run] = None, load: Optional[Load] = None) -> Dict[str, str]:
    """The command of each answer, or the reason why there is none. run, load: those that are shown, if any."""
    found: Dict[str, str] = {}
    words = run.words if run is not None and run.result is not None else None
    for name, make in (("wa", question.wa_words), ("run", lambda: kept_in(words or run_words(question, FIRST)[1], SAVED))):
        try:
            found[name] = command_line(make())
        except (ConfigError, NotKnown) as error:
            found[name] = f"# none: {error}"
    if load is not None and load.points is not None:
        found["load"] = command_line(load.words)
    return found


def _commands_of(letter: str, question: Question, run: Optional[Run], load: Optional[Load]) -> str:
    try:
        file = json.dumps(question.document(), indent=2)
    except (ConfigError, NotKnown) as error:
        file = f"// none: {error}"
    parts = [f"<h2>Design {letter}: the same on the command line</h2>"]
    parts += [f"<pre data-command='{letter}-{name}'>{html.escape(text)}</pre>"
              for name, text in commands_of(question, run, load).items()]
    return "".join(parts) + (f"<details><summary>Drive file of design {letter}, full size</summary>"
                             f"<pre data-file='{letter}'>{html.escape(file)}</pre></details>")


def _ssds() -> Sequence[str]:
    return [name for name in drives() if _is_ssd(name)]


def _is_ssd(name: str) -> bool:
    try:
        return facts_of(name) is not None
    except ConfigError:
        return False


def _release(workers: Dict[str, Newest], folder: pathlib.Path) -> None:
    for worker in workers.values():
        worker.close()
    for worker in workers.values():
        worker.join(1)
    shutil.rmtree(folder, ignore_errors=True)


# Saves what the page shows: result folders, drive files, commands, a report.

COMMANDS, DRIVE, REPORT = "commands.txt", "drive.json", "report"


def save(folder: pathlib.Path, questions: Mapping[str, Question], was: Mapping[str, Wa], runs: Mapping[str, Run],
         loads: Mapping[str, Load]) -> pathlib.Path:
    """Writes a new folder, whole or not at all, and returns the page of its report.

    Raises ConfigError for a place that is taken and when there is nothing to save yet, OSError when the disk refuses.
    """
    if not str(folder) or folder.exists():
        raise ConfigError("must be a new folder", key="folder", got=str(folder))
    if not any(run.result is not None for run in runs.values()):
        raise ConfigError("there is no result to save yet")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as partial:
        made = pathlib.Path(partial) / folder.name
        made.mkdir()
        sources = []
        for letter, question in questions.items():
            sources += _save_design(made, letter, question, was.get(letter), runs.get(letter), loads.get(letter))
        report(sources, made / REPORT, title="ftlab explore: " + ", ".join(q.drive for q in questions.values()))
        made.rename(folder)
    return folder / REPORT / "index.html"


def _save_design(made: pathlib.Path, letter: str, question: Question, wa: "Wa | None", run: "Run | None",
                 load: "Load | None") -> "list[pathlib.Path]":
    """Returns the folders that the report is made of."""
    place, sources, lines = made / letter, [], []
    place.mkdir()
    (place / DRIVE).write_text(json.dumps(question.document(), indent=2) + "\n", encoding="utf-8")
    if wa is not None and wa.answer is not None:
        (place / "wa.json").write_text(json.dumps(wa.answer, indent=2) + "\n", encoding="utf-8")
        lines.append(command_line(wa.words))
    for name, answer in (("run", run), ("load", load)):
        if answer is not None and answer.folder is not None and (answer.folder / "result.json").is_file():
            shutil.copytree(answer.folder, place / name)
            lines.append(command_line(kept_in(answer.words, SAVED) if isinstance(answer, Run) else answer.words))
            sources.append(place / name)
    (place / COMMANDS).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return sources
