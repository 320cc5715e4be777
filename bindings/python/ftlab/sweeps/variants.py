"""`ftlab run --vary`: one run for each combination of values, each in its own result folder, and a page that compares them.

Each run is the command `ftlab run` with the values as options, so its result is the same as without --vary. Several run at
the same time, one for each processor. Exit status: that of the first run that has one.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import dataclasses
import pathlib
import re
import signal
import subprocess
import sys
import threading
from typing import Any, Dict, Iterator, List, Sequence, Set, Tuple

from ftlab.errors import ConfigError
from ftlab.program import program_path
from ftlab.report.command import check_libraries, report
from ftlab.settings import set_words
from ftlab.sweeps.grid import JOB_OPTION, Choice, document_of, product_of, read_axes
from ftlab.progress import point_progress
from ftlab.sweeps.command import axis_of
from ftlab.sweeps.worker import processors

REPORT, VARY = "report", "--vary"
MOST_VARIANTS = 1000
_OPTIONS = ("drive", "host", "seed")  # keys that are options of `ftlab run`
_REFUSED = 2
Ended = subprocess.CompletedProcess


@dataclasses.dataclass(frozen=True)
class Variant:
    """name: of its folder. words: its options of `ftlab run`."""

    name: str
    choice: Choice
    words: Tuple[str, ...]

    @property
    def told(self) -> str:
        return ", ".join(f"{key}={value}" for key, value in self.choice.items())


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments that `ftlab run --vary` passes on."""
    parser.add_argument(VARY, action="append", required=True, metavar="KEY=V,V", help="a key that varies and its values")
    parser.add_argument("--out", required=True, type=pathlib.Path, metavar="DIR", help="has a folder for each run")
    for flag, meaning in (("--report", "compare the runs on a page"), ("--replace", "replace earlier results"),
                          ("--check", "check the input of all runs, simulate nothing")):
        parser.add_argument(flag, action="store_true", help=meaning)
    parser.add_argument("words", nargs="*", metavar="-- WORDS", help="of each `ftlab run`")


def run(arguments: argparse.Namespace) -> int:
    """Returns the exit status. Raises ConfigError before anything is simulated if any run would be refused."""
    variants = variants_of(arguments.vary)
    for key in _OPTIONS:
        if key in variants[0].choice and any(word.split("=")[0] == f"--{key}" for word in arguments.words):
            raise ConfigError("varies, and is given beside it", file=VARY, key=key, allowed=f"no --{key}, or one of its values")
    out: pathlib.Path = arguments.out
    if out.exists() and not arguments.replace and (not out.is_dir() or any(out.iterdir())):
        raise ConfigError("exists already", file=str(out), key="--out", allowed="a new or empty folder, or --replace")
    if arguments.report:
        check_libraries()
    runs = _Runs(variants, out, [*(["--replace"] if arguments.replace else []), *arguments.words])
    runs.refuse_invalid()
    if arguments.check:
        print(f"{len(variants)} variants: accepted")
        return 0
    status = runs.carry_out()
    made = [out / one.name for one in variants if (out / one.name).is_dir()]
    if arguments.report and made:
        report(made, out / REPORT, replace=arguments.replace)
        print(out / REPORT / "index.html")
    return status


def variants_of(words: Sequence[str]) -> List[Variant]:
    """All combinations of the values: ["ftl.gc.policy=greedy,fifo"] gives two. Raises ConfigError."""
    axes = read_axes(document_of({"axes": [axis_of(VARY, word, True) for word in words]}, VARY))
    choices = list(product_of(axes))
    if len(choices) > MOST_VARIANTS:
        raise ConfigError("makes too many variants", file=VARY, got=str(len(choices)),
                          allowed=f"at most {MOST_VARIANTS}; ftlab sweep")
    taken: Set[str] = {REPORT}
    return [Variant(_name(choice, taken), choice, tuple(_words(choice))) for choice in choices]


def _words(choice: Choice) -> List[str]:
    own = [word for key in _OPTIONS if key in choice for word in (f"--{key}", str(choice[key]))]
    of_job = {key[len(JOB_OPTION):]: value for key, value in choice.items() if key.startswith(JOB_OPTION)}
    of_drive = {key: value for key, value in choice.items() if key not in _OPTIONS and not key.startswith(JOB_OPTION)}
    return [*own, *set_words(of_drive), *set_words(of_job, "--set-job")]


def _name(choice: Choice, taken: Set[str]) -> str:
    """A folder's name from the values, as greedy or iodepth-4; a number follows if another variant has it."""
    whole = "_".join(_part(key, value) for key, value in choice.items())[:80]
    name, count = whole, 1
    while name in taken:
        count += 1
        name = f"{whole}-{count}"
    taken.add(name)
    return name


def _part(key: str, value: Any) -> str:
    """A word stands alone; numbers follow the last part of the key."""
    text = re.sub(r"[^A-Za-z0-9.%+]+", "-", str(value)).strip("-.") or "value"
    last = "op" if key == "over_provisioning" else re.split("[.:]", key)[-1]
    return text if isinstance(value, str) and text[:1].isalpha() else f"{last}-{text}"


class _Runs:
    """Runs the program once for each variant."""

    def __init__(self, variants: Sequence[Variant], out: pathlib.Path, words: Sequence[str]) -> None:
        self._variants, self._out, self._words = variants, out, list(words)
        self._running: Dict[int, "subprocess.Popen[str]"] = {}
        self._ending = threading.Event()

    def refuse_invalid(self) -> None:
        """Raises ConfigError for the first variant whose input is refused."""
        for number, (variant, ended) in enumerate(self._ended("--check"), 1):
            if ended.returncode == _REFUSED:
                why = "; ".join(ended.stderr.splitlines()).replace("--set: ", "", 1)
                raise ConfigError(f"{VARY}: variant {number} of {len(self._variants)} ({variant.told}): {why}")

    def carry_out(self) -> int:
        """Prints what each run prints, in the order of the variants; returns the first exit status that is not 0."""
        status = 0
        with point_progress(len(self._variants), None) as count:
            for variant, ended in self._ended():
                print(f"{variant.name}: {variant.told}\n{ended.stdout}", flush=True)
                for line in ended.stderr.splitlines():
                    print(f"{variant.name}: {line}", file=sys.stderr)
                status = status or ended.returncode
                count(ended.returncode != 0)
        return status

    def _ended(self, *more: str) -> Iterator[Tuple[Variant, Ended]]:
        """In the order of the variants."""
        with concurrent.futures.ThreadPoolExecutor(processors()) as pool:
            waiting = [pool.submit(self._end, variant, more) for variant in self._variants]
            try:
                for variant, one in zip(self._variants, waiting):
                    yield variant, one.result()
            except BaseException:
                self._stop()
                pool.shutdown(wait=True, cancel_futures=True)
                raise

    def _end(self, variant: Variant, more: Sequence[str]) -> Ended:
        words = [program_path(), "run", *variant.words, *more, "--out", str(self._out / variant.name), *self._words]
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, errors="replace")
        self._running[process.pid] = process
        if self._ending.is_set():
            process.send_signal(signal.SIGINT)
        printed, warned = process.communicate()
        del self._running[process.pid]
        return Ended(words, process.returncode, printed, warned)

    def _stop(self) -> None:
        """Interrupts the runs, which keep what they have so far."""
        self._ending.set()
        for process in list(self._running.values()):
            process.send_signal(signal.SIGINT)
