#!/usr/bin/env bash
# Arithmetic of the scripts that predict drives from their data sheets, and of the intervals that follow.
set -u
. "$FTLAB_SOURCE/validation/checks/commands/command_line.sh"
export PYTHONPATH=$FTLAB_SOURCE/validation/scoreboard PYTHONDONTWRITEBYTECODE=1

expect "zones of a small drive have Zipf's shares of the whole one" python3 - <<'END'
import itertools
import modern_drives
PAGES, FEWER = 300_000, 3_000
for theta in (0.2, 0.8, 1.0):
    upto = list(itertools.accumulate(n**-theta for n in range(1, PAGES + 1)))  # not divided by the last
    zones = [tuple(map(int, zone.split("/"))) for zone in modern_drives.zipf_zones(theta, PAGES, FEWER).split(":")]
    assert sum(percent for percent, _ in zones) == 100 and sum(size for _, size in zones) == FEWER * modern_drives.PAGE
    assert len(zones) <= 64 and all(size >= modern_drives.LEAST_ZONE * modern_drives.PAGE for _, size in zones)
    percent, pages = 0, 0
    for share, size in zones:
        percent, pages = percent + share, pages + size // modern_drives.PAGE
        exact = 100 * upto[pages * PAGES // FEWER - 1] / upto[-1]
        assert abs(percent - exact) < 0.5, (theta, percent, exact)
END

expect "the level of an interval covers groups left out, also in their mean" python3 - <<'END'
import intervals
# Ten figures of one group are missed by 0.1, one of each of three others by 0.1, 0.5 and 0.2.
groups = {"a": [0.1] * 10, "b": [0.1], "c": [-0.5], "d": [0.2]}
one = intervals.Class("sheet", "rate", "any", groups, [])
assert intervals.quantile([0.1, -0.2, 0.3, 0.4], 0.6) == 0.3  # the third of four: 5 * 0.6
assert intervals.held_out(one, 0.8) == 0.5  # left out, a and b are covered by 0.5 and 0.2, c and d are not by 0.1
assert intervals.held_out(one, 0.9) == 0.75 and intervals.level_of(one) == 0  # 0.5 is never covered by the others
groups["c"] = [-0.2]
assert intervals.held_out(one, 0.9) == 1 and 0.8 < intervals.level_of(one) <= 0.9
END
conclude
