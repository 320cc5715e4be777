"""The figures of both designs as a table of HTML; a figure that is not known says why."""

from __future__ import annotations

import html
import math
from typing import Any, Dict, Mapping, Tuple

from ftlab.explore.answers import Run, Wa, tbw_of
from ftlab.explore.question import Question
from ftlab.report.digits import number_text
from ftlab.search.search import Prices

_ROWS = (("op", "Over-provisioning"), ("run_wa", "WA of this drive, at the end (ftlab run)"),
         ("wa", "WA of the policy alone, steady (ftlab wa)"), ("above", "ftlab run / ftlab wa - 1"),
         ("theory", "WA by theory"),
         ("deviation", "ftlab wa / theory - 1"), ("spare", "Spare when a victim is picked"), ("rate", "Writes at the end"),
         ("scale", "Drive of the run"), ("tbw", "Life: TBW at the WA of the run"),
         ("years", "Life at one drive write a day"), ("usd", "Cost"),
         ("usd_per_gib", "Cost of a GiB for the host"), ("usd_per_tbw", "Cost of a TB written"),
         ("problems", "Problems of the run"))
Cell = Tuple[str, str, str]  # the figure with all digits, as shown, a remark


def table(questions: Mapping[str, Question], was: Mapping[str, Wa], runs: Mapping[str, Run], prices: Prices) -> str:
    columns = {letter: _column(question, was.get(letter), runs.get(letter), prices)
               for letter, question in questions.items()}
    head = "".join(f"<th>Design {letter}</th>" for letter in columns)
    rows = {title: "".join(_cell(letter, name, cells.get(name)) for letter, cells in columns.items())
            for name, title in _ROWS}
    body = "".join(f"<tr><th>{title}</th>{cells}</tr>" for title, cells in rows.items())
    return f"<table class='figures'><thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table>"


def in_short(letter: str, wa: Any, run: Any) -> str:
    """The drive's own write amplification first, once it is known; that of the policy alone and of theory are named as
    such."""
    cells = {**(_wa_cells(wa) if wa is not None else {}), **(_run_cells(run) if run is not None else {})}
    known = {name: cell[1] for name, cell in cells.items() if cell[0]}
    told = {"run_wa": f"of this drive at the end of its run ({cells.get('run_wa', ('', '', ''))[2]})",
            "wa": "of the policy alone (ftlab wa)", "theory": "by theory"}
    words = [f"{known[name]} {whose}" for name, whose in told.items() if name in known]
    if not words:
        return f"{letter}: ..."
    words[0] = f"<b>{words[0].replace(' of', '</b> of', 1).replace(' by', '</b> by', 1)}"
    writes = f"; writes {known['rate']}" + _fresh_words(run) if "rate" in known else ""
    return f"{letter}: WA {', '.join(words)}{html.escape(writes)}"


def _cell(letter: str, name: str, cell: Any) -> str:
    value, shown, remark = cell or ("", "...", "")
    note = f"<small>{html.escape(remark)}</small>" if remark else ""
    return f"<td data-fig='{letter}-{name}' data-value='{html.escape(value)}'><b>{html.escape(shown)}</b> {note}</td>"


def _column(question: Question, wa: Any, run: Any, prices: Prices) -> Dict[str, Cell]:
    cells: Dict[str, Cell] = {"op": _number(question.ratio, f"{100 * question.ratio:.2f} %")}
    if wa is not None:
        cells.update(_wa_cells(wa))
    if run is not None:
        cells.update(_run_cells(run))
        cells["above"] = _above(wa, run)
        cells.update({**_life_cells(run), **_cost_cells(run, prices)})
    return cells


def _wa_cells(wa: Wa) -> Dict[str, Cell]:
    if wa.why_none:
        return {name: _none(wa.why_none) for name in ("wa", "theory", "deviation")}
    cells: Dict[str, Cell] = {}
    if wa.answer is not None:
        effort = f"in {wa.took_s:.2f} s" + ("" if wa.refined else ", first answer: fewer blocks, 1 %; refined soon")
        drifting = "; still drifts" if wa.answer["drifting"] else ""
        cells["wa"] = _number(wa.answer["wa"], f"{wa.answer['wa']:.4g} ± {wa.answer['ci95']:.2g}", effort + drifting)
    if wa.theory is not None:
        cells["theory"] = _theory(wa.theory)
        cells["deviation"] = _deviation(wa)
    return cells


def _theory(theory: Mapping[str, Any]) -> Cell:
    if theory["wa"] is None:
        return _none(theory["why_none"])
    return _number(theory["wa"], f"{theory['wa']:.4g}", f"{theory['validity']} {theory['source']}")


