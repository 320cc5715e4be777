#!/usr/bin/env python3
"""Predicts each measured drive: held-back points of its sweep, and other hosts, next to a regression that knows no drives.

    validation/calibrate/measured_drives.py OUT [--ftlab build/bin/ftlab] [--requests 300] [--threads 0] [--only DRIVE...]

OUT is a folder for the reports of the steps. A step whose report exists is skipped, so an interrupted run can be continued.
The last step prints the table and writes OUT/table.csv. Needs scikit-learn, which `.ci/setup prediction` installs into
.venv: start it with .venv/bin/python. Takes some twenty minutes on two idle cores.

Steps:
  hold-DRIVE    fits the drive, starting from another drive's file of the library, to two thirds of the depths of its sweep,
                with one and two jobs; drive and host together
  check-DRIVE   compares the result with the whole sweep; the table has the other third of the depths, with 1 to 64 jobs
  host-HOST-of-DRIVE
                fits keys of a host's file to 24 of 98 points of this drive on that host; the drive's file is the one fitted
                to its sweep at 3 Gb/s
  move-DRIVE-HOST
                simulates this drive, as fitted to its sweep at 3 Gb/s, on that host, as fitted with another drive: no
                measurement of this drive on this host was used

The regression is two black boxes that learn the logarithms of IOPS and mean latency from the logarithms of depth, jobs and
requests outstanding, the direction and, if there are several, the drive and the host: extremely randomised trees (relatives
of gradient-boosted trees; Geurts et al., Machine Learning 63, 2006) and a Gaussian process (Rasmussen, Williams, 2006) with
one length scale for each feature. They are trained on exactly the points that the simulator was fitted to.
"""

import argparse
import csv
import json
import math
import pathlib
import subprocess
import sys
import warnings

try:
    import numpy
    from sklearn.ensemble import ExtraTreesRegressor
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
except ModuleNotFoundError as missing:
    raise SystemExit(f"{missing.name} is missing: `.ci/setup prediction` installs scikit-learn into .venv; then start this "
                     f"with .venv/bin/python instead of {sys.executable}") from None

TREE = pathlib.Path(__file__).resolve().parents[2]
MEASURED = TREE / "validation/measured"
GEN8, GEN10, M1015, DEADLINE = "hp-microserver-gen8", "hp-microserver-gen10", "ibm-m1015", "linux-deadline"

SSD_KEYS = ["nand.read_ns", "controller.write_latency_ns"]
PORT_KEYS = ["host.read_submit_ns", "host.write_submit_ns", "host.port.read_command_ns", "host.port.write_command_ns"]
ADAPTER_KEYS = [*PORT_KEYS, "host.port.submit_ns", "host.port.complete_ns"]
DISK_KEYS = ["seek.long_base_ns:7000000:20000000", "seek.long_per_1000_cylinders_ns:10000:900000",
             "controller.read_command_ns", "controller.write_command_ns", "queue.arrival_margin_ns:0:10000000",
             "write_cache.candidates:1:64", "lost_revolutions.read_per_million:1000:400000",
             "lost_revolutions.write_per_million:1000:800000"]

# Points of a sweep that are fitted. The others only repeat what a saturated port shows, and take long.
JOBS, HELD_BACK = (1, 2), (2, 16)
FITTED = "jobs=" + "+".join(map(str, JOBS))

START = '{"value": %d, "from": "assumed", "source": "a start"}'

# Drive: its sweep at 3 Gb/s, the library drive to start from, known settings, keys to fit.
SSD = ["--host", GEN8, "--scale", "32"]
HOLD = {
    "intel-d3-s4610": ("intel_d3_s4610_sata3g", "samsung-pm883-480", SSD, SSD_KEYS + PORT_KEYS),
    "samsung-pm883": ("samsung_pm883_sata3g", "intel-d3-s4610-480", SSD, SSD_KEYS + PORT_KEYS),
    # The measurement describes it as aged.
    "crucial-mx200": ("crucial_mx200_sata3g", "intel-d3-s4610-480", [*SSD, "--state", "random"], [*SSD_KEYS, "nand.program_ns", *PORT_KEYS]),
    # The label states the rotation speed. The start disk has no lost revolutions, so these start above 0. Its long seeks
    # just meet the short ones, so they start higher.
    "hgst-7k100": ("hdd_hgst_7k_100", "wd-scorpio-blue",
                   ["--host", DEADLINE, "--set", "spindle.rpm=7200", "--set", "seek.long_base_ns=8000000", "--set", f"queue.arrival_margin_ns={START % 1000000}",
                    "--set", f'lost_revolutions={{"read_per_million": {START % 10000}, "write_per_million": {START % 100000}}}'],
                   DISK_KEYS),
}
# A disk's access times vary widely: with 300 accesses a rate has a random error of 3 %.
REQUESTS = {"hgst-7k100": 3000}
SAS = {"intel-d3-s4610": "intel_d3_s4610_sas6g", "samsung-pm883": "samsung_pm883_sas6g"}
OTHER = {"intel-d3-s4610": "samsung-pm883", "samsung-pm883": "intel-d3-s4610"}


