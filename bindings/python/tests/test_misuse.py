"""Every misuse from Python gives a clear exception, never a crash."""

from __future__ import annotations

import multiprocessing
import os
import pathlib
import pickle
import re
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import small_drive, writes
from hypothesis import given, settings, strategies as st

import ftlab
from ftlab.errors import ConfigError, nearest_name, printable

def test_a_closed_drive_says_so() -> None:
    with small_drive() as drive:
        blocks = drive.blocks
    assert drive.closed and repr(drive) == "<ftlab.Drive, closed>"
    assert blocks.valid.sum() == 0
    for use in (lambda: drive.run(writes()), lambda: drive.blocks, lambda: drive.counters, lambda: drive.fork(),
                lambda: drive.save("x"), lambda: drive.power_cycle(), lambda: drive.idle(1), lambda: drive.config,
                lambda: drive.timed, lambda: drive.signature, lambda: drive.inspect()):
        with pytest.raises(ftlab.DriveError, match="the drive is closed"):
            use()
    drive.close()


@pytest.mark.parametrize("wrong, error, message", [
    (lambda: ftlab.Drive(7), TypeError, "PathLike"),
    (lambda: ftlab.Drive("no-such-drive"), ftlab.ConfigError, "unknown drive"),
    (lambda: ftlab.Drive("/nowhere/drive.json"), ftlab.ConfigError, "nowhere"),
    (lambda: small_drive({"ftl.gc.polciy": "fifo"}), ftlab.ConfigError, "did you mean policy"),
    (lambda: small_drive({"user_sectors": "many"}), ftlab.ConfigError, "user_sectors"),
    (lambda: small_drive({"user_sectors": float("nan")}), ftlab.ConfigError, "is not a value that JSON has"),
    (lambda: small_drive({7: 1}), ftlab.ConfigError, "is not a key of a setting"),
    (lambda: small_drive({"a=b": 1}), ftlab.ConfigError, "is not a key of a setting"),
    (lambda: ftlab.Drive("example-25nm-mlc", ["ftl.gc.policy=fifo"]), TypeError, "settings are a mapping"),
    (lambda: small_drive(seed=-1), ftlab.ConfigError, "is not a seed"),
    (lambda: small_drive(seed=1.5), ftlab.ConfigError, "is not a seed"),
    (lambda: small_drive(seed=2**64), ftlab.ConfigError, "is not a seed"),
    (lambda: small_drive(timed=1), TypeError, "timed is True or False"),
    (lambda: ftlab.Drive({"name": object()}), ftlab.ConfigError, "JSON"),
    (lambda: small_drive().run(7), TypeError, "PathLike"),
    (lambda: small_drive().run("/nowhere/job.fio"), ftlab.ConfigError, "nowhere"),
    (lambda: small_drive().run(ftlab.Job("[w]\nrw=randwrit\n")), ftlab.ConfigError,
     "job.fio:2: rw:.*did you mean randwrite"),
    (lambda: small_drive().run(writes(), {"bs": "4x"}), ftlab.ConfigError, "bs"),
    (lambda: small_drive().run(writes(), {"bs": "4k\nrw=read"}), ftlab.ConfigError, "a text of one line"),
    (lambda: small_drive().run(writes(direct=0), strict=True), ftlab.ConfigError, "direct: the page cache is not modelled"),
    (lambda: small_drive().run(writes(), strict=1), TypeError, "strict is True or False"),
    (lambda: small_drive().run(writes(size="1t"), shrink_jobs=2), ftlab.ConfigError, "reaches beyond the end"),
    (lambda: small_drive().run(writes(), shrink_jobs="half"), ftlab.ConfigError, "shrink_jobs: is not a divisor of sizes"),
    (lambda: small_drive().run(writes(), shrink_jobs=0), ftlab.ConfigError, "allowed: a whole number from 1, or fit"),
    (lambda: small_drive().run(writes(), shrink_jobs=1.5), ftlab.ConfigError, "shrink_jobs"),
    (lambda: small_drive().run(writes(), shrink_jobs=True), ftlab.ConfigError, "shrink_jobs"),
    (lambda: small_drive().run(ftlab.Trace(__file__, format="msr"), strict=True), ftlab.ConfigError, "is for job files"),
    (lambda: small_drive().run(writes(), until_steady=0.5), ftlab.ConfigError, "until_steady"),
    (lambda: small_drive().run(writes(), until_steady=float("nan")), ftlab.ConfigError, "until_steady"),
    (lambda: small_drive(timed=False).run(writes(time_based=1, runtime=1)), ftlab.ConfigError,
     "an untimed run has no clock"),
    (lambda: small_drive().run(writes(), progress=3), TypeError, "progress is True or a function"),
    (lambda: small_drive().run(ftlab.Trace("/nowhere/t.csv")), ftlab.ConfigError, "nowhere"),
    (lambda: small_drive().idle(-1), ValueError, "idle takes"),
    (lambda: small_drive().idle("long"), ValueError, "idle takes"),
    (lambda: small_drive().idle(float("inf")), ValueError, "idle takes"),
    (lambda: ftlab.Drive.load("/nowhere/state"), ftlab.ConfigError, "nowhere"),
    (lambda: ftlab.Drive.load(__file__), ftlab.ConfigError, "test_misuse.py"),
    (lambda: small_drive().save("/nowhere/state"), ftlab.ConfigError, "nowhere"),
    (lambda: ftlab.Result.load("/nowhere"), ftlab.ConfigError, "no result.json"),
    (lambda: ftlab.wa(opp=0.07), ftlab.ConfigError, "did you mean op"),
    (lambda: ftlab.wa(op=-1), ftlab.ConfigError, "op"),
    (lambda: ftlab.wa(op=[0.07]), ftlab.ConfigError, "must be a number or a word"),
    (lambda: ftlab.wa(policy="gredy"), ftlab.ConfigError, "did you mean greedy"),
    (lambda: ftlab.wa(precision="20%"), ftlab.ConfigError, "precision"),
    (lambda: ftlab.theory(workload="zipf"), ftlab.ConfigError, "workload"),
    (lambda: pickle.dumps(small_drive()), TypeError, "cannot be pickled"),
])
def test_wrong_input_is_refused(wrong: object, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        wrong()  # type: ignore[operator]


def test_a_refused_run_leaves_the_drive_as_it_was() -> None:
    drive = small_drive()
    before = drive.signature
    with pytest.raises(ftlab.ConfigError):
        drive.run(ftlab.Job("[w]\nrw=nonsense\n"))
    assert drive.signature == before
    drive.run(writes("5m"))


def test_a_second_thread_is_refused_while_the_first_is_at_work() -> None:
    drive, message = small_drive(), []

    def meddle(row: dict) -> bool:
        try:
            drive.run(writes("1m"))
        except ftlab.DriveError as error:
            message.append(str(error))
        return True

    drive.run(writes("10g"), each_interval=meddle)
    assert message[0].startswith("the drive is in use by another thread")
    drive.run(writes("1m"))


def test_drives_in_several_threads_run_side_by_side_and_alike() -> None:
    signatures: list[str] = []
    threads = [threading.Thread(target=lambda: signatures.append(small_drive().run(writes()).signature)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(signatures) == 4 and len(set(signatures)) == 1


def test_columns_may_be_read_while_the_drive_runs_in_another_thread() -> None:
    drive = small_drive()
    valid = drive.blocks.valid
    thread = threading.Thread(target=lambda: drive.run(writes("2g")))
    thread.start()
    seen = {int(valid.sum()) for _ in range(1000)}
    thread.join()
    assert max(seen) <= 64 * 256 and int(valid.sum()) * 4096 == drive.counters["mapped_bytes"]


def in_child(drive: ftlab.Drive, queue: "multiprocessing.Queue[str]") -> None:
    queue.put(drive.run(writes("10m")).files["series.csv"])


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_process_goes_on_with_its_own_copy() -> None:
    drive = small_drive()
    drive.run(writes("10m"))
    context = multiprocessing.get_context("fork")
    queue: "multiprocessing.Queue[str]" = context.Queue()
    child = context.Process(target=in_child, args=(drive, queue))
    child.start()
    theirs = queue.get(timeout=60)
    child.join(60)
    assert child.exitcode == 0
    assert drive.run(writes("10m")).files["series.csv"] == theirs


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_process_forked_in_the_midst_of_a_run_is_told() -> None:
    drive = small_drive()

    def fork_here(row: dict) -> bool:
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                drive.counters
            except ftlab.DriveError as error:
                os.write(writer, str(error).encode())
            os._exit(0)
        os.waitpid(child, 0)
        message.append(os.read(reader, 1000).decode())
        return True

    message: list[str] = []
    drive.run(writes("10g"), each_interval=fork_here)
    assert message == ["the drive is in use by another thread, or was when this process forked"]


def test_an_exception_in_a_callback_ends_the_run_and_the_drive_goes_on() -> None:
    drive = small_drive()

    def failing(row: dict) -> bool:
        raise KeyError("in my callback")

    with pytest.raises(KeyError, match="in my callback"):
        drive.run(writes("100g"), each_interval=failing)
    assert drive.inspect() == []
    drive.run(writes("5m"))


PRESSED = """
import sys
sys.path.insert(0, {tests!r})
from conftest import small_drive, writes
import ftlab
drive = small_drive()
print("begins", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted; invariants:", drive.inspect(), flush=True)
    drive.run(writes("1m"))
    print("goes on", flush=True)
"""


@pytest.mark.parametrize("call",
                         ["drive.run(writes('100000g'))", "ftlab.wa(blocks=4000, precision=1e-5, most_batches=100000)"])
def test_ctrl_c_ends_long_work_at_once_and_the_drive_goes_on(call: str) -> None:
    script = PRESSED.format(tests=str(pathlib.Path(__file__).parent), call=call)
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout is not None and child.stdout.readline() == "begins\n"
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        message, _ = child.communicate(timeout=60)
    finally:
        child.kill()
    assert message == "interrupted; invariants: []\ngoes on\n" and child.returncode == 0


@settings(max_examples=50, deadline=None)
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
                    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
                    max_leaves=8))
def test_any_value_as_a_drive_a_job_or_a_setting_is_an_error_and_no_crash(value: object) -> None:
    for wrong in (lambda: ftlab.Drive(value), lambda: small_drive({"nand": value}),  # type: ignore[arg-type]
                  lambda: small_drive().run(ftlab.Job(str(value)))):
        with pytest.raises((ValueError, TypeError)):
            wrong()


def test_numpy_numbers_are_numbers() -> None:
    drive = small_drive({"user_sectors": np.int64(65536)}, seed=np.uint32(3))
    assert drive.user_bytes == 32 << 20
    assert ftlab.theory(op=np.float64(0.07))["wa"] == ftlab.theory(op=0.07)["wa"]


# Errors have the format of the core.

def test_all_pieces_make_the_message_of_the_project() -> None:
    error = ConfigError("is not a known name", file="a.json", line=7, key="gc.policy", got='"gredy"',
                        allowed="greedy, fifo", nearest="greedy")
    assert str(error) == ('a.json:7: gc.policy: is not a known name (got "gredy"; allowed: greedy, fifo;'
                          " did you mean greedy?)")
    assert isinstance(error, ValueError)


def test_empty_pieces_are_left_out_and_the_brackets_with_the_last() -> None:
    assert str(ConfigError("cannot be read", file="a.json")) == "a.json: cannot be read"
    assert str(ConfigError("is missing", key="wa")) == "wa: is missing"
    assert str(ConfigError("all is wrong", got="x")) == "all is wrong (got x)"


def test_an_error_crosses_a_process_boundary_with_its_pieces() -> None:
    error = pickle.loads(pickle.dumps(ConfigError("is wrong", file="f", line=3, key="k", got="g")))
    assert (str(error), error.line, error.key) == ("f:3: k: is wrong (got g)", 3, "k")


@given(st.text(), st.text(), st.text())
def test_whatever_stands_in_the_pieces_the_message_is_one_line_of_printable_ascii(a: str, b: str,
                                                                                  c: str) -> None:
    message = str(ConfigError(a, file=b, key=c, got=a, allowed=b, nearest=c))
    assert re.fullmatch(r"[\x20-\x7e]*", message)


@given(st.text())
def test_long_values_are_cut_to_sixty_characters(text: str) -> None:
    assert len(printable(text)) <= 60


def test_the_nearest_name_is_within_a_third_of_the_length() -> None:
    names = ["greedy", "fifo", "cost-benefit"]
    assert nearest_name("gredy", names) == "greedy"
    assert nearest_name("geredy", names) == "greedy"  # swapped neighbours count once
    assert nearest_name("xyz", names) == ""
    assert nearest_name("ab", ["xy"]) == ""  # no letter in common
