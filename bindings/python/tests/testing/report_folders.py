"""Small result folders, written by hand so that tests know every number in them."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, Dict, List, Optional

SERIES_HEADER = ",".join((
    "t_s,length_s,read_MB_per_s,write_MB_per_s,trim_MB_per_s,read_iops,write_iops,trim_iops,wa,wa_cumulative",
    "free_superblocks,relocated_pages,block_erases",
    *(f"latency_{direction}_us_{figure}" for direction in ("read", "write", "trim")
      for figure in ("mean", "p50", "p99", "p99.9", "max")),
    "mapped_bytes,extents,mapping_hit_share,power_w"))
BINS = {"1000": 900, "2000": 90, "50000": 9, "9000000": 1}
PARTS_NS = {"link_wait": 0, "link": 3_000_000, "die": 11_529_999, "queue_wait": 1}


def series_row(second: int, write_iops: float) -> str:
    mb = write_iops * 4096 / 1e6
    return (f"{second},1,0,{mb},0,0,{write_iops},0,{1 + second / 10},{1 + second / 20},{100 - second},"
            f"{second * 7},{second * 3},,,,,,{20 + second},{10 + second},{90 + second},{400 + second},{800 + second},,,,,,"
            "4096,1,,2.5")


def write_series(folder: Path, seconds: int = 20) -> List[float]:
    """Returns the IOPS of each second."""
    iops = [1000.0 + 37 * (second % 11) for second in range(1, seconds + 1)]
    rows = [series_row(second, rate) for second, rate in enumerate(iops, 1)]
    (folder / "series.csv").write_text("\n".join([SERIES_HEADER, *rows]) + "\n")
    return iops


def fio_job(name: str, options: Optional[Dict[str, str]] = None, iops: float = 1000.0,
            direction: str = "write") -> Dict[str, Any]:
    completion = {"min": 900, "max": 9_100_000, "mean": 14_530.0, "stddev": 1.0, "N": 1000, "bins": BINS,
                  "percentile": {"50.000000": 1000, "99.000000": 2000, "99.900000": 50000}}
    part = {"total_ios": 1000, "iops": iops, "bw_bytes": int(iops * 4096), "clat_ns": completion,
            "lat_ns": {"min": 900, "max": 9_100_000, "mean": 14_530.0, "N": 1000}, "runtime": 20_000}
    usual = {"rw": f"rand{direction}", "bs": "4k", "iodepth": "4", "ioengine": "libaio"}
    return {"jobname": name, "error": 0, "job options": {**usual, **(options or {})}, direction: part}


def ftlab_key() -> Dict[str, Any]:
    return {
        "version": "0.1.0", "signature": "0123456789abcdef", "seed": 7, "simulated_s": 20.0,
        "wa": {"total": 2.75, "host": 1.0, "relocation": 1.5, "mapping": 0.25, "padding": 0.0},
        "erases": {"per_block_min": 0, "per_block_mean": 1.5, "per_block_max": 3, "blocks": 10, "histogram": [
            {"from": 0, "below": 1, "blocks": 2}, {"from": 1, "below": 2, "blocks": 5},
            {"from": 3, "below": 4, "blocks": 3}]},
        "wa_at_end": {"total": 2.95, "host": 1.0, "relocation": 1.7, "mapping": 0.25, "padding": 0.0, "half_width_95": 0.059,
                      "from_s": 18.0, "to_s": 20.0, "host_write_bytes": 10_000_000, "steady": True, "why_not_steady": ""},
        "rates_at_end": {"from_s": 18.0, "to_s": 20.0, "iops": 1200.0, "iops_half_width_95": 24.0,
                         "write": {"iops": 1200.0, "bytes_per_s": 4915200.0}},
        "latency_parts_ns": dict(PARTS_NS), "problems": [], "failed_checks": [],
        "latency_parts_by_latency": [{"from_ns": 896, "requests": 990, "parts_ns": {"link": 3_000_000}},
                                     {"from_ns": 49152, "requests": 10, "parts_ns": {"die": 11_529_999, "queue_wait": 1}}],
        "phases": [{"name": "random-write", "from_s": 0.0, "to_s": 20.0}],
        "before": {"host_write_bytes": 0, "mapped_bytes": 0, "block_erases": 0},
        "drive": {"name": "A drive of tests", "nand": {"read_ns": {"value": 75000, "from": "datasheet",
                                                                   "source": "Some data sheet"}}},
    }


def write_run(folder: Path, name: str = "random-write", ftlab: Optional[Dict[str, Any]] = None,
              jobs: Optional[List[Dict[str, Any]]] = None) -> Path:
    """A folder in the format of `ftlab run`."""
    folder.mkdir(parents=True)
    write_series(folder)
    document = {"fio version": "fio-3.33", "jobs": jobs or [fio_job(name)], "ftlab": ftlab or ftlab_key()}
    (folder / "result.json").write_text(json.dumps(document))
    return folder


def write_measured_run(folder: Path, jobs: Optional[List[Dict[str, Any]]] = None) -> Path:
    """The same of a real device, as of `ftlab measure`: no drive was simulated."""
    return write_run(folder, ftlab={key: value for key, value in ftlab_key().items() if key != "drive"}, jobs=jobs)


def write_procedure(folder: Path, depths: Any = (1, 2, 4)) -> Path:
    """A ramp of queue depths in two directions, in the format of `ftlab run PROCEDURE.json`."""
    folder.mkdir(parents=True)
    header = "step,folder,name,round,direction,depth,started_s,measured_s,iops,MB_per_s,latency_us_mean,wa"
    rows = [f"{n},,ramp,,{direction},{depth},{n},1,{1000 * depth + extra},{depth},{250 / depth},1.0"
            for n, (direction, extra, depth) in enumerate(
                ((d, e, depth) for d, e in (("read", 0), ("write", 5)) for depth in depths), 1)]
    (folder / "procedure.csv").write_text("\n".join([header, *rows]) + "\n")
    document = {"procedure": "ramp", "report": {"test": "a ramp"}, "steps": [], "notes": [],
                "ftlab": {"version": "0.1.0", "seed": 1, "drive": {"name": "A drive of tests"}}}
    (folder / "result.json").write_text(json.dumps(document))
    lines = ["rw=rand${direction}", "bs=4k", "iodepth=${depth}"]
    (folder / "procedure.json").write_text(json.dumps({"variables": {"depth": list(depths)}, "steps": [
        {"step": "repeat", "steps": [{"step": "job", "name": "ramp", "lines": lines}]}]}))
    return folder


def write_corners(folder: Path) -> Path:
    """Fresh and steady steps over two depths, in the format of `ftlab bench`."""
    folder.mkdir(parents=True)
    header = ("step,folder,name,round,sequential,random,depth,started_s,measured_s,iops,MB_per_s,latency_us_mean,latency_us_p99,wa,wa_at_end,steady_at_end")
    rows = ["1,,fresh,,write,,,0,1,100,104.8576,80000,90000,1,1,1"]
    rows += [f"{n},,{state}-random,,,randwrite,{depth},0,1,{iops},{iops * 4096 / 1e6},{1e6 * depth / iops},"
             f"{p99},,{wa},{steady}"
             for n, (state, depth, iops, p99, wa, steady) in enumerate((
                 ("fresh", 1, 20000, 100, 1, 1), ("fresh", 4, 19900, 400, 1, 1),
                 ("steady", 1, 4000, 2000, 4.5, 0), ("steady", 4, 5000, 9000, 4, 0)), 2)]
    rows += ["6,,steady,,write,,,0,1,25,26.2144,80000,400000,3,3,1"]
    (folder / "procedure.csv").write_text("\n".join([header, *rows]) + "\n")
    end = {"total": 4, "steady": False, "why_not_steady": "it drifts"}
    (folder / "result.json").write_text(json.dumps({
        "procedure": "corners", "report": {}, "steps": [{"name": "steady-random", "wa_at_end": end}], "notes": [],
        "ftlab": {"drive": {"name": "A drive of tests"}}}))
    lines = [{"step": "job", "name": "steady", "lines": ["rw=${sequential}", "iodepth=8"]}, {"step": "job", "lines": ["rw=${random}", "iodepth=${depth}"]}]
    (folder / "procedure.json").write_text(json.dumps({"variables": {"depth": [1, 4]}, "steps": lines}))
    return folder


def write_board(path: Path) -> Path:
    def row(number: int, holds: bool, published: str, simulated: str, error: "float | None") -> Any:
        return {"fact": f"s1-{number}", "review": "a review", "drive": "X",
                "kind": "quantity" if error else "shape",
                "says": f"statement {number}", "published": published, "unit": "MB/s", "simulated": simulated,
                "error": error, "holds": holds, "confidence": "high", "fitted": False, "believed": "unknown"}
    rows = [row(1, True, "100", "105", 0.05), row(2, False, "200", "50", -0.75),
            row(3, True, "falls", "yes", None)]
    path.write_text(json.dumps({"predicted": {"quantities": {"rows": 2, "hold": 1, "share": 0.5}}, "rows": rows}))
    return path


def run_program(*arguments: str) -> None:
    """Runs the ftlab of this build, given by FTLAB_PROGRAM."""
    program = os.environ.get("FTLAB_PROGRAM")
    assert program, "FTLAB_PROGRAM is not set: it must name the ftlab that was built (ctest sets it)"
    done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
