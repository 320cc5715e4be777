#!/usr/bin/env python3
"""Runs the instrument next to fio on a file, a loop device and files over device-mapper targets, and checks it from outside.

    beside_fio.py [--minutes 60] [--bin build/bin] [--folder .] [--targets file,loop,delay,flakey,error] [--watch-only]

Runs sessions over all cells of target, pattern and depth until the minutes are over. In a session both programs run the same
job and take turns of 0.1 s (`turns.py`): fio, the instrument twice, fio, and with the roles swapped in the next round.
Required: the ratio of requests per second is within 3 % in each cell, and in two thirds of the cells or more a request takes
the instrument no more CPU time than fio. --watch-only prints these without judging them, for shared machines. The ratio of a
cell is the Hodges-Lehmann estimate over its sessions, that of a session over its rounds: nearly as exact as a mean, and not
moved by a few bad rounds. Its standard error comes from the scatter of the sessions; a cell whose IOPS error is below 0.6 %
leaves its turn to others. The difference between fio's two turns of a round is also printed. Always judged:

- nothing outside the job's range has changed: in a file the bytes before and after it, by their hashes; on a loop device the
  holes of its backing file before and after it are still holes;
- the kernel counts as many sectors written to the loop device (/sys/block/*/stat) as the instrument and fio report;
- no other block device without a mounted file system was written during the run;
- on a failing medium (device-mapper `flakey`, `error`) the instrument ends with a refusal, and its folder says INCOMPLETE.

The instrument never takes a device-mapper node itself (rule R3: it is composed of others): its target is a file in a file
system on the node. Targets that need root or a feature that the kernel lacks are skipped with the reason. Exit status: 0 all
passed, 1 not."""

import argparse
import hashlib
import itertools
import json
import math
import operator
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import time

import against_fio
from against_fio import Failed, run, settle
from turns import Disk, Program, rounds

TOLERANCE = 0.03
SMALL_ERROR = 0.006  # a fifth of the tolerance
FEWEST_SESSIONS = 12  # needed to estimate an error
LAST_TURNS_S = 1  # no round begins this long before the job's stated end
BLOCK = 4096  # the job's block size
MIB = 1 << 20
SECTOR = 512
IOPS, CPU = operator.itemgetter(0), operator.itemgetter(1)  # of a turn: requests per second, CPU microseconds per request


class Skipped(Exception):
    pass


def job(target, pattern, depth, wanted, seconds=None):
    """Returns a job file for the middle third of the target."""
    text = against_fio.JOB.replace("size=SIZEm", f"offset={wanted.size_mib}m\nsize={wanted.size_mib}m")
    for name, value in {"TARGET": target, "SECONDS": seconds or wanted.seconds, "PATTERN": against_fio.PATTERNS[pattern],
                        "DEPTH": depth}.items():  # fmt: skip
        text = text.replace(name, str(value))
    return text


class Target:
    """A target of three thirds, of which the middle one is measured. `whole`: the other two hold data, not holes."""

    def __init__(self, name, folder, wanted, whole=True):
        self.name, self.folder, self.wanted, self.whole = name, folder, wanted, whole
        self.path = self.image = folder / "image"
        self.serial = "image"
        self.third = wanted.size_mib * MIB
        self.said = self.seen = 0  # sectors written, as counted by the programs and by the kernel
        folder.mkdir()
        with open(self.image, "wb") as image:
            image.truncate(3 * self.third)
            for part in range(3) if whole else (1,):
                image.seek(part * self.third)
                for _ in range(wanted.size_mib):
                    image.write(os.urandom(MIB))
            os.fsync(image.fileno())

    def outside(self):
        """Returns the contents of the first and last third: a hash, or the extents that hold data."""
        if not self.whole:
            found = []
            with open(self.image, "rb") as image:
                at = 0
                while at < 3 * self.third:
                    try:
                        at = os.lseek(image.fileno(), at, os.SEEK_DATA)
                    except OSError:
                        break  # holes up to the end
                    end = os.lseek(image.fileno(), at, os.SEEK_HOLE)
                    if at < self.third or end > 2 * self.third:
                        found.append((at, end))
                    at = end
            return found
        hashed = hashlib.sha256()
        with open(self.image, "rb") as image:
            for part in (0, 2):
                image.seek(part * self.third)
                for _ in range(self.wanted.size_mib):
                    hashed.update(image.read(MIB))
        return hashed.hexdigest()

    def sectors(self):
        """Returns the sectors written to it so far if it is a device, else None."""
        return sectors_written().get(self.path.name)

    def end(self):
        pass


