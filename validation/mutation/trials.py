"""Runs the tests against one mutant after the other: which test file reaches it, which one kills it."""

import math
import os
import resource
import signal
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

_MOST_MEMORY = 6 << 30
_MOST_FILE = 400 << 20

SIGNATURE = "signature"  # ftlab-signature against validation/checks/data/signature.txt, beside the test files


class Trials:
    def __init__(self, programs, tests, signature, jobs, budget_s, longest_s=600):
        """`programs`: the folder of ftlab-tests and ftlab-signature; `signature`: what the latter has to print. Test files
        that take more than `longest_s` with nothing changed are not used. All is counted in seconds of the processor, so
        that the same tests are run whatever else the machine does."""
        self.programs = Path(programs).resolve()  # each test runs in a folder of its own
        self.signature, self.jobs, self.budget_s = signature, jobs, budget_s
        self.longest_s = longest_s
        self.least_s = 5  # that a test has with a mutant, besides ten times what it takes with nothing changed
        self.tests = [*tests, SIGNATURE]  # names of test files, without .cpp
        self.seconds = {}  # of a test file, with nothing changed
        self.reached = {}  # of a test file: the mutants that it comes by
        self.unusable = []  # fail with nothing changed
        self.took = {}  # by mutant

    def measure(self, say):
        """Runs every test file with nothing changed."""

        def one(test):
            with tempfile.TemporaryDirectory() as folder:
                marks = Path(folder) / "reached"
                outcome, took = self.run(test, 0, self.longest_s, {"FTLAB_MUTANTS_REACHED": str(marks)})
                seen = marks.read_bytes() if marks.exists() else b""
            return test, outcome, took, {i for i, mark in enumerate(seen) if mark}

        with ThreadPoolExecutor(self.jobs) as pool:
            for test, outcome, took, seen in pool.map(one, self.tests):
                if outcome != "passed":
                    self.unusable.append(test)
                    say(f"{test} {outcome} with nothing changed and is not used")
                    continue
                self.seconds[test], self.reached[test] = took, seen

    def reaching(self, mutant):
        """The test files that come by a mutant, the cheapest first. The signature, which sees any change but says nothing
        of what is right, is asked when no other has seen it."""
        reached = [test for test in self.reached if mutant in self.reached[test]]
        return sorted(reached, key=lambda test: (test == SIGNATURE, self.seconds[test]))

    def kill(self, mutant):
        """('killed', test, how), ('survived', tests run, tests left for want of time) or ('not reached', ...). In `took`
        stands how many seconds the test ran that killed it."""
        tests = self.reaching(mutant)
        if not tests:
            return "not reached", "", ""
        spent = 0.0
        for number, test in enumerate(tests):
            if number > 0 and spent + self.seconds[test] > self.budget_s:
                return "survived", str(number), str(len(tests) - number)
            spent += self.seconds[test]
            outcome, self.took[mutant] = self.run(test, mutant, self.least_s + 10 * self.seconds[test])
            if outcome != "passed":
                return "killed", test, outcome
        return "survived", str(len(tests)), "0"

    def kill_all(self, numbers, tell):
        with ThreadPoolExecutor(self.jobs) as pool:
            for number, verdict in zip(numbers, pool.map(self.kill, numbers)):
                tell(number, verdict)

    def run(self, test, mutant, limit_s, more=None):
        """'passed', 'failed', 'crashed' or 'timeout', and the processor's seconds. One that sleeps has as long as four of
        those."""
        environment = {**os.environ, "FTLAB_MUTANT": str(mutant), **(more or {})}
        with tempfile.TemporaryDirectory() as folder:
            said = Path(folder) / "said"
            with said.open("w") as output:
                child = subprocess.Popen(
                    self._command(test), cwd=folder, env=environment, start_new_session=True, stdin=subprocess.DEVNULL,
                    stdout=output, stderr=subprocess.DEVNULL, preexec_fn=lambda: _limit(limit_s),
                )  # fmt: skip
            status, took = _wait(child, 4 * limit_s)
            if took >= limit_s or status is None:
                return "timeout", took
            if status == 0 and test == SIGNATURE and said.read_text() != self.signature:
                return "failed", took
        return "passed" if status == 0 else "crashed" if status < 0 else "failed", took

    def _command(self, test):
        if test == SIGNATURE:
            return [str(self.programs / "ftlab-signature")]
        return [str(self.programs / "ftlab-tests"), "-#", f"[#{test}]~[.]", "--abort"]


def _limit(seconds):
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_MOST_FILE, _MOST_FILE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds)))


def _wait(child, wall_s):
    """Its status, None when it was still there after `wall_s`, and the processor's seconds that it took."""
    until, pause = time.monotonic() + wall_s, 0.001
    while True:
        ended, status, usage = os.wait4(child.pid, os.WNOHANG)
        if ended == 0 and time.monotonic() > until:
            os.killpg(child.pid, signal.SIGKILL)  # of this child alone: it leads a group of its own
            _, _, usage = os.wait4(child.pid, 0)
            ended, status = child.pid, None
        if ended != 0:
            child.returncode = -1 if status is None else os.waitstatus_to_exitcode(status)
            return status if status is None else child.returncode, usage.ru_utime + usage.ru_stime
        time.sleep(pause)
        pause = min(2 * pause, 0.05)
