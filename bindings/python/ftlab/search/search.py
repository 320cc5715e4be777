"""Searches designs of a drive by several objectives at once: Optuna proposes, the simulator evaluates."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import zlib
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import pandas as pd

from ftlab.errors import ConfigError, nearest_name
from ftlab.sweeps.plan import CORE, Plan, make_plan
from ftlab.sweeps.store import first_difference
from ftlab.sweeps.worker import Outcome, Worker, computed_here, processors

GIB, MIB = 2**30, 2**20


@dataclasses.dataclass(frozen=True)
class Prices:
    """In US dollars. The defaults are assumptions, not quotes: roughly contract prices of 2012, when 25 nm flash was sold
    (about one dollar per GiB; DRAM about five dollars per GiB). Supply your own."""

    flash_usd_per_gib: float = 1.0
    dram_usd_per_mib: float = 0.005
    fixed_usd: float = 5.0  # controller, board, case; assumed

    def __post_init__(self) -> None:
        for name, value in dataclasses.asdict(self).items():
            if not (isinstance(value, (int, float)) and 0 <= value < float("inf")):
                raise ValueError(f"{name} is a price of zero or more, not {value!r}")

    def price_usd(self, figures: Mapping[str, Any]) -> float:
        """Price of a drive from the figures of a run: flash_bytes and mapping_ram_bytes."""
        return (figures["flash_bytes"] / GIB * self.flash_usd_per_gib
                + figures["mapping_ram_bytes"] / MIB * self.dram_usd_per_mib + self.fixed_usd)

    def price_usd_per_user_gib(self, figures: Mapping[str, Any]) -> float:
        """Price per GiB that the host can use, which includes the cost of spare area."""
        return self.price_usd(figures) / (figures["user_bytes"] / GIB)


Path = Union[str, "os.PathLike[str]"]
PRICES = ("price_usd", "price_usd_per_user_gib")
_AT_END, _SINCE_BEGINNING = "wa_at_end", "wa"
OBJECTIVES = {_AT_END: "minimize", "write_latency_us_p999": "minimize", "price_usd_per_user_gib": "minimize"}
_JOURNAL, _STUDY, _STATES = "study.journal", "search", "states"
_IDENTITY, _BATCH, _PLACE, _FIGURES, _REASON = "identity", "batch", "place", "figures", "reason"


class Search:
    """The results of a search so far."""

    def __init__(self, study: Any, objectives: Mapping[str, str]) -> None:
        self.study, self.objectives = study, dict(objectives)

    def trials(self) -> pd.DataFrame:
        """One row per design that was computed: trial, values chosen, objectives, on_front, and all figures."""
        front = {trial.number for trial in self.study.best_trials}
        rows = [self._row(trial, trial.number in front) for trial in self._ended() if trial.values is not None]
        return pd.DataFrame(rows)

    def front(self) -> pd.DataFrame:
        """The Pareto front: designs that no other design beats in every objective, ordered by the first objective."""
        trials = self.trials()
        return trials if trials.empty else trials[trials["on_front"]].sort_values(list(self.objectives), ignore_index=True)

    @property
    def failures(self) -> pd.DataFrame:
        """Designs that could not be computed, with the reason: most are refused, such as drives with too little spare."""
        rows = [{"trial": trial.user_attrs[_PLACE], **_chosen(trial), "reason": trial.user_attrs[_REASON]}
                for trial in self._ended() if _REASON in trial.user_attrs]
        return pd.DataFrame(rows)

    def picture(self, path: Path, x: Optional[str] = None, y: Optional[str] = None) -> None:
        """The front as a PNG (matplotlib): two objectives as axes, a third as colour; designs off the front are pale."""
        from ftlab.search.picture import draw_front
        draw_front(self.trials(), self._axes(x, y), os.fspath(path))

    def figure(self, x: Optional[str] = None, y: Optional[str] = None) -> Any:
        """Like picture(), as a plotly figure whose points show their designs."""
        from ftlab.search.picture import front_figure
        return front_figure(self.trials(), self._axes(x, y), [*self._space_keys()])

    def _axes(self, x: Optional[str], y: Optional[str]) -> List[str]:
        """The objectives, with x and y first."""
        names = list(self.objectives)
        for name in filter(None, (x, y)):
            if name not in names:
                raise ConfigError("is not an objective of this search", key="axis", got=name, allowed=", ".join(names),
                                  nearest=nearest_name(name, names))
        first = [name for name in (x, y) if name]
        return first + [name for name in names if name not in first]

    def _space_keys(self) -> Sequence[str]:
        ended = self._ended()
        return list(_chosen(ended[0])) if ended else []

    def _ended(self) -> List[Any]:
        """Finished trials in search order. Optuna's own numbers have gaps where a kill interrupted a proposal."""
        ended = [trial for trial in self.study.get_trials(deepcopy=False)
                 if trial.state.is_finished() and _PLACE in trial.user_attrs]
        return sorted(ended, key=lambda trial: trial.user_attrs[_PLACE])

    def _row(self, trial: Any, on_front: bool) -> Dict[str, Any]:
        objectives = dict(zip(self.objectives, trial.values))
        figures = {name: value for name, value in trial.user_attrs[_FIGURES].items() if name not in objectives}
        return {"trial": trial.user_attrs[_PLACE], **_chosen(trial), **objectives, "on_front": on_front, **figures}