class LoopTarget(Target):
    def __init__(self, name, folder, wanted):
        super().__init__(name, folder, wanted, whole=False)
        attached = subprocess.run(["losetup", "--find", "--show", "--direct-io=on", self.image], capture_output=True, text=True)
        if attached.returncode != 0:
            raise Skipped(attached.stderr.strip())
        self.path = pathlib.Path(attached.stdout.strip())

    def end(self):
        subprocess.run(["losetup", "--detach", self.path])


class MappedTarget(Target):
    """A file in a file system on a device-mapper node over a loop device."""

    def __init__(self, name, folder, wanted):
        known = subprocess.run(["dmsetup", "targets"], capture_output=True, text=True) if shutil.which("dmsetup") else None
        if known is None or known.returncode != 0:
            raise Skipped("no device-mapper: " + (known.stderr.strip().split("\n")[0] if known else "there is no dmsetup"))
        if name not in known.stdout.split():
            raise Skipped(f"the kernel has no target {name}")
        folder.mkdir()
        self.under, self.node, self.mounted = folder / "under", f"ftlab-{name}-{os.getpid()}", folder / "mounted"
        self.loop = None
        with open(self.under, "wb") as under:
            under.truncate((4 * 3 * wanted.size_mib + 64) * MIB)
        self.size = self.under.stat().st_size // SECTOR
        try:
            self.loop = run(["losetup", "--find", "--show", "--direct-io=on", str(self.under)], folder).strip()
            run(["dmsetup", "create", self.node, "--table", f"0 {self.size} linear {self.loop} 0"], folder)
            run(["mkfs.ext4", "-q", f"/dev/mapper/{self.node}"], folder)
            self.mounted.mkdir()
            run(["mount", f"/dev/mapper/{self.node}", str(self.mounted)], folder)
            super().__init__(name, self.mounted / "target", wanted)
        except Failed:
            self.end()
            raise
        self.folder = folder

    def becomes(self, table):
        run(["dmsetup", "suspend", "--noflush", "--nolockfs", self.node], self.folder)
        run(["dmsetup", "reload", self.node, "--table", table], self.folder)
        run(["dmsetup", "resume", self.node], self.folder)

    def fails(self):
        """Makes the device fail until is_whole() is called."""
        self.becomes(f"0 {self.size} error" if self.name == "error" else f"0 {self.size} flakey {self.loop} 0 1 1")

    def is_slow(self):
        self.becomes(f"0 {self.size} delay {self.loop} 0 1")

    def is_whole(self):
        self.becomes(f"0 {self.size} linear {self.loop} 0")

    def end(self):
        for command in (["umount", self.mounted], ["dmsetup", "remove", self.node], ["losetup", "--detach", self.loop]):
            if command[-1] is not None:
                subprocess.run(command, capture_output=True)


def sectors_written():
    """Returns the sectors written to each block device, as counted by the kernel."""
    return {path.parent.name: int(path.read_text().split()[6]) for path in pathlib.Path("/sys/block").glob("*/stat")}


def bystanders(targets):
    """Returns the sectors written to block devices that must stay untouched: without a mounted file system, and not ours."""
    with open("/proc/self/mountinfo", encoding="utf-8") as mounts:
        in_use = {os.path.basename(os.path.realpath(line.split(" - ")[1].split()[1])) for line in mounts}
    ours = {target.path.name for target in targets} | {os.path.basename(getattr(target, "loop", None) or "") for target in targets}
    return {name: sectors for name, sectors in sectors_written().items()
            if name not in ours and not name.startswith("dm-") and not any(used.startswith(name) for used in in_use)}  # fmt: skip


