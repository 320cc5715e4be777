"""The figures of a point: a flat row of numbers and words, units in the names, nothing of the machine that computed it."""

from __future__ import annotations

import math
from typing import Any, Dict

from ftlab.result import Result

Figures = Dict[str, Any]
# From the key `ftlab` of result.json: group, key, name of the figure.
_OF_THE_DRIVE = (("over_provisioning", "nominal", "over_provisioning"),
                 ("over_provisioning", "effective", "over_provisioning_effective"),
                 ("health", "user_bytes", "user_bytes"), ("health", "flash_bytes", "flash_bytes"),
                 ("mapping", "ram_bytes", "mapping_ram_bytes"),
                 ("traffic", "host_write_bytes", "host_write_bytes"),
                 ("traffic", "media_write_bytes", "media_write_bytes"),
                 ("traffic", "relocated_pages", "relocated_pages"), ("traffic", "block_erases", "block_erases"),
                 ("traffic", "mapping_hits", "mapping_hits"), ("traffic", "mapping_misses", "mapping_misses"),
                 ("traffic", "suspensions", "suspensions"), ("traffic", "array_reads", "array_reads"),
                 ("traffic", "buffered_reads", "buffered_reads"),
                 ("traffic", "array_programs", "array_programs"), ("traffic", "array_erases", "array_erases"))
_NOT_OF_A_JOB = ("job", "direction")


def wa_figures(answer: Dict[str, Any]) -> Figures:
    """Of ftlab.wa: wa, wa_halfwidth95 (within the run), theory_wa and deviation (none without a formula) ..."""
    return _finite({"wa": answer["wa"], "wa_halfwidth95": answer["ci95"], "theory_wa": answer["theory"]["wa"],
                    "theory_kind": answer["theory"].get("kind"), "deviation": answer.get("deviation"),
                    "batches": answer["batches"], "drifting": answer["drifting"], "mapped_share": answer["mapped_share"],
                    "erases": answer["erases"], "host_writes": answer["simulator"]["host_writes"]})


def run_figures(result: Result) -> Figures:
    """Of a run: wa and its parts, what the drive is and did, and for each direction of each job write_iops,
    write_latency_us_p99 ...; with several jobs their names stand in front, as `log:write_iops`."""
    summary = result.json["ftlab"]
    row = {"wa": summary["wa"]["total"], "signature": summary["signature"], "simulated_s": summary["simulated_s"],
           "failed_requests": result.failed_requests}
    row.update({f"wa_{part}": value for part, value in summary["wa"].items() if part != "total"})
    row.update({name: summary[group][key] for group, key, name in _OF_THE_DRIVE if key in summary.get(group, {})})
    row.update({name: ns for name, ns in summary.get("traffic", {}).items() if name.startswith("die_")})
    row.update(_steady(summary.get("until_steady", {})))
    jobs = result.jobs.to_dict("records")
    several = len({job["job"] for job in jobs}) > 1
    for job in jobs:
        front = (f"{job['job']}:" if several else "") + job["direction"]
        row.update({f"{front}_{name}": value for name, value in job.items() if name not in _NOT_OF_A_JOB})
    return _finite(row)


def _steady(summary: Dict[str, Any]) -> Figures:
    """Of a run until the steady state: whether it was reached, and the means since then with their 95 % half-widths."""
    row = {f"steady_{name}": summary[name] for name in ("reached", "steady_from_s") if name in summary}
    for name in ("iops", "wa"):
        if name in summary:
            row[f"steady_{name}"] = summary[name]["mean"]
            row[f"steady_{name}_halfwidth95"] = summary[name]["half_width_95"]
    return {name.replace("steady_steady", "steady"): value for name, value in row.items()}


def _finite(row: Figures) -> Figures:
    """What is no number (a ratio of nothing) is missing."""
    return {name: None if isinstance(value, float) and not math.isfinite(value) else value for name, value in row.items()}
