#!/usr/bin/env python3
"""The instrument beside fio for as long as is asked, on a file, a loop device and files over device-mapper targets, watched from
outside.

    beside_fio.py [--minutes 60] [--bin build/bin] [--folder .] [--targets file,loop,delay,flakey,error] [--keep FILE]
                  [--watch-only]

Rounds are run until the minutes are over, over all cells of target, pattern and depth: fio, the instrument twice, fio, and the
other way about in the next round, so that a machine that becomes slower or faster meanwhile favours neither. The first half
second of a run does not count: at 32 writes in flight the speed rises by up to a quarter within the first 200 ms, the
instrument's earlier than fio's. A cell whose standard error is below 0.6 % leaves its turn to others. Held: the ratio of
requests a second is within 3 % in each cell, and a request takes the instrument no more CPU time than fio in two cells of
three; --watch-only prints these and does not judge them, for machines that others use. A ratio is the Hodges-Lehmann estimate
of its rounds: nearly as exact as a mean, and few bad rounds do not move it. Its standard error comes from the scatter of the
rounds; how far fio's two runs of a round lie apart is printed, too. An hour on a disk whose speed wanders is not enough for
small errors: --keep adds each round to FILE, and those of earlier calls with the same programs, sizes and lengths count as
well; another program's are refused. Always judged:

- nothing outside of the range that the job names has changed: of a file the bytes before and behind it, by their hashes; of a
  loop device the holes of its backing file before and behind it are holes still;
- the kernel counts as many sectors written to the loop device (/sys/block/*/stat) during the instrument's runs as these say;
- no other block device without a mounted file system was written meanwhile;
- on a medium that fails (device-mapper `flakey`, `error`) the instrument ends with a refusal, and its folder says INCOMPLETE.

The instrument never takes a device-mapper node itself (rule R3: it is composed of others): its target there is a file in a file
system on the node. What the kernel lacks, or root is needed for, is skipped with the reason. Exit status: 0 all held, 1 not."""

import argparse
import hashlib
import itertools
import json
import math
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

TOLERANCE = 0.03
RAMP = "500ms"
SMALL_ERROR = 0.006  # a fifth of the tolerance
FEWEST_ROUNDS = 20  # whose scatter tells an error
MIB = 1 << 20
SECTOR = 512


class Skipped(Exception):
    pass


def job(target, pattern, depth, wanted, seconds=None):
    """The middle third of the target, and nothing else, is named."""
    text = against_fio.JOB.replace("size=SIZEm", f"offset={wanted.size_mib}m\nsize={wanted.size_mib}m\nramp_time={RAMP}")
    for name, value in {"TARGET": target, "SECONDS": seconds or wanted.seconds, "PATTERN": against_fio.PATTERNS[pattern],
                        "DEPTH": depth}.items():  # fmt: skip
        text = text.replace(name, str(value))
    return text


class Target:
    """Three thirds, of which the middle one is measured. `whole`: the others hold data, not holes."""

    def __init__(self, name, folder, wanted, whole=True):
        self.name, self.folder, self.wanted, self.whole = name, folder, wanted, whole
        self.path = self.image = folder / "image"
        self.serial = "image"
        self.third = wanted.size_mib * MIB
        self.said = self.seen = 0  # sectors written, by the instrument and by the kernel
        folder.mkdir()
        with open(self.image, "wb") as image:
            image.truncate(3 * self.third)
            for part in range(3) if whole else (1,):
                image.seek(part * self.third)
                for _ in range(wanted.size_mib):
                    image.write(os.urandom(MIB))
            os.fsync(image.fileno())

    def outside(self):
        """What the first and the last third hold: a hash, or where data are."""
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
        """Written to it since it was made, if it is a device."""
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
        """From now on, until it is whole again."""
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
    """By block device, what the kernel has counted."""
    return {path.parent.name: int(path.read_text().split()[6]) for path in pathlib.Path("/sys/block").glob("*/stat")}


def bystanders(targets):
    """Block devices that nobody should write to: without a mounted file system, and none of ours."""
    with open("/proc/self/mountinfo", encoding="utf-8") as mounts:
        in_use = {os.path.basename(os.path.realpath(line.split(" - ")[1].split()[1])) for line in mounts}
    ours = {target.path.name for target in targets} | {os.path.basename(getattr(target, "loop", None) or "") for target in targets}
    return {name: sectors for name, sectors in sectors_written().items()
            if name not in ours and not name.startswith("dm-") and not any(used.startswith(name) for used in in_use)}  # fmt: skip


