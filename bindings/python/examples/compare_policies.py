"""Which superblock should garbage collection choose? Four policies, three amounts of spare, each compared with theory.

    python compare_policies.py

Greedy chooses the one with the fewest valid pages, which is optimal under uniform writes. FIFO needs no search, at a higher
cost. d-choices draws d superblocks and takes the best; with d = 10 it is nearly greedy. If some pages are written more often
than others, all do worse than possible, and no choice of victims helps: hot and cold pages share superblocks. Writing them
to separate frontiers helps.
"""

from __future__ import annotations

import pandas as pd

import ftlab

POLICIES = ("greedy", "d-choices", "fifo", "random")
SPARE = (0.07, 0.15, 0.28)
SIZE = {"blocks": 512, "pages_per_block": 32, "precision": 0.01}


def compared(workload: str, policies: tuple = POLICIES, frontiers: str = "one") -> pd.DataFrame:
    """One row per policy and spare: simulated and theoretical write amplification."""
    rows = []
    for policy in policies:
        for op in SPARE:
            answer = ftlab.wa(policy=policy, op=op, workload=workload, frontiers=frontiers, **SIZE)
            rows.append({"policy": policy, "op": op, "wa": answer["wa"], "theory": answer["theory"]["wa"]})
    return pd.DataFrame(rows)


def main() -> None:
    uniform = compared("uniform")
    print("Uniform writes, write amplification simulated (theory):")
    uniform["shown"] = [f"{row.wa:.2f} ({row.theory:.2f})" for row in uniform.itertuples()]
    print(uniform.pivot(index="policy", columns="op", values="shown").loc[list(POLICIES)].to_string())

    skew = "hot-cold:0.9:0.1"
    mixed = compared(skew, ("greedy", "cost-benefit", "fifo"))
    apart = compared(skew, ("greedy",), frontiers="hot+cold")
    apart["policy"] = "greedy, written apart"
    print("\n90 % of the writes go to 10 % of the pages:")
    print(pd.concat([mixed, apart]).pivot(index="policy", columns="op", values="wa").round(2).to_string())


if __name__ == "__main__":
    main()
