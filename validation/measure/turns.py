"""Programs that take turns of 0.1 s on one target: while one runs, the others are stopped (SIGSTOP).

A shared disk varies by a tenth from second to second as well as from minute to minute. Two programs that run one after the
other for a second each see different disks; turns of a tenth of a second are as good each, and far more of them fit into an
hour. The work of a program in its turn is taken from the kernel's accounts of its process, not from its own report."""

import os
import pathlib
import signal
import subprocess
import time

from against_fio import Failed

AWAKE_S = 0.02  # not counted at the start of a turn: requests that completed during the stop are reaped at once
COUNTED_S = 0.08  # 0.03 to 0.2 s give similar errors, 0.4 to 0.6 % in 200 s of one job on a disk that varies by a tenth
LOOK_S = 0.02
PATIENCE_S = 30


def bytes_moved(process):
    """Returns the bytes that the process moved to and from block devices; the kernel counts them at submission."""
    lines = pathlib.Path(f"/proc/{process}/io").read_text().splitlines()
    counted = dict(line.split(": ") for line in lines)
    return int(counted["read_bytes"]) + int(counted["write_bytes"])


def cpu_ns(process):
    """Returns the CPU time of its threads, user and system. Kernel threads of a ring come and go, with their time."""
    sum_ns = 0
    for thread in pathlib.Path(f"/proc/{process}/task").iterdir():
        try:
            sum_ns += int((thread / "schedstat").read_text().split()[0])
        except OSError:
            continue  # has ended in the meantime
    return sum_ns


def children(process):
    """Returns the live child processes of the process."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue  # has ended in the meantime
        if parent == process:
            found.append(int(entry.name))
    return found


class Disk:
    """The disk under a file or a block device."""

    def __init__(self, path):
        status = os.stat(path)
        device = status.st_rdev or status.st_dev
        self.in_flight = pathlib.Path(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}/inflight")

    def drains(self):
        """Waits until nothing is in flight, at most 50 ms: others may use it, and some file systems do not name theirs."""
        until = time.monotonic() + 0.05
        while time.monotonic() < until and self.is_busy():
            time.sleep(0.001)

    def is_busy(self):
        return not self.in_flight.exists() or self.in_flight.read_text().split() != ["0", "0"]


class Program:
    """A program that makes requests of a fixed size for as long as its job says: started, seen to work, and stopped.
    With `forks`, its only child makes them."""

    def __init__(self, command, folder, disk, block_bytes, forks=False):
        self.command, self.disk, self.block_bytes = command, disk, block_bytes
        self.process = None
        self.started = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            self.process = self.found_child() if forks else self.started.pid
            self.until_at_work()
        except BaseException:
            self.kill()
            raise
        self.stop()

    def found_child(self):
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until and self.started.poll() is None:
            if found := children(self.started.pid):
                return found[0]
            time.sleep(LOOK_S)
        raise self.failed("has started no process")

    def until_at_work(self):
        """Waits until five looks in a row each find more bytes moved than the look before."""
        until, before, in_a_row = time.monotonic() + PATIENCE_S, bytes_moved(self.process), 0
        while in_a_row < 5:
            time.sleep(LOOK_S)
            if time.monotonic() > until or self.started.poll() is not None:
                raise self.failed("makes no requests")
            now = bytes_moved(self.process)
            in_a_row, before = (in_a_row + 1 if now > before else 0), now

    def failed(self, what):
        self.kill()
        return Failed(" ".join(self.command) + f": {what}\n" + "".join(self.started.communicate())[-2000:])

    def go_on(self):
        os.kill(self.process, signal.SIGCONT)

    def stop(self):
        """Stops it, and waits until its requests in flight are done."""
        os.kill(self.process, signal.SIGSTOP)
        self.disk.drains()

    def account(self):
        return time.perf_counter(), bytes_moved(self.process), cpu_ns(self.process)

    def turn(self):
        """Returns requests per second, and CPU microseconds per request."""
        try:
            return self.counted()
        except OSError as error:
            raise self.failed(f"has ended in its turn ({error})") from None

    def counted(self):
        self.go_on()
        time.sleep(AWAKE_S)
        began, moved_before, cpu_before = self.account()
        time.sleep(COUNTED_S)
        ended, moved, cpu = self.account()
        self.stop()
        requests = (moved - moved_before) / self.block_bytes
        if requests == 0:
            raise self.failed("made no request in a turn")
        return requests / (ended - began), (cpu - cpu_before) / 1000 / requests

    def output(self):
        """Waits for the end that its job states, and returns its output."""
        self.go_on()
        out, error = self.started.communicate()
        if self.started.returncode != 0:
            raise Failed(" ".join(self.command) + "\n" + out[-2000:] + error[-2000:])
        return out

    def kill(self):
        """Kills the program unless it has ended: its numbers may then belong to another process."""
        if self.started.poll() is not None:
            return
        for process in {self.process or self.started.pid, self.started.pid}:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.started.wait()


def rounds(one, other, until):
    """Returns for each round two turns of each program: one, other, other, one, and with swapped roles in the next round, so
    that a drift of the disk favours neither. Ends after `until` (of time.monotonic()), with a whole round."""
    found = []
    while time.monotonic() < until:
        outer, inner = (one, other) if len(found) % 2 == 0 else (other, one)
        first, second, third, fourth = (program.turn() for program in (outer, inner, inner, outer))
        found.append(([first, fourth], [second, third]) if outer is one else ([second, third], [first, fourth]))
    return found