class Kept:
    """Rounds of this and earlier calls, in a file that grows by a line a round; without a path of this call only."""

    def __init__(self, path, wanted):
        self.path, self.rounds = path, []
        if path is None:
            return
        instrument = hashlib.sha256(pathlib.Path(wanted.bin, "ftlab-measure").read_bytes()).hexdigest()
        programs = {"instrument": instrument[:16], "fio": run(["fio", "--version"], ".").strip(), "kernel": os.uname().release,
                    "ramp": RAMP, "seconds": wanted.seconds, "size_mib": wanted.size_mib}  # fmt: skip
        if not path.exists():
            path.write_text(json.dumps(programs) + "\n")
        try:
            before, *self.rounds = map(json.loads, path.read_text().splitlines())
        except ValueError:
            raise Failed(f"{path}: not a whole file of rounds") from None
        if before != programs:
            raise Failed(f"{path}: its rounds are of {json.dumps(before)}, these would be of {json.dumps(programs)}")

    def of(self, name):
        """Of a cell, each as the two runs of fio and the two of ours: requests a second and CPU microseconds of one."""
        return [(kept["fio"], kept["ftlab"]) for kept in self.rounds if kept["cell"] == list(name)]

    def add(self, name, fio, ours):
        self.rounds.append({"cell": list(name), "fio": fio, "ftlab": ours})
        if self.path is not None:
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps(self.rounds[-1]) + "\n")


class Cell:
    def __init__(self, target, pattern, depth, kept):
        self.target, self.pattern, self.depth, self.kept = target, pattern, depth, kept
        self.name = (target.name, pattern, depth)
        self.fio, self.ours = [], []
        for fio, ours in kept.of(self.name):
            self.fio += fio
            self.ours += ours

    def round(self, turn, wanted):
        folder = self.target.folder
        (folder / "job.fio").write_text(job(self.target.path, self.pattern, self.depth, wanted))
        outer, inner = (self.by_fio, self.by_ftlab) if turn % 2 == 0 else (self.by_ftlab, self.by_fio)
        for by in (outer, inner, inner, outer):
            settle(str(self.target.path))
            by(folder, wanted)
        self.kept.add(self.name, self.fio[-2:], self.ours[-2:])

    def is_known(self):
        return len(self.ratios()) >= FEWEST_ROUNDS and standard_error(self.ratios()) < SMALL_ERROR

    def by_fio(self, folder, _):
        text = run(["fio", "--output-format=json", "job.fio"], folder)
        result = json.loads(text[text.index("{"):])
        one = result["jobs"][0]
        requests, iops = against_fio.totals(one)
        self.fio.append((iops, (one["usr_cpu"] + one["sys_cpu"]) / 100 * one["job_runtime"] / 1000 / requests * 1e6))

    def by_ftlab(self, folder, wanted):
        shutil.rmtree(folder / "out", ignore_errors=True)
        before = self.target.sectors()
        result = json.loads(run(measuring(self.target, wanted), folder))
        if before is not None:
            self.target.seen += self.target.sectors() - before
            self.target.said += result["ftlab"]["traffic"]["host_write_bytes"] // SECTOR
        _, iops = against_fio.totals(result["jobs"][0])
        self.ours.append((iops, result["ftlab"]["instrument"]["cpu_ns_per_request"] / 1000))

    def ratios(self):
        """Of each round the logarithm of our requests a second by fio's."""
        return [(ours + more_ours - fio - more_fio) / 2
                for (ours, more_ours), (fio, more_fio) in zip(in_rounds(self.ours), in_rounds(self.fio))]  # fmt: skip

    def row(self):
        ratios = self.ratios()
        ratio = math.exp(middle(ratios))
        apart = statistics.median(abs(one - other) for one, other in in_rounds(self.fio))
        cpu = [statistics.median(run[1] for run in runs) for runs in (self.fio, self.ours)]
        print(f"| {self.target.name} | {self.pattern} | {self.depth} | {len(ratios)} | {ratio:.3f} | "
              f"{standard_error(ratios):.3f} | {apart:.3f} | {cpu[0]:.1f} | {cpu[1]:.1f} |")  # fmt: skip
        return abs(ratio - 1) <= TOLERANCE, cpu[1] <= cpu[0]


