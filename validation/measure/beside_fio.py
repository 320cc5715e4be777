#!/usr/bin/env python3
"""Runs the instrument next to fio on a file, a loop device and files over device-mapper targets, and checks it from outside.

    beside_fio.py [--minutes 60] [--bin build/bin] [--folder .] [--targets file loop delay flakey error]

Runs pairs over all cells of target, pattern and depth until the minutes are over: both programs run the same job, one after
the other, in the other order in the next pair. Prints requests per second and CPU time per request of both, and the median of
the pairs' ratios; they are not judged, as shared machines are noisy. fio runs io_uring with registered file and buffers, as
the instrument does. Judged:

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
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import time

MIB = 1 << 20
SECTOR = 512
JOB = """[global]
filename={target}
direct=1
ioengine=io_uring
registerfiles=1
fixedbufs=1
bs=4k
offset={size_mib}m
size={size_mib}m
randrepeat=0
norandommap=1
time_based=1
runtime={seconds}
[j]
rw={pattern}
iodepth={depth}
"""
PATTERNS = {"read": "randread", "write": "randwrite", "mixed": "randrw"}


class Failed(Exception):
    pass


class Skipped(Exception):
    pass


def run(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(" ".join(command) + "\n" + done.stdout[-2000:] + done.stderr[-2000:])
    return done.stdout


def settle(path):
    """Syncs, as writes to data that are already dirty are cheaper on some targets. Also waits: a ring releases its file only
    some time after its process has ended, and the guard would see it open."""
    subprocess.run(["sync", path])
    time.sleep(0.1)


def job(path, pattern, depth, wanted, seconds=None):
    """Returns a job file for the middle third of the target."""
    return JOB.format(target=path, size_mib=wanted.size_mib, seconds=seconds or wanted.seconds, pattern=PATTERNS[pattern], depth=depth)


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


def turn(job, cpu_s):
    """Requests per second of one run, and CPU microseconds per request."""
    iops, requests = (sum(job[each][name] for each in ("read", "write")) for name in ("iops", "total_ios"))
    return iops, cpu_s / requests * 1e6


class Cell:
    """Pairs of runs of one target, pattern and depth."""

    def __init__(self, target, pattern, depth):
        self.target, self.pattern, self.depth = target, pattern, depth
        self.fio, self.ours = [], []

    def pair(self, wanted):
        """Runs both programs, in the other order than the last time."""
        (self.target.folder / "job.fio").write_text(job(self.target.path, self.pattern, self.depth, wanted))
        before = self.target.sectors()
        for run_one in (self.by_fio, self.by_ftlab) if len(self.fio) % 2 == 0 else (self.by_ftlab, self.by_fio):
            settle(str(self.target.path))
            run_one(wanted)
        if before is not None:
            self.target.seen += self.target.sectors() - before

    def by_fio(self, _):
        output = run(["fio", "--output-format=json", "job.fio"], self.target.folder)
        job = json.loads(output[output.index("{"):])["jobs"][0]
        self.target.said += job["write"]["io_bytes"] // SECTOR
        self.fio.append(turn(job, (job["usr_cpu"] + job["sys_cpu"]) / 100 * job["job_runtime"] / 1000))

    def by_ftlab(self, wanted):
        shutil.rmtree(self.target.folder / "out", ignore_errors=True)
        result = json.loads(run(measuring(self.target, wanted), self.target.folder))
        instrument = result["ftlab"]["instrument"]
        self.target.said += result["ftlab"]["traffic"]["host_write_bytes"] // SECTOR
        self.ours.append(turn(result["jobs"][0], instrument["user_s"] + instrument["system_s"]))

    def row(self):
        fio, ours = (list(zip(*turns)) for turns in (self.fio, self.ours))
        iops, cpu = zip(fio, ours)
        ratios = [statistics.median(ours / fio for fio, ours in zip(*both)) for both in (iops, cpu)]
        print(f"| {self.target.name} | {self.pattern} | {self.depth} | {len(self.fio)} | {statistics.median(iops[0]):.0f} | "
              f"{statistics.median(iops[1]):.0f} | {ratios[0]:.3f} | {statistics.median(cpu[0]):.1f} | "
              f"{statistics.median(cpu[1]):.1f} | {ratios[1]:.3f} |")  # fmt: skip


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
    """Runs pairs until the time is over, at least one a cell. Returns the cells."""
    cells = [Cell(target, pattern, depth) for target in targets if target.name not in ("flakey", "error")
             for pattern in wanted.patterns for depth in wanted.depths]  # fmt: skip
    until = time.monotonic() + 60 * wanted.minutes
    for cell in itertools.cycle(cells):
        if cells[-1].fio and time.monotonic() > until:
            break
        cell.pair(wanted)
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
    print("\n| target | pattern | depth | pairs | fio IOPS | ftlab IOPS | ratio | fio CPU us | ftlab CPU us | ratio |\n"
          "|---|---|---|---|---|---|---|---|---|---|")  # fmt: skip
    for cell in cells:
        cell.row()
    return [sentence for sentence in wrong if sentence]


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--bin", default="build/bin")
    parser.add_argument("--folder", default=".", help="a folder on a file system with direct I/O")
    parser.add_argument("--targets", nargs="+", choices=list(KINDS), default=list(KINDS), help="default: all")
    parser.add_argument("--patterns", nargs="+", choices=list(PATTERNS), default=list(PATTERNS), help="default: all")
    parser.add_argument("--depths", nargs="+", type=int, default=[1, 4, 32], help="default: 1 4 32")
    parser.add_argument("--seconds", type=int, default=2, help="length of a run")
    parser.add_argument("--size-mib", type=int, default=64, help="size of the range; the target is three times as large")
    wanted = parser.parse_args()
    if wanted.seconds < 1:
        parser.error(f"--seconds: {wanted.seconds} (allowed: from 1)")
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
