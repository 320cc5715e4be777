#!/usr/bin/env bash
# A flash cache with and without placement handles: write amplification as published (validation/measured/nvme/fdp.csv).
set -u
. "$FTLAB_SOURCE/validation/checks/commands/command_line.sh"

run 0 "the procedure" run "$FTLAB_SOURCE/configs/jobs/stand-ins/flash-cache.json" --drive example-small-and-slow \
  --set ftl.frontiers=host+gc --set 'ftl.placement={"scheme": "streams", "streams": 2, "isolation": "initial"}' --out cache
# The share of small objects among the writes is not published, and the drive is another: within 15 %.
expect "each published figure is met within 15 %" python3 - "$FTLAB_SOURCE/validation/measured/nvme/fdp.csv" <<'PY'
import csv, sys
simulated = {(row["name"], row["fdp"]): float(row["wa_at_end"]) for row in csv.DictReader(open("cache/procedure.csv"))}
assert len(simulated) == 4, simulated
for row in csv.DictReader(open(sys.argv[1])):
    name = {"50": "half-of-the-drive", "100": "all-of-the-drive"}[row["utilisation_percent"]]
    wa, published = simulated[name, "1" if row["fdp"] == "yes" else "0"], float(row["wa"])
    print(name, row["fdp"], wa, published)
    assert abs(wa / published - 1) <= 0.15, (row, wa)
PY
conclude
