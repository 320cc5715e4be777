"""ftlab: a laboratory for flash translation layers.

    import ftlab

    drive = ftlab.Drive("kingston-ssdnow-v-64", {"ftl.gc.policy": "fifo"})
    result = drive.run(ftlab.Job("[w]\\nfilename=drive\\nrw=randwrite\\nbs=4k\\nruntime=60\\ntime_based\\n"))
    result.series.plot(x="t_s", y="write_MB_per_s")

Every simulation runs the same code as the program `ftlab`: the same drive, job and seed give byte-identical results.
Importing the package opens no device and writes nothing.
"""

from ftlab._core import version as __version__
from ftlab.analysis import drive_document, drives, gc_policies, hosts, theory, wa
from ftlab.blocks import Blocks
from ftlab.drive import Drive, run
from ftlab.errors import ConfigError, DriveError, InternalError, PolicyError
from ftlab.job import Job, Trace
from ftlab.policy import CachePolicy, Chance, GcPolicy, GcView, PlacementPolicy
from ftlab.problem import ProblemWarning
from ftlab.program import command, program_path
from ftlab.result import Estimate, Result
from ftlab.sweeps import Sweep, sweep

__all__ = [
    "Blocks", "CachePolicy", "Chance", "ConfigError", "Drive", "DriveError", "Estimate", "GcPolicy", "GcView",
    "InternalError",
    "Job", "PlacementPolicy", "PolicyError", "ProblemWarning", "Result", "Sweep", "Trace", "__version__", "command",
    "drive_document", "drives", "gc_policies", "hosts",
    "program_path", "run", "sweep", "theory", "wa",
]
