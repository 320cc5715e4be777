"""The controls of one design: widgets that show a question and make one."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Sequence

import panel as pn

from ftlab.analysis import choices, gc_policies
from ftlab.errors import ConfigError
from ftlab.explore.facts import Facts, facts_of
from ftlab.explore.question import KINDS, Question, Workload, read_settings

_MIB = 2**20
_WIDTH = 270
_MOST_TYPED = 100  # per cent, of a slider whose end is lower


class Controls:
    """letter: A or B; each widget has the CSS class LETTER-NAME. A control that stands at the drive's own value lays nothing
    over the file."""

    def __init__(self, letter: str, question: Question, drives: Sequence[str]) -> None:
        self.letter = letter
        self._quiet = False
        self._callbacks: List[Callable[[], None]] = []
        self.widgets = self._made(sorted({*drives, question.drive}))
        for name, widget in self.widgets.items():
            widget.css_classes = [f"{letter}-{name}"]
            widget.param.watch(self._changed, "value")
        self.show(question)

    def on_change(self, callback: Callable[[], None]) -> None:
        self._callbacks.append(callback)

    def show(self, question: Question) -> None:
        """Sets the widgets to the question; the callbacks are not called."""
        self._quiet = True
        try:
            self._show(question)
        finally:
            self._quiet = False
        self._hide()

    def question(self) -> Question:
        """Raises ConfigError for values that are refused."""
        at = {name: widget.value for name, widget in self.widgets.items()}
        facts, own = facts_of(at["drive"]), _own(facts_of(at["drive"]))
        moved = {name: at[name] for name, value in own.items() if at[name] != value}
        workload = Workload(at["workload"], at["hot_writes"] / 100, at["hot_pages"] / 100, at["skew"], at["path"].strip())
        if workload.is_file and not workload.path:
            raise ConfigError(f"name the {workload.kind}", key="file")
        demand = moved.get("map", facts.map_scheme) == "demand"
        return Question(
            at["drive"], op=moved["op"] / 100 if "op" in moved else None, policy=moved.get("policy"), d=at["d"],
            window=at["window"] / 100, block_pages=at["block_pages"], frontiers=moved.get("frontiers"), workload=workload,
            map_scheme=moved.get("map"),
            map_share=at["map_share"] / 100 if demand and ("map" in moved or "map_share" in moved) else None,
            slc_share=moved["slc_share"] / 100 if "slc_share" in moved else None,
            buffer_bytes=int(moved["buffer"] * _MIB) if "buffer" in moved else None, read_share=at["reads"] / 100,
            erase_limit=int(moved["limit"]) if moved.get("limit") else None, more=read_settings(at["more"]))

    def view(self) -> pn.viewable.Viewable:
        return pn.Column(pn.pane.HTML(f"<h2>Design {self.letter}</h2>"), *self.widgets.values(), width=_WIDTH + 20,
                         css_classes=[f"design-{self.letter}"])

    def _made(self, drives: List[str]) -> Dict[str, Any]:
        w = pn.widgets

        def slider(name: str, start: float, end: float, step: float) -> Any:
            return w.EditableFloatSlider(name=name, start=start, end=end, step=step, fixed_start=0,
                                         fixed_end=max(end, _MOST_TYPED), width=_WIDTH)
        return {
            "drive": w.Select(name="Drive", options=drives, width=_WIDTH),
            "op": slider("Over-provisioning, %", 2, 100, 0.5),
            "policy": w.Select(name="Collection policy", options=gc_policies(), width=_WIDTH),
            "d": w.IntInput(name="d: superblocks drawn", start=1, end=65536, value=10, width=_WIDTH),
            "window": slider("Window, % of the oldest superblocks", 1, 100, 1),
            "block_pages": w.IntInput(name="Pages per block (ftlab wa)", start=2, end=65536, step=64, value=64,
                                      width=_WIDTH),
            "frontiers": w.Select(name="Frontiers", options=choices("frontiers"), width=_WIDTH),
            "workload": w.Select(name="Workload", options=list(KINDS), width=_WIDTH),
            "hot_writes": slider("Hot: % of the writes", 1, 99, 1),
            "hot_pages": slider("Hot: % of the pages", 1, 99, 1),
            "skew": slider("Zipf's exponent", 0.1, 2, 0.01),
            "path": w.TextInput(name="File", placeholder="path of the job file or trace", width=_WIDTH),
            "map": w.Select(name="Map", options=choices("ftl.mapping.scheme"), width=_WIDTH),
            "map_share": slider("Map cache, % of the whole map", 0.1, 100, 0.1),
            "slc_share": slider("pSLC cache, % of the superblocks", 0, 20, 0.1),
            "buffer": w.FloatInput(name="Write buffer, MiB", start=0.001, end=16384, step=1, width=_WIDTH),
            "reads": slider("Reads of the latency runs, %", 0, 95, 5),
            "limit": w.IntInput(name="Erase limit of a block (0: from the drive file)", start=0, end=100_000_000, step=500,
                                width=_WIDTH),
            "more": w.TextAreaInput(name="More keys, KEY=VALUE on a line", rows=2, width=_WIDTH,
                                    placeholder="nand.read_ns=75us"),
        }

    def _show(self, question: Question) -> None:
        facts, workload = question.facts, question.workload
        values = {**_own(facts), "drive": question.drive, "d": question.d, "window": 100 * question.window,
                  "block_pages": question.block_pages, "workload": workload.kind,
                  "hot_writes": 100 * workload.hot_writes, "hot_pages": 100 * workload.hot_pages, "skew": workload.skew,
                  "path": workload.path, "reads": 100 * question.read_share,
                  "more": "\n".join(f"{key}={value}" for key, value in question.more)}
        chosen = {"op": _per_cent(question.op), "policy": question.policy, "frontiers": question.frontiers,
                  "map": question.map_scheme,
                  "map_share": _per_cent(question.map_share), "slc_share": _per_cent(question.slc_share),
                  "limit": question.erase_limit,
                  "buffer": None if question.buffer_bytes is None else question.buffer_bytes / _MIB}
        values.update({name: value for name, value in chosen.items() if value is not None})
        for name, value in values.items():
            widget = self.widgets[name]
            if name in ("policy", "frontiers", "map") and value not in widget.options:
                widget.options = [*widget.options, value]
            widget.value = value

    def _changed(self, event: Any) -> None:
        if self._quiet:
            return
        if event.obj is self.widgets["drive"]:
            self.show(Question(event.new, workload=self._workload()))
        self._hide()
        for callback in self._callbacks:
            callback()

    def _workload(self) -> Workload:
        at = self.widgets
        return Workload(at["workload"].value, at["hot_writes"].value / 100, at["hot_pages"].value / 100, at["skew"].value,
                        at["path"].value)

    def _hide(self) -> None:
        """Shows a control only where it has an effect."""
        at = self.widgets
        kind = at["workload"].value
        shown = {"d": at["policy"].value == "d-choices", "window": at["policy"].value == "windowed-greedy",
                 "hot_writes": kind == "hot-cold", "hot_pages": kind == "hot-cold", "skew": kind == "zipf",
                 "path": kind in ("job file", "trace"), "map_share": at["map"].value == "demand"}
        for name, visible in shown.items():
            at[name].visible = visible


def _own(facts: Facts) -> Dict[str, Any]:
    """Values of the controls that leave the drive file unchanged."""
    share = 10.0 if facts.map_ram_bytes is None else min(100.0, 100 * facts.map_ram_bytes / facts.whole_map_bytes)
    return {"op": _per_cent(facts.over_provisioning), "policy": facts.policy, "frontiers": facts.frontiers,
            "map": facts.map_scheme,
            "map_share": round(share, 2), "slc_share": _per_cent(facts.slc_superblocks / facts.superblocks),
            "buffer": round((facts.buffer_bytes or _MIB) / _MIB, 3), "limit": 0}


def _per_cent(share: Any) -> Any:
    return None if share is None else round(100 * share, 2)
