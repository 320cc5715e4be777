#!/usr/bin/env python3
"""Compares ftlab-measure with fio on the same job: requests per second, and CPU time per request.

    against_fio.py [--bin build/bin] [--folder .] [--targets file,loop] [--pairs 5] [--seconds 2] [--size-mib 128]

Each pair is one run of both, in alternating order. Prints the medians of both and the median of the pairs' ratios. fio runs
io_uring with registered file and buffers, as ftlab-measure does. The target is synced before each run: ftlab-measure flushes
its record at the start anyway, and if a drive has a cache, or is a file of another computer, writes to data that are already
dirty are cheaper. fio trims block devices only. A loop device needs root.
For people: machines are noisy, so this is not a test.
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import time

JOB = """[global]
filename=TARGET
direct=1
ioengine=io_uring
registerfiles=1
fixedbufs=1
bs=4k
size=SIZEm
randrepeat=0
norandommap=1
time_based=1
runtime=SECONDS
[j]
rw=PATTERN
iodepth=DEPTH
"""
PATTERNS = {"read": "randread", "write": "randwrite", "mixed": "randrw", "trim": "randtrim"}


class Failed(Exception):
    pass


def run(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(" ".join(command) + "\n" + done.stdout[-2000:] + done.stderr[-2000:])
    return done.stdout


def totals(job):
    return sum(job[d]["total_ios"] for d in ("read", "write", "trim")), sum(job[d]["iops"] for d in ("read", "write", "trim"))


# Also waits: a ring releases its file only some time after its process has ended, and the guard would see it open.
def settle(target):
    subprocess.run(["sync", target])
    time.sleep(0.1)


def by_fio(job_file, folder):
    text = run(["fio", "--output-format=json", job_file], folder)
    job = json.loads(text[text.index("{"):])["jobs"][0]
    requests, iops = totals(job)
    cpu_s = (job["usr_cpu"] + job["sys_cpu"]) / 100 * job["job_runtime"] / 1000
    return iops, cpu_s / requests * 1e6


def by_ftlab(arguments, job_file, target, serial, folder):
    shutil.rmtree(os.path.join(folder, "out"), ignore_errors=True)
    text = run([os.path.join(arguments.bin, "ftlab-measure"), job_file, "--device", target, "--destroy", serial,
                "--allow-discard", "--out", "out", "--json"], folder)
    result = json.loads(text)
    requests, iops = totals(result["jobs"][0])
    instrument = result["ftlab"]["instrument"]
    return iops, (instrument["user_s"] + instrument["system_s"]) / requests * 1e6


def compare(arguments, kind, target, serial, pattern, depth, folder):
    text = JOB
    for name, value in {"TARGET": target, "SIZE": arguments.size_mib, "SECONDS": arguments.seconds,
                        "PATTERN": PATTERNS[pattern], "DEPTH": depth}.items():
        text = text.replace(name, str(value))
    if pattern == "trim":  # fio cannot trim with registered files and buffers
        text = text.replace("registerfiles=1\n", "").replace("fixedbufs=1\n", "")
    with open(os.path.join(folder, "job.fio"), "w") as file:
        file.write(text)
    fio, ours = [], []
    for pair in range(arguments.pairs):
        for first in (pair % 2 == 0, pair % 2 == 1):
            settle(target)
            if first:
                fio.append(by_fio("job.fio", folder))
            else:
                ours.append(by_ftlab(arguments, "job.fio", target, serial, folder))
    ratio = statistics.median(o[0] / f[0] for o, f in zip(ours, fio))
    middle = [statistics.median(x) for x in ([f[0] for f in fio], [o[0] for o in ours], [f[1] for f in fio], [o[1] for o in ours])]
    print(f"| {kind} | {pattern} | {depth} | {middle[0]:.0f} | {middle[1]:.0f} | {ratio:.3f} | {middle[2]:.1f} | {middle[3]:.1f} |",
          flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="build/bin")
    parser.add_argument("--folder", default=".", help="a folder on a file system with direct I/O")
    parser.add_argument("--targets", default="file,loop")
    parser.add_argument("--patterns", default="read,write,mixed,trim")
    parser.add_argument("--depths", default="1,4,32")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=2)
    parser.add_argument("--size-mib", type=int, default=128)
    arguments = parser.parse_args()
    arguments.bin = os.path.abspath(arguments.bin)
    folder = os.path.join(os.path.abspath(arguments.folder), f"against-fio-{os.getpid()}")
    os.makedirs(folder)
    print("| target | pattern | depth | fio IOPS | ftlab IOPS | ratio | fio CPU us | ftlab CPU us |\n|---|---|---|---|---|---|---|---|")
    loop = None
    try:
        image = os.path.join(folder, "image")
        run(["dd", "if=/dev/urandom", f"of={image}", "bs=1M", f"count={arguments.size_mib}", "status=none"], folder)
        for kind in arguments.targets.split(","):
            target, serial = image, "image"
            if kind == "loop":
                loop = run(["losetup", "--find", "--show", "--direct-io=on", image], folder).strip()
                target, serial = loop, "image"
            for pattern in arguments.patterns.split(","):
                for depth in arguments.depths.split(","):
                    if kind == "loop" or pattern != "trim":
                        compare(arguments, kind, target, serial, pattern, int(depth), folder)
    except Failed as failure:
        sys.exit(str(failure))
    finally:
        if loop:
            subprocess.run(["losetup", "--detach", loop])
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