class Cell:
    """Sessions of one target, pattern and depth: lists of rounds. A round is two turns of fio and two of ours."""

    def __init__(self, target, pattern, depth):
        self.target, self.pattern, self.depth = target, pattern, depth
        self.sessions = []

    def hold(self, wanted):
        """Runs a session: both programs end when their job says so, the instrument first."""
        folder, path = self.target.folder, str(self.target.path)
        (folder / "job.fio").write_text(job(path, self.pattern, self.depth, wanted))
        shutil.rmtree(folder / "out", ignore_errors=True)
        settle(path)
        disk, before, until = Disk(path), self.target.sectors(), time.monotonic() + wanted.seconds - LAST_TURNS_S
        # The instrument refuses targets that others have open, so fio starts second.
        programs = []
        try:
            programs.append(Program(measuring(self.target, wanted), folder, disk, BLOCK))
            programs.append(Program(["fio", "--output-format=json", "job.fio"], folder, disk, BLOCK, forks=True))
            ours, fio = programs
            held = rounds(fio, ours, until)
            if not held:
                raise Failed(f"a session of {wanted.seconds} s is too short for a round: it ended before both ran")
            self.sessions.append(held)
            said = sectors_said_by_ftlab(ours.output()) + sectors_said_by_fio(fio.output())
        finally:
            for program in programs:
                program.kill()
        if before is not None:
            self.target.seen += self.target.sectors() - before
            self.target.said += said

    def ratios(self, of):
        """Returns for each session the logarithm of our value over fio's."""
        return [middle([sum(math.log(of(ours) / of(fio)) for fio, ours in zip(*both)) / 2 for both in session])
                for session in self.sessions]  # fmt: skip

    def is_known(self):
        return len(self.sessions) >= FEWEST_SESSIONS and standard_error(self.ratios(IOPS)) < SMALL_ERROR

    def row(self):
        held = [each for session in self.sessions for each in session]
        fios = [turn for fio, _ in held for turn in fio]
        apart = statistics.median(abs(math.log(IOPS(fio[0]) / IOPS(fio[1]))) for fio, _ in held)
        (ratio, error), (cpu, cpu_error) = (
            (math.exp(middle(ratios)), standard_error(ratios)) for ratios in (self.ratios(IOPS), self.ratios(CPU)))  # fmt: skip
        print(f"| {self.target.name} | {self.pattern} | {self.depth} | {len(self.sessions)} | {len(held)} | "
              f"{statistics.median(map(IOPS, fios)):.0f} | {ratio:.3f} | {error:.3f} | {apart:.3f} | "
              f"{statistics.median(map(CPU, fios)):.2f} | {cpu:.3f} | {cpu_error:.3f} |")  # fmt: skip
        return abs(ratio - 1) <= TOLERANCE, cpu <= 1


def sectors_said_by_ftlab(output):
    return json.loads(output)["ftlab"]["traffic"]["host_write_bytes"] // SECTOR


def sectors_said_by_fio(output):
    return json.loads(output[output.index("{"):])["jobs"][0]["write"]["io_bytes"] // SECTOR


def middle(values):
    """Returns the median of the means of all pairs (Hodges and Lehmann, 1963)."""
    return statistics.median((one + other) / 2 for one, other in itertools.combinations_with_replacement(values, 2))


def standard_error(values):
    """Returns the standard error of middle(values); nan for one value. 1.4826 turns a median deviation into a standard one;
    the variance of the estimate is pi/3 of a mean's if the scatter is normal."""
    if len(values) < 2:
        return math.nan
    centre = statistics.median(values)
    return math.sqrt(math.pi / 3) * 1.4826 * statistics.median(abs(one - centre) for one in values) / math.sqrt(len(values))


def measuring(target, wanted):
    return [os.path.join(wanted.bin, "ftlab-measure"), "job.fio", "--device", str(target.path), f"--destroy={target.serial}",
            "--out", "out", "--json"]  # fmt: skip


KINDS = {"file": Target, "loop": LoopTarget, "delay": MappedTarget, "flakey": MappedTarget, "error": MappedTarget}


def made(wanted, folder):
    targets = []
    for name in wanted.targets:
        try:
            targets.append(KINDS[name](name, folder / name, wanted))
        except (Skipped, Failed, PermissionError) as reason:
            print(f"skipped: {name}: {str(reason).strip()}", flush=True)
    return targets


