"""Reports of results: `python -m ftlab report DIR...` makes an offline HTML page, and PNG, SVG and CSV files.

Each function takes data frames and returns a `Picture` with the methods `.png()`, `.svg()`, `.specification()`
and `.table()`. Only drawing needs the extra `ftlab[report]`.
"""

from ftlab.report.figures.against import against_over_time, against_points
from ftlab.report.figures.blame import latency_blame
from ftlab.report.figures.collection import collection_over_time
from ftlab.report.command import report
from ftlab.report.figures.intervals import latencies_over_time, power_over_time, rates_over_time
from ftlab.report.figures.nines import nines
from ftlab.report.picture import Axis, Curve, Panel, Picture
from ftlab.report.figures.point_curves import bars_over_depth, curves_over_block_size, curves_over_depth
from ftlab.report.figures.spare import amplification_over_spare
from ftlab.report.figures.steady import steady_rounds, steady_run
from ftlab.report.figures.wear import amplification_parts, erase_histogram

__all__ = [
    "Axis", "Curve", "Panel", "Picture", "against_over_time", "against_points", "amplification_over_spare",
    "amplification_parts", "bars_over_depth", "collection_over_time", "curves_over_block_size", "curves_over_depth",
    "erase_histogram", "latencies_over_time", "latency_blame", "nines", "power_over_time", "rates_over_time",
    "report", "steady_rounds", "steady_run",
]