# Columns of the table: most points of a sweep are the port's ceiling, so those below it are told apart.
SIMULATED = ("simulation", "below saturation")


class Points:
    """The points of one sweep of a drive on a host."""

    def __init__(self, name, drive, host):
        self.name, self.drive, self.host = name, drive, host
        self.points = json.loads((MEASURED / f"{name}.json").read_text())["points"]


def features(sweep, drives, hosts):
    rows = []
    for point in sweep.points:
        depth, jobs = math.log2(point["iodepth"]), math.log2(point["numjobs"])
        row = [depth, jobs, depth + jobs, 4.0 * (point["rw"] == "randwrite")]
        row += [4.0 * (sweep.drive == drive) for drive in drives] + [4.0 * (sweep.host == host) for host in hosts]
        rows.append(row)
    return rows


def targets(sweep):
    return [[math.log(point["iops"]), math.log(point["clat_mean_us"])] for point in sweep.points]


def trees():
    return ExtraTreesRegressor(n_estimators=400, random_state=1)


class GaussianProcess:
    """One process per figure, after normalising the figures by mean and standard deviation."""

    def fit(self, x, y):
        x, y = numpy.array(x), numpy.array(y)
        self.mean, self.scale = y.mean(axis=0), y.std(axis=0)
        kernel = ConstantKernel(1.0) * RBF([2.0] * x.shape[1], (0.1, 100)) + WhiteKernel(1e-3, (1e-6, 1))
        self.parts = []
        for figure in range(y.shape[1]):
            part = GaussianProcessRegressor(kernel, n_restarts_optimizer=2, random_state=1)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                part.fit(x, (y[:, figure] - self.mean[figure]) / self.scale[figure])
            self.parts.append(part)
        return self

    def predict(self, x):
        return numpy.column_stack([part.predict(numpy.array(x)) for part in self.parts]) * self.scale + self.mean


MODELS = {"trees": trees, "Gaussian process": GaussianProcess}