def _deviation(wa: Wa) -> Cell:
    if wa.theory is None or wa.theory["wa"] is None:
        return _none("no theory")
    value = None if wa.answer is None else wa.answer.get("deviation")
    if value is None or wa.answer is None:
        return "", "...", ""
    expected, half = wa.theory["tolerance"], wa.answer["ci95"] / wa.answer["wa"]
    size = f"{wa.answer['question']['blocks']} blocks with frontiers {wa.answer['question']['frontiers']}"
    within = f"within the {100 * expected:.2g} % to be expected" + (f" and ± {100 * half:.2g} % of chance"
                                                                    if abs(value) > expected else "")
    if abs(value) > expected + half:
        within = f"more than the {100 * expected:.2g} % to be expected of many blocks; these are {size}"
    return _number(value, f"{100 * value:+.2f} %", within)


def _run_cells(run: Run) -> Dict[str, Cell]:
    if run.result is None or run.size is None:
        return {name: _none(run.why_none) for name in ("run_wa", "spare", "rate", "scale", "problems")}
    summary, at_end = run.result.json["ftlab"], run.result.wa_at_end
    spare = summary["over_provisioning"]["at_victim_choice"]
    return {"run_wa": _run_wa(at_end), "rate": _rate(summary.get("rates_at_end") or {}, _fresh_words(run)),
            "spare": _number(spare, f"{100 * spare:.2f} %", "without the superblocks that collection holds back"),
            "scale": ("", run.size.note, _effort(run)),
            "problems": ("", ", ".join(problem["code"] for problem in run.result.problems) or "none",
                         "; ".join(problem["text"] for problem in run.result.problems))}


def _run_wa(at_end: Any) -> Cell:
    if math.isnan(at_end):
        return _none(at_end.why_not)
    half = "" if math.isnan(at_end.half_width) else f" ± {at_end.half_width:.2g}"
    return _number(float(at_end), f"{float(at_end):.4g}{half}",
                   "steady" if at_end.steady else f"not steady: {at_end.why_not}")


def _above(wa: Any, run: Run) -> Cell:
    """The run's write amplification against that of the policy alone, and why they differ."""
    if wa is None or wa.answer is None or run.result is None or math.isnan(run.result.wa_at_end):
        return _none("one of them has no figure")
    summary = run.result.json["ftlab"]
    pages = summary["free"]["superblock_bytes"] // summary["mapping"]["page_bytes"]
    value = float(run.result.wa_at_end) / wa.answer["wa"] - 1
    return _number(value, f"{100 * value:+.3g} %",
                   f"the drive has water marks and superblocks of {pages} pages; ftlab wa has neither")


def _short(value: float) -> str:
    """Four digits, without an exponent."""
    return f"{value:.4g}" if value < 1000 else f"{value:,.0f}".replace(",", "\u202f")


def _rate(rates: Mapping[str, Any], fresh: str) -> Cell:
    writes = rates.get("write")
    if not writes:
        return _none("nothing was written at the end")
    return _number(writes["bytes_per_s"], f"{_short(writes['bytes_per_s'] / 1e6)} MB/s",
                   f"{number_text(writes['iops'], 0)} requests/s{fresh}")


def _fresh_words(run: Run) -> str:
    """`, 174 MB/s fresh (phase fill)`"""
    return f", {_short(run.fresh_MB_per_s)} MB/s {run.fresh}" if run.fresh else ""


def _effort(run: Run) -> str:
    kind = "refined" if run.refined else "first picture"
    return f"{kind} in {run.took_s:.1f} s" + ("" if run.complete else ", cut short")


def _life_cells(run: Run) -> Dict[str, Cell]:
    """Years at one drive write a day do not depend on the size of the drive."""
    tbw, why_none = tbw_of(run)
    if tbw is None or run.result is None:
        return {"tbw": _none(why_none), "years": _none(why_none)}
    years = run.result.json["ftlab"]["endurance"].get("years_left_at_one_drive_write_a_day")
    return {"tbw": _number(tbw, f"{_short(tbw)} TB", "of the drive in full size"),
            "years": _none("not stated") if years is None else
            _number(years, f"{_short(round(years, 2 if years < 10 else 1))} years")}


def _cost_cells(run: Run, prices: Prices) -> Dict[str, Cell]:
    """Of the full-size drive: flash and mapping RAM of the run, times its scale."""
    tbw, why_none = tbw_of(run)
    if run.result is None or run.size is None:
        return {name: _none(why_none) for name in ("usd", "usd_per_gib", "usd_per_tbw")}
    summary, times = run.result.json["ftlab"], run.size.times
    figures = {name: summary["health"][name] * times for name in ("flash_bytes", "user_bytes")}
    figures["mapping_ram_bytes"] = summary["mapping"]["ram_bytes"] * times
    usd, per_gib = prices.price_usd(figures), prices.price_usd_per_user_gib(figures)
    return {"usd": _number(usd, f"{_short(usd)} USD", "by the prices stated"),
            "usd_per_gib": _number(per_gib, f"{per_gib:.4g} USD"),
            "usd_per_tbw": _none(why_none) if tbw is None else _number(usd / tbw, f"{usd / tbw:.3g} USD")}


def _number(value: float, shown: str, remark: str = "") -> Cell:
    return repr(value), shown, remark


def _none(why: str) -> Cell:
    return "", "not known", why