def search(drive: str, job: Path, space: Mapping[str, Any], *, out: Path, trials: int = 50,
           objectives: Optional[Mapping[str, str]] = None, prices: Prices = Prices(),
           settings: Optional[Mapping[str, Any]] = None, job_settings: Optional[Mapping[str, Any]] = None,
           age: Optional[Mapping[str, Any]] = None, seeds: Sequence[int] = (1,), sampler_seed: int = 1, batch: int = 4,
           processes: Optional[int] = None, limit_s: float = 0) -> Search:
    """Searches for the designs that are best by several objectives. Results are in `out`; a second call resumes there.

    drive, job, settings, job_settings, age, seeds: as in a grid of runs (docs/guide.md); figures are means over the seeds.
    space: for each key that may vary, as on an axis of a grid, [values] or {"from": A, "to": B, "step": S}.
    objectives: figures of a run (sweeps/figures.py), price_usd or price_usd_per_user_gib, each "minimize" or "maximize". A
        run without wa_at_end uses wa instead.
    prices: for the last two.
    trials: total number of designs, including those computed before.
    batch: number of designs that are proposed at a time and computed in parallel. It affects which designs are tried; the
        number of processes does not, nor does a kill: the same call gives the same trials. (A search resumed with more
        trials equals a single call if the first number was a multiple of the batch.)
    sampler_seed: for Optuna's sampler (TPE), so that a killed search resumes as if it had not been killed.

    Designs that are refused or fail are in `failures`. Raises ConfigError for an invalid space or invalid objectives, and
    for an `out` of another search. Needs Optuna.
    """
    wanted = _objectives(OBJECTIVES if objectives is None else objectives)
    grid = {"kind": "run", "drive": drive, "job": os.fspath(job), "settings": dict(settings or {}),
            "job_settings": dict(job_settings or {}), "seeds": list(seeds), **({"age": dict(age)} if age else {})}
    make_plan(grid)
    question = {"ftlab": CORE, "grid": grid, "space": dict(space), "objectives": wanted, "sampler_seed": sampler_seed,
                "batch": batch, "prices": vars(prices)}
    study = _study(pathlib.Path(out), wanted, json.loads(json.dumps(question)))
    states = str((pathlib.Path(out) / _STATES).resolve())
    workers = [Worker(states, limit_s) for _ in range(processes or processors())]
    try:
        run = _Run(study, grid, read_space(space), wanted, prices, sampler_seed, workers)
        while run.next_batch(batch, trials):
            pass
    finally:
        for worker in workers:
            worker.close()
    return Search(study, wanted)


