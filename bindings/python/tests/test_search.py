"""The design search: the same trials despite interruptions, and a front that no design beats."""

import json
import os
import signal
import subprocess
import sys
import time

import pandas as pd
import pytest

from ftlab import ConfigError
from ftlab.search import Prices, search
from ftlab.search.picture import label_of
from ftlab.search.search import _figure, read_space

optuna = pytest.importorskip("optuna")
optuna.logging.set_verbosity(optuna.logging.ERROR)

JOB = "[w]\nfilename=drive\nrw=randwrite\nbs=4k\niodepth=4\nsize=100%\nio_size=30m\n"
AGEING = "[a]\nfilename=drive\nrw=randwrite\nbs=64k\nsize=100%\nio_size=1g\n"
SPACE = {"user_sectors": {"from": 1_400_000, "to": 2_150_000, "step": 150_000}, "ftl.gc.policy": ["greedy", "random"]}


def look(folder, out="out", **options):
    (folder / "w.fio").write_text(JOB)
    (folder / "age.fio").write_text(AGEING)
    words = {"trials": 9, "batch": 3, "processes": 1, "age": {"job": str(folder / "age.fio")}, **options}
    return search("example-25nm-mlc", str(folder / "w.fio"), SPACE, out=folder / out, **words)


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    return look(tmp_path_factory.mktemp("found"))


def test_every_design_is_computed_or_refused_with_a_reason(found):
    trials, failures = found.trials(), found.failures
    assert len(trials) + len(failures) == 9
    assert {"user_sectors", "ftl.gc.policy", "wa_at_end", "write_latency_us_p999",
            "price_usd_per_user_gib"} <= set(trials.columns)
    assert (trials["user_sectors"] < 2_150_000).all()  # larger values exceed the flash and are refused
    if len(failures):
        assert failures["reason"].str.contains("do not fit into").all()


def test_nothing_beats_a_design_of_the_front(found):
    names = list(found.objectives)
    trials, front = found.trials(), found.front()
    assert 0 < len(front)
    for _, design in trials.iterrows():
        own, others = design[names].astype(float), trials[names]
        beaten = ((others <= own).all(axis=1) & (others < own).any(axis=1)).any()
        assert beaten != design["on_front"]


def test_write_amplification_is_that_of_the_end(found):
    """The mean since the beginning is an additional figure. It is used only if a run has no figure at its end."""
    trials = found.trials()
    assert found.objectives["wa_at_end"] == "minimize" and "wa" in trials.columns
    assert trials["wa_at_end"].tolist() == [trial.values[0] for trial in found.study.get_trials() if trial.values]
    assert _figure({"wa": 2.0, "wa_at_end": 3.0}, "wa_at_end") == 3
    assert _figure({"wa": 2.0}, "wa_at_end") == 2
    with pytest.raises(ConfigError, match="objectives.wa: is not a figure of these runs"):
        _figure({"read_iops": 2.0}, "wa_at_end")


def test_the_price_is_that_of_its_parts(found):
    design = found.trials().iloc[0]
    flash_gib, ram_mib, user_gib = design.flash_bytes / 2**30, design.mapping_ram_bytes / 2**20, design.user_bytes / 2**30
    assert design.price_usd == pytest.approx(flash_gib * 1.0 + ram_mib * 0.005 + 5.0)
    assert design.price_usd_per_user_gib == pytest.approx(design.price_usd / user_gib)
    assert Prices(2.0, 0.0, 0.0).price_usd({"flash_bytes": 2**31, "mapping_ram_bytes": 9}) == 4.0
    with pytest.raises(ValueError, match="flash_usd_per_gib is a price of zero or more"):
        Prices(flash_usd_per_gib=-1)


@pytest.mark.long
def test_a_killed_search_goes_on_to_the_same_trials(found, tmp_path):
    """Kills the search in the middle of the second batch."""
    program = ("import sys, pathlib; sys.path.insert(0, sys.argv[1]); import test_search;"
               "test_search.look(pathlib.Path(sys.argv[2]), processes=1)")
    process = subprocess.Popen([sys.executable, "-c", program, os.path.dirname(__file__), str(tmp_path)])
    journal = tmp_path / "out" / "study.journal"
    while process.poll() is None and _told(journal) < 4:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert 4 <= _told(journal) < 9
    resumed = look(tmp_path)
    columns = [name for name in found.trials().columns]
    pd.testing.assert_frame_equal(resumed.trials()[columns], found.trials())


def _told(journal):
    """Number of finished trials in the journal (Optuna's operation 6 sets the state and the values of a trial)."""
    if not journal.exists():
        return 0
    ended = 0
    for line in journal.read_text().splitlines():
        try:
            ended += json.loads(line).get("op_code") == 6
        except json.JSONDecodeError:
            pass  # a line that is still being written
    return ended


def test_pictures_show_the_front(found, tmp_path):
    found.picture(tmp_path / "front.png", x="price_usd_per_user_gib", y="wa_at_end")
    assert (tmp_path / "front.png").read_bytes().startswith(b"\x89PNG")
    figure = found.figure("price_usd_per_user_gib", "wa_at_end")
    front = next(curve for curve in figure.data if curve.name == "Pareto front")
    assert sorted(front.x) == sorted(found.front()["price_usd_per_user_gib"])
    assert "ftl.gc.policy: " in front.text[0]
    assert figure.layout.yaxis.title.text == "write amplification at the end (media bytes / host bytes)"
    with pytest.raises(ConfigError, match="axis: is not an objective of this search .got vva; allowed: wa_at_end, "):
        found.picture(tmp_path / "front.png", x="vva")
    assert label_of("write_latency_us_p999") == "write latency p99.9 (us)"


def test_a_folder_of_another_search_is_refused(found, tmp_path):
    look(tmp_path, trials=1, age=None)
    with pytest.raises(ConfigError, match="belongs to another search: there sampler_seed is 1, here it is 2"):
        look(tmp_path, trials=1, age=None, sampler_seed=2)


@pytest.mark.parametrize("space, message", [
    ({}, "space: must give choices to one key or more (got {})"),
    ({"k": []},
     'k: must be a list of values or a range (got []; allowed: [...] or {"from": A, "to": B, "step": S, "log": true})'),
    ({"k": {"form": 1, "to": 2}},
     "k.form: is not a known key of a range (allowed: from, to, step, log; did you mean from?)"),
    ({"k": {"from": 3, "to": 2}},
     'k: is not a range (got {"from": 3, "to": 2}; allowed: from < to; step > 0, not with log)'),
    ({"k": {"from": 0, "to": 2, "log": True}},
     'k: is not a range of positive numbers, as a logarithm needs (got {"from": 0, "to": 2, "log": true};'
     " allowed: from > 0)"),
])
def test_a_wrong_space_is_refused(space, message):
    with pytest.raises(ConfigError) as refused:
        read_space(space)
    assert str(refused.value) == message


def test_wrong_objectives_are_refused(tmp_path):
    with pytest.raises(ConfigError, match="objectives.wa: is not a direction .got down; allowed: minimize, maximize"):
        look(tmp_path, objectives={"wa": "down"})
    with pytest.raises(ConfigError, match="objectives.waa: is not a figure of these runs .allowed: .*did you mean wa"):
        look(tmp_path, objectives={"waa": "minimize"}, trials=1)
