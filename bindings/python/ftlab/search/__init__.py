"""Design search: Optuna proposes values of a drive's keys, the simulator evaluates them, the Pareto front is kept.

    found = ftlab.search.search("example-25nm-mlc", "writes.fio", out="found", space={
        "user_sectors": {"from": 1_200_000, "to": 1_800_000, "step": 50_000},
        "ftl.gc.policy": ["greedy", "cost-benefit"]})
    found.front(); found.picture("front.png"); found.figure()
"""

from ftlab.search.search import OBJECTIVES, Prices, Search, search

__all__ = ["OBJECTIVES", "Prices", "Search", "search"]