class _Run:
    """One call of search(). Designs are proposed in batches, each based on the results of earlier batches. Every trial
    has a fixed place in the search; a batch that a kill left unfinished is completed as proposed."""

    def __init__(self, study: Any, grid: Mapping[str, Any], space: Space, objectives: Mapping[str, str], prices: Prices,
                 sampler_seed: int, workers: Sequence[Worker]) -> None:
        self._study, self._grid, self._space, self._objectives = study, grid, space, objectives
        self._prices, self._sampler_seed, self._workers = prices, sampler_seed, workers

    def next_batch(self, batch: int, trials: int) -> bool:
        """Computes a batch. Does nothing and returns False if there are at least `trials` trials."""
        ended, under_way = self._places()
        first, last = self._study.user_attrs.get(_BATCH, (0, 0))
        if len(ended) >= last:
            if last >= trials:
                return False
            first, last = last, min(last + batch, trials)
            self._study.set_user_attr(_BATCH, (first, last))
        asked = [under_way[place] if place in under_way else self._ask(place) for place in range(first, last)
                 if place not in ended]
        plans = [self._planned(choice) for _, choice in asked]
        outcomes = self._computed([plan for plan in plans if isinstance(plan, Plan)])
        for (trial, _), plan in zip(asked, plans):
            self._tell(trial, plan, outcomes)
        return True

    def _places(self) -> Tuple["set[int]", Dict[int, Tuple[Any, Dict[str, Any]]]]:
        """Places of the finished trials, and of those that a killed process proposed, which are resumed."""
        from optuna.trial import Trial
        ended, under_way = set(), {}
        for trial in self._study.get_trials(deepcopy=False):
            place = trial.user_attrs.get(_PLACE)
            if place is not None and trial.state.is_finished():
                ended.add(place)
            elif place is not None:
                under_way[place] = Trial(self._study, trial._trial_id), _chosen(trial)
        return ended, under_way

    def _ask(self, place: int) -> Tuple[Any, Dict[str, Any]]:
        """Each proposal has its own sampler, seeded by its place, so it depends only on the batches before it and that
        seed, whichever process proposes."""
        from optuna.samplers import TPESampler
        self._study.sampler = TPESampler(seed=zlib.crc32(f"{self._sampler_seed}/{place}".encode()))
        trial = self._study.ask(self._space)
        trial.set_user_attr(_PLACE, place)  # last: a trial without it was not proposed completely and is ignored
        return trial, _chosen(trial)

    def _planned(self, choice: Mapping[str, Any]) -> Union[Plan, str]:
        """The plan of a design, or the reason why it is refused."""
        try:
            return make_plan({**self._grid, "axes": [{"list": [choice]}]})
        except ConfigError as error:
            return str(error)

    def _computed(self, plans: Sequence[Plan]) -> Dict[str, Outcome]:
        """Computes the aged drives, then the points."""
        outcomes: Dict[str, Outcome] = {}
        states = {address: task for plan in plans for address, task in plan.states.items()}
        tasks = {address: task for plan in plans for address, task in plan.tasks.items()}
        for wave in (states, tasks):
            outcomes.update((outcome.address, outcome) for outcome in computed_here(list(wave.values()), self._workers))
        return outcomes

    def _tell(self, trial: Any, plan: Union[Plan, str], outcomes: Mapping[str, Outcome]) -> None:
        from optuna.trial import TrialState
        reason = plan if isinstance(plan, str) else _first_reason(plan, outcomes)
        if reason:
            trial.set_user_attr(_REASON, reason)
            self._study.tell(trial, state=TrialState.FAIL)
            return
        assert isinstance(plan, Plan)
        figures = _means([outcomes[point.address].figures or {} for point in plan.points])
        figures.update({name: getattr(self._prices, name)(figures) for name in PRICES})
        trial.set_user_attr(_FIGURES, figures)
        self._study.tell(trial, [_figure(figures, name) for name in self._objectives])


def _study(folder: pathlib.Path, objectives: Mapping[str, str], question: Mapping[str, Any]) -> Any:
    """The study in the folder, new or resumed. Raises ConfigError if it is that of another search."""
    import optuna
    from optuna.storages.journal import JournalFileBackend
    from optuna.study import StudyDirection
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    folder.mkdir(parents=True, exist_ok=True)
    storage = optuna.storages.JournalStorage(JournalFileBackend(str(folder / _JOURNAL)))
    study = optuna.create_study(storage=storage, study_name=_STUDY, load_if_exists=True,
                                directions=[StudyDirection[word.upper()] for word in objectives.values()])
    begun = study.user_attrs.get(_IDENTITY)
    if begun is None:
        study.set_user_attr(_IDENTITY, question)
    difference = begun and first_difference(begun, question)
    if difference:
        where, there, here = difference
        raise ConfigError(f"belongs to another search: there {where} is {there}, here it is {here}", file=str(folder))
    return study


