#!/usr/bin/env bash
# ftlab validate: the quick rows of the scoreboard hold as far as is stated, the same on one thread and on two; what it does
# not understand is refused with its place.
. "$FTLAB_SOURCE/validation/checks/commands/command_line.sh"

board=$FTLAB_SOURCE/configs/scoreboard

run 0 "the quick rows as JSON" validate --quick --json --threads 2
expect "most of them hold, and their figures are close" python3 - stdout <<'PYTHON'
import json, sys
board = json.load(open(sys.argv[1]))
predicted, fitted = board["predicted"], board["fitted"]
print(predicted, fitted)
counted = [column[kind]["rows"] for column in (predicted, fitted) for kind in ("quantities", "orderings_and_shapes")]
assert sum(counted) >= 60, "few rows are quick"
assert fitted["quantities"]["share"] >= 0.8 and fitted["errors"]["median"] <= 0.05
assert all(row["holds"] or row.get("believed") for row in board["rows"]), "a row misses without a reason"
PYTHON

run 0 "one drive" validate --quick --drive kingston-ssdnow-v-64
expect "shows that drive" grep -q -i kingston stdout
run 0 "as Markdown" validate --quick --review kingston --markdown
expect "has a table" grep -q '^| fact | of | what | why |$' stdout

run 0 "a disk on the review's own host" validate --quick --drive wd-5000bpkt --json --threads 2 && mv stdout laptop
run 0 "the same on one thread" validate --quick --drive wd-5000bpkt --json --threads 1
expect "the number of threads changes nothing but the time" cmp <(sed '/"wall_s"/,$d' laptop) <(sed '/"wall_s"/,$d' stdout)
run 0 "on a host with a scheduler and no costs" validate --quick --drive wd-5000bpkt --host linux-deadline --json
expect "its least latency is less by the 101 us of the laptop and the 2.19 of its port" python3 - laptop stdout <<'PYTHON'
import json, sys
laptop, other = (next(float(row["simulated"].split(" to ")[0]) for row in json.load(open(file))["rows"] if row["fact"] == "s004-014") for file in sys.argv[1:])
assert abs(laptop - other - 103.19) < 0.2, (laptop, other)
PYTHON
run 2 "no such host" validate --host hp-microserver-gen7
expect "names the nearest" grep -q 'did you mean hp-microserver-gen' stderr

run 2 "no such family" validate --held-out --family sandforce
expect "names the families" grep -q 'allowed: sandforce-sf-2281, marvell-88ss9174, indilinx-everest-2' stderr
run 2 "no such review" validate --review vertex4
expect "names the nearest" grep -q 'did you mean vertex-4?' stderr
run 2 "no such drive" validate --drive crucial-m4-265
expect "names the nearest" grep -q 'did you mean crucial-m4-256?' stderr
mkdir broken
cp "$board"/facts.json broken/
sed 's|/ user_GiB"|/ user_GB"|' "$board"/kingston.json >broken/kingston.json
run 2 "a figure that is none" validate --board broken --quick
expect "names file and line" grep -q '^broken/kingston.json:[0-9]*: .*user_GB.*allowed: user_GiB' stderr
sed '0,/"fact": "s000-001"/s//"fact": "s000-1"/' "$board"/kingston.json >broken/kingston.json
run 2 "a row about no fact" validate --board broken
expect "names it" grep -q '(got s000-1; did you mean s000-0' stderr
expect "nothing is printed for what is refused" test ! -s stdout

# Cells that nothing can read: a figure of such a run is worth nothing, so it is told and the status says so.
mkdir failing
cat >failing/facts.json <<'JSON'
{"A review": [{"id": "s900-001", "kind": "quantity", "confidence": "high", "metric": "random reads"}]}
JSON
cat >failing/reads.json <<'JSON'
{
  "review": "A review",
  "runs": {
    "reads": {
      "scale": 1, "set": ["cells.fresh_errors_per_pbit=30000000000000"], "drives": ["example-25nm-mlc"],
      "steps": [
        {"step": "job", "name": "fill", "keep": false, "lines": ["rw=write", "bs=1m"]},
        {"step": "job", "name": "read", "keep": false, "lines": ["rw=randread", "bs=4k", "io_size=4m"]}
      ],
      "assumed": "cells that nothing can read"
    }
  },
  "rows": [
    {
      "fact": "s900-001", "drive": "example-25nm-mlc", "kind": "quantity", "says": "random reads", "unit": "IOPS", "quote": "x",
      "confidence": "high", "basis": "predicted", "is": 1, "of": "reads@example-25nm-mlc / read / iops", "believed": "none came back"
    }
  ],
  "given": []
}
JSON
run 3 "a run whose requests fail" validate --board failing
expect "is told with its number of them" grep -q '^reads: reads@example-25nm-mlc: [1-9][0-9]* requests failed' stderr

conclude
