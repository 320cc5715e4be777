"""A baseline to beat: a regression without knowledge of drives predicts the figures that a fit of the simulator predicts.

Two black boxes learn the logarithms of IOPS and mean latency from the logarithms of depth, jobs and requests outstanding,
the direction and, if there are several, the drive and the host: extremely randomised trees (relatives of gradient-boosted
trees; Geurts et al., Machine Learning 63, 2006) and a Gaussian process (Rasmussen, Williams, 2006) with one length scale for
each feature. Both are from scikit-learn. They are trained on exactly the points that the simulator was fitted to.
"""

import json
import math
import pathlib
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

MEASURED = pathlib.Path(__file__).resolve().parents[1] / "measured"


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