def spread(errors):
    """Median and 95th percentile, computed as in `ftlab calibrate`."""
    errors = sorted(errors)
    count = len(errors)
    return (errors[(count - 1) // 2] + errors[count // 2]) / 2, errors[(count * 95 + 99) // 100 - 1]


def errors_of(predicted, measured):
    return numpy.abs(numpy.exp(numpy.array(predicted) - numpy.array(measured)) - 1).ravel().tolist()


def held_back_errors(sweep, depths, jobs):
    """Trains on the sweep's points with these numbers of jobs, without these depths. Errors at these depths, by model."""
    held = numpy.array([point["iodepth"] in depths for point in sweep.points])
    learnt = numpy.array([point["numjobs"] in jobs for point in sweep.points]) & ~held
    x, y = numpy.array(features(sweep, [], [])), numpy.array(targets(sweep))
    return {name: spread(errors_of(make().fit(x[learnt], y[learnt]).predict(x[held]), y[held])) for name, make in MODELS.items()}


def transfer_errors(learnt, asked):
    """Trains on whole sweeps of drives and hosts. Errors on another sweep, which was not used in training, by model."""
    drives = sorted({sweep.drive for sweep in [*learnt, asked]})
    hosts = sorted({sweep.host for sweep in [*learnt, asked]})
    x = [row for sweep in learnt for row in features(sweep, drives, hosts)]
    y = [row for sweep in learnt for row in targets(sweep)]
    known = features(asked, drives, hosts)
    return {name: spread(errors_of(make().fit(x, y).predict(known), targets(asked))) for name, make in MODELS.items()}


class Steps:
    def __init__(self, options):
        self.out, self.ftlab = options.out.resolve(), str(options.ftlab.resolve())
        self.requests, self.threads = options.requests, options.threads
        self.out.mkdir(parents=True, exist_ok=True)

    def calibrate(self, step, words, requests=None):
        if (self.out / step).exists():
            return
        for file in (*self.out.glob(f"{step}.drive.json"), *self.out.glob(f"{step}.host.json")):
            file.unlink()  # left by an interrupted run
        report = ["--report", str(self.out / step)]
        common = ["--figures", "iops,mean", "--requests", str(requests or self.requests), "--threads", str(self.threads)]
        run = subprocess.run([self.ftlab, "calibrate", *words, *report, *common], capture_output=True, text=True, check=False)
        if run.returncode not in (0, 4):
            raise SystemExit(f"{step}: {run.stderr}")
        (self.out / f"{step}.txt").write_text(run.stdout)
        print(step, "|", run.stdout.splitlines()[0], flush=True)

    def hold(self, drive):
        sweep, start, known, keys = HOLD[drive]
        step = f"hold-{drive}"
        out = ["--out", str(self.out / f"{step}.drive.json")]
        host_is_fitted = any(key.startswith("host.") for key in keys)
        if host_is_fitted:
            out += ["--host-out", str(self.out / f"{step}.host.json")]
        measured = ["--measured", str(MEASURED / f"{sweep}.json")]
        self.calibrate(step, ["--drive", start, *measured, *known, "--only", FITTED, "--fit", *keys, *out], REQUESTS.get(drive))
        known = known[:known.index("--set")] if "--set" in known else list(known)  # the new file contains the settings
        if host_is_fitted:
            known[known.index("--host") + 1] = str(self.out / f"{step}.host.json")
        self.calibrate(f"check-{drive}", ["--drive", str(self.out / f"{step}.drive.json"), *measured, *known], REQUESTS.get(drive))

    def host(self, host, drive, sweep, keys, state="sequential"):
        step = f"host-{host}-of-{drive}"
        self.calibrate(step, ["--drive", str(self.out / f"hold-{drive}.drive.json"), "--measured", str(MEASURED / f"{sweep}.json"),
                              "--host", host, "--scale", "32", "--state", state, "--only", "jobs=1+8,depth=1+4+32",
                              "--hold-back", "none", "--fit", *keys, "--host-out", str(self.out / f"{step}.host.json")])

    def move(self, drive, host, sweep, host_file, state="sequential"):
        self.calibrate(f"move-{drive}-{host}",
                       ["--drive", str(self.out / f"hold-{drive}.drive.json"), "--measured", str(MEASURED / f"{sweep}.json"),
                        "--host", str(host_file), "--scale", "32", "--state", state])

    def errors(self, step, depths=None):
        """Spreads of errors, by column of the table, over all points or over those with some depths."""
        with open(self.out / step / "points.csv", newline="", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if depths is None or int(row["depth"]) in depths]
        below = [row for row in rows if row["saturated"] == "0"]
        return {column: spread([abs(float(row["error_after"])) for row in chosen])
                for column, chosen in zip(SIMULATED, (rows, below), strict=True)}


def sweeps():
    found = {name: Points(sweep, name, GEN8) for name, (sweep, *_) in HOLD.items()}
    found.update({f"{drive} sas": Points(sweep, drive, M1015) for drive, sweep in SAS.items()})
    found["intel gen10"] = Points("intel_d3_s4610_sata6g", "intel-d3-s4610", GEN10)
    return found


def table(steps):
    points, rows = sweeps(), []
    for drive in HOLD:
        rows.append((f"{drive}, depths held back", steps.errors(f"check-{drive}", HELD_BACK), held_back_errors(points[drive], HELD_BACK, JOBS)))
    ssds = ("intel-d3-s4610", "samsung-pm883", "crucial-mx200")
    for drive, other in OTHER.items():
        learnt = [*(points[ssd] for ssd in ssds), points[f"{other} sas"]]
        rows.append((f"{drive} behind {M1015}, host found with {other}", steps.errors(f"move-{drive}-{M1015}"),
                     transfer_errors(learnt, points[f"{drive} sas"])))
    learnt = [*(points[ssd] for ssd in ssds), *(points[f"{drive} sas"] for drive in SAS)]
    rows.append((f"intel-d3-s4610 behind {GEN10}, host from its description", steps.errors(f"move-intel-d3-s4610-{GEN10}"),
                 transfer_errors(learnt, points["intel gen10"])))
    return rows


def show(rows, path):
    models = list(MODELS)
    print(f"\n{'median / 95th percentile error of IOPS and mean latency':<66}" + "".join(f"{name:>20}" for name in (*SIMULATED, *models)))
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["what", "by", "median", "at_95"])
        for what, simulated, learnt in rows:
            all_of_them = {**simulated, **learnt}
            shown = [f"{100 * median:.1f} / {100 * at_95:.1f} %" for median, at_95 in all_of_them.values()]
            print(f"{what:<66}" + "".join(f"{text:>20}" for text in shown))
            writer.writerows([what, by, f"{median:.5f}", f"{at_95:.5f}"] for by, (median, at_95) in all_of_them.items())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--ftlab", type=pathlib.Path, default=TREE / "build/bin/ftlab")
    parser.add_argument("--requests", type=int, default=300)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--only", nargs="+", metavar="DRIVE", help="only the first step, of these drives", choices=list(HOLD))
    options = parser.parse_args()
    steps = Steps(options)
    for drive in options.only or HOLD:
        steps.hold(drive)
    if options.only:
        return
    for drive, other in OTHER.items():
        steps.host(M1015, other, SAS[other], ADAPTER_KEYS)
        steps.move(drive, M1015, SAS[drive], steps.out / f"host-{M1015}-of-{other}.host.json")
    # Most of its reads took 38 us there, faster than any flash: it held little data.
    steps.move("intel-d3-s4610", GEN10, "intel_d3_s4610_sata6g", GEN10, "sequential:15%")
    show(table(steps), steps.out / "table.csv")


if __name__ == "__main__":
    main()