def _objectives(wanted: Mapping[str, str]) -> Dict[str, str]:
    for name, direction in wanted.items():
        if direction not in ("minimize", "maximize"):
            raise ConfigError("is not a direction", key=f"objectives.{name}", got=str(direction),
                              allowed="minimize, maximize")
    if not wanted:
        raise ConfigError("must name one figure or more", key="objectives")
    return dict(wanted)


def _first_reason(plan: Plan, outcomes: Mapping[str, Outcome]) -> str:
    return next((outcomes[point.address].reason for point in plan.points if outcomes[point.address].figures is None), "")


def _means(rows: Sequence[Mapping[str, Any]]) -> Dict[str, Any]:
    """Means over the replicates, of all figures that are numbers in each of them."""
    numbers = [name for name in rows[0] if all(isinstance(row.get(name), (int, float)) for row in rows)]
    return {name: sum(row[name] for row in rows) / len(rows) for name in numbers}


def _figure(figures: Mapping[str, Any], name: str) -> float:
    if name == _AT_END and name not in figures:
        name = _SINCE_BEGINNING
    if name not in figures:
        raise ConfigError("is not a figure of these runs", key=f"objectives.{name}", allowed=", ".join(figures),
                          nearest=nearest_name(name, figures))
    return float(figures[name])


def _chosen(trial: Any) -> Dict[str, Any]:
    return {key: json.loads(value) if isinstance(value, str) else value for key, value in trial.params.items()}


# The space of a design search: for each key of a drive, a list of values or a range.

_RANGE_KEYS = ("from", "to", "step", "log")
Space = Dict[str, Any]  # key -> Optuna's distribution


def read_space(written: Mapping[str, Any]) -> Space:
    """{"ftl.gc.policy": ["greedy", "fifo"], "user_sectors": {"from": 1000, "to": 2000, "step": 100}}. Raises ConfigError."""
    from optuna.distributions import CategoricalDistribution
    if not isinstance(written, Mapping) or not written:
        raise ConfigError("must give choices to one key or more", key="space", got=repr(written))
    space = {}
    for key, value in written.items():
        if isinstance(value, list) and value:  # Optuna stores texts, so values are chosen as JSON
            space[key] = CategoricalDistribution([json.dumps(one) for one in value])
        elif isinstance(value, Mapping):
            space[key] = _range(key, value)
        else:
            raise ConfigError("must be a list of values or a range", key=key, got=repr(value),
                              allowed='[...] or {"from": A, "to": B, "step": S, "log": true}')
    return space


def _range(key: str, value: Mapping[str, Any]) -> Any:
    """Whole or real numbers, including both ends; whole if both ends are."""
    from optuna.distributions import FloatDistribution, IntDistribution
    for name in value:
        if name not in _RANGE_KEYS:
            raise ConfigError("is not a known key of a range", key=f"{key}.{name}", allowed=", ".join(_RANGE_KEYS),
                              nearest=nearest_name(name, _RANGE_KEYS))
    first, last, step, log = value.get("from", 0), value.get("to", 0), value.get("step"), bool(value.get("log", False))
    numbers = [first, last] + ([] if step is None else [step])
    plain = all(isinstance(number, (int, float)) and not isinstance(number, bool) for number in numbers)
    if not plain or not first < last or (step is not None and (step <= 0 or log)):
        raise ConfigError("is not a range", key=key, got=json.dumps(dict(value), default=repr),
                          allowed="from < to; step > 0, not with log")
    if log and first <= 0:
        raise ConfigError("is not a range of positive numbers, as a logarithm needs", key=key, got=json.dumps(dict(value)),
                          allowed="from > 0")
    if isinstance(first, int) and isinstance(last, int):
        return IntDistribution(first, last, log, step or 1)
    return FloatDistribution(first, last, log, step)