def in_rounds(runs):
    """The logarithms of the requests a second of the two runs of each round."""
    logarithms = [math.log(run[0]) for run in runs]
    return list(zip(logarithms[0::2], logarithms[1::2]))


def middle(values):
    """Of the means of all pairs the median (Hodges and Lehmann, 1963)."""
    return statistics.median((one + other) / 2 for one, other in itertools.combinations_with_replacement(values, 2))


def standard_error(values):
    """Of their middle; of one nothing is known. 1.4826 makes a median deviation a standard one; the estimate's own variance is
    pi/3 of a mean's where the scatter is normal."""
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
    """What is wrong with how the instrument leaves a medium that fails; nothing: it is as promised."""
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


def compared(targets, kept, wanted):
    """Cells, after rounds that fill the time."""
    cells = [Cell(target, pattern, depth, kept) for target in targets if target.name not in ("flakey", "error")
             for pattern in wanted.patterns for depth in wanted.depths]  # fmt: skip
    until, turn = time.monotonic() + 60 * wanted.minutes, 0
    while cells and (turn == 0 or time.monotonic() < until):
        for cell in [cell for cell in cells if not cell.is_known()] or cells:
            if turn > 0 and time.monotonic() > until:
                break
            cell.round(turn, wanted)
        turn += 1
    return cells


def watched(targets, kept, wanted):
    """What went wrong, as sentences."""
    before, others = {target.name: target.outside() for target in targets}, bystanders(targets)
    for target in targets:
        if target.name == "delay":
            target.is_slow()
    cells = compared(targets, kept, wanted)
    wrong = [ends_on_errors(target, wanted) for target in targets if target.name in ("flakey", "error")]
    for target in targets:
        if target.outside() != before[target.name]:
            wrong.append(f"{target.name}: something was written outside of the range that the job names")
        if target.sectors() is not None:
            print(f"{target.name}: the kernel counts {target.seen} sectors written by the instrument, which says {target.said}")
            if target.seen != target.said:
                wrong.append(f"{target.name}: {target.seen} sectors were written where {target.said} were reported")
    after = sectors_written()
    wrong += [f"{name} was written meanwhile, which nobody named" for name, sectors in others.items() if after.get(name) != sectors]
    print("\n| target | pattern | depth | rounds | ratio of IOPS | standard error | fio beside itself | fio CPU us | ftlab CPU us |\n"
          "|---|---|---|---|---|---|---|---|---|")  # fmt: skip
    judged = [cell.row() for cell in cells if cell.ours]
    near, cheap = sum(one[0] for one in judged), sum(one[1] for one in judged)
    everywhere = [one for cell in cells for one in cell.ratios()]
    if everywhere:
        print(f"\nIOPS within {TOLERANCE:.0%} of fio's in {near} of {len(judged)} cells, {math.exp(middle(everywhere)):.3f} "
              f"of them over all, standard error {standard_error(everywhere):.3f}; no more CPU time in {cheap} cells.")  # fmt: skip
    if not wanted.watch_only and (near < len(judged) or 3 * cheap < 2 * len(judged)):
        wrong.append("the instrument is not as fast, or not as cheap, as fio")
    return [sentence for sentence in wrong if sentence]


def listed(allowed):
    """An option's words, divided by commas, each of which must be one of those."""
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
    parser.add_argument("--seconds", type=int, default=1, help="of one run that count")
    parser.add_argument("--size-mib", type=int, default=64, help="of the range; the target is three times as large")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FILE", help="where rounds add up over calls")
    parser.add_argument("--watch-only", action="store_true")
    wanted = parser.parse_args()
    for name, needed in (("--folder", wanted.folder), ("--bin", os.path.join(wanted.bin, "ftlab-measure"))):
        if not os.path.exists(needed):
            parser.error(f"{name}: there is no {needed}")
    return wanted


def main():
    wanted = parse()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # by way of `finally`: loop devices are let go
    wanted.bin = os.path.abspath(wanted.bin)
    os.environ["PATH"] += ":/sbin:/usr/sbin"
    folder = pathlib.Path(wanted.folder).resolve() / f"beside-fio-{os.getpid()}"
    folder.mkdir()
    targets = []
    try:
        kept = Kept(wanted.keep, wanted)
        targets = made(wanted, folder)
        wrong = watched(targets, kept, wanted)
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