def ends_on_errors(target, wanted):
    """Returns what is wrong with how the instrument ends on a failing medium; empty if nothing."""
    (target.folder / "job.fio").write_text(job(target.path, "write", 4, wanted, seconds=20))
    settle(str(target.path))
    measured = subprocess.Popen(measuring(target, wanted), cwd=target.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    time.sleep(2)
    target.fails()
    _, said = measured.communicate(timeout=120)
    target.is_whole()
    told = said.strip().split("\n")[0][:160]
    print(f"{target.name}: the instrument ended with status {measured.returncode}: {told}")
    if measured.returncode == 0:
        return f"{target.name}: the instrument did not notice"
    return "" if (target.folder / "out/INCOMPLETE").exists() else f"{target.name}: the result does not say that it is incomplete"


def compared(targets, wanted):
    """Runs sessions until the time is over. Returns the cells."""
    cells = [Cell(target, pattern, depth) for target in targets if target.name not in ("flakey", "error")
             for pattern in wanted.patterns for depth in wanted.depths]  # fmt: skip
    until = time.monotonic() + 60 * wanted.minutes
    for cell in itertools.cycle(cells):
        if cells[-1].sessions and time.monotonic() > until:
            break
        if not cell.is_known() or all(each.is_known() for each in cells):
            cell.hold(wanted)
    return cells


def watched(targets, wanted):
    """Returns what went wrong, as sentences."""
    before, others = {target.name: target.outside() for target in targets}, bystanders(targets)
    for target in targets:
        if target.name == "delay":
            target.is_slow()
    cells = compared(targets, wanted)
    wrong = [ends_on_errors(target, wanted) for target in targets if target.name in ("flakey", "error")]
    for target in targets:
        if target.outside() != before[target.name]:
            wrong.append(f"{target.name}: something was written outside of the range that the job names")
        if target.sectors() is not None:
            print(f"{target.name}: the kernel counts {target.seen} sectors written, the programs {target.said}")
            if target.seen != target.said:
                wrong.append(f"{target.name}: {target.seen} sectors were written where {target.said} were reported")
    after = sectors_written()
    wrong += [f"{name} was written in the meantime although it was not named" for name, sectors in others.items() if after.get(name) != sectors]
    print("\n| target | pattern | depth | sessions | rounds | fio IOPS | ratio | error | fio beside itself | fio CPU us | ratio | error |\n"
          "|---|---|---|---|---|---|---|---|---|---|---|---|")  # fmt: skip
    judged = [cell.row() for cell in cells]
    near, cheap = sum(one[0] for one in judged), sum(one[1] for one in judged)
    everywhere = [one for cell in cells for one in cell.ratios(IOPS)]
    if everywhere:
        print(f"\nIOPS within {TOLERANCE:.0%} of fio's in {near} of {len(judged)} cells, {math.exp(middle(everywhere)):.3f} "
              f"of them over all, standard error {standard_error(everywhere):.3f}; no more CPU time in {cheap} cells.")  # fmt: skip
    if not wanted.watch_only and (near < len(judged) or 3 * cheap < 2 * len(judged)):
        wrong.append("the instrument is not as fast, or not as cheap, as fio")
    return [sentence for sentence in wrong if sentence]


def listed(allowed):
    """Returns the type of an option: comma-separated words, each one of `allowed`."""
    def read(text):
        for word in text.split(","):
            if word not in allowed:
                raise argparse.ArgumentTypeError(f"there is no {word or 'empty word'} (allowed: {', '.join(allowed)})")
        return text.split(",")
    return read


def depths(text):
    if not all(word.isdigit() and 1 <= int(word) <= 4096 for word in text.split(",")):
        raise argparse.ArgumentTypeError(f"{text} (allowed: numbers from 1 to 4096, divided by commas)")
    return list(map(int, text.split(",")))


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--bin", default="build/bin")
    parser.add_argument("--folder", default=".", help="a folder on a file system with direct I/O")
    parser.add_argument("--targets", type=listed(KINDS), default=",".join(KINDS), help="default: %(default)s")
    parser.add_argument("--patterns", type=listed(("read", "write", "mixed")), default="read,write,mixed",
                        help="default: %(default)s")
    parser.add_argument("--depths", type=depths, default="1,4,32", help="default: %(default)s")
    parser.add_argument("--seconds", type=int, default=6, help="length of a session, from 3")
    parser.add_argument("--size-mib", type=int, default=64, help="size of the range; the target is three times as large")
    parser.add_argument("--watch-only", action="store_true")
    wanted = parser.parse_args()
    if wanted.seconds < 3:
        parser.error(f"--seconds: {wanted.seconds} (allowed: from 3; both programs start within them)")
    for name, needed in (("--folder", wanted.folder), ("--bin", os.path.join(wanted.bin, "ftlab-measure"))):
        if not os.path.exists(needed):
            parser.error(f"{name}: there is no {needed}")
    return wanted


def main():
    wanted = parse()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # runs `finally`, which detaches loop devices
    wanted.bin = os.path.abspath(wanted.bin)
    os.environ["PATH"] += ":/sbin:/usr/sbin"
    folder = pathlib.Path(wanted.folder).resolve() / f"beside-fio-{os.getpid()}"
    folder.mkdir()
    targets = []
    try:
        targets = made(wanted, folder)
        wrong = watched(targets, wanted)
    except Failed as failure:
        wrong = [str(failure)]
    finally:
        for target in targets:
            target.end()
        shutil.rmtree(folder, ignore_errors=True)
    for sentence in wrong:
        print(f"FAILED: {sentence}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
