#!/usr/bin/env bash
# A drive file holds what the repository's fit to the reviews gives: fitted again from there, no key moves by more than its
# deviation; from elsewhere, the fit comes back to it.
. "$FTLAB_SOURCE/validation/checks/commands/command_line.sh"
export FTLAB=$FTLAB_BIN/ftlab
fit=indilinx-everest-2-empty

expect "the fit of $fit moves nothing" "$FTLAB_SOURCE"/validation/scoreboard/fit_reviews.sh out $fit
expect "its key is determined" test "$(field out/$fit/report/calibration.json keys 0 determined)" = True
stored=$(field out/$fit/report/calibration.json keys 0 before)
deviation=$(field out/$fit/report/calibration.json keys 0 deviation)
run 0 "the fit from a number a fifth higher" calibrate --board --rows s001-016 --drive ocz-vertex-4-256 --out back.json \
  --set controller.read_unmapped_page_ns=$((stored * 6 / 5)) --fit controller.read_unmapped_page_ns
expect "comes back" python3 -c 'import json, sys
found = json.load(open("back.json"))["controller"]["read_unmapped_page_ns"]["value"]
assert abs(found - float(sys.argv[1])) <= float(sys.argv[2]), found' "$stored" "$deviation"
expect "a fit that is none is refused" bash -c "! '$FTLAB_SOURCE'/validation/scoreboard/fit_reviews.sh none vertex-4 2>refused"
expect "with those that there are" grep -q "vertex-4: no such fit in .*there are: .*$fit" refused
expect "every fit names rows and keys that are there" python3 - "$FTLAB_SOURCE" <<'PYTHON'
import json, os, sys
fits = json.load(open(sys.argv[1] + "/configs/scoreboard/fits.json"))["fits"]
assert len(fits) >= 3
for name, fit in fits.items():
    assert fit["keys"] and set(fit) <= {"file", "drives", "rows", "keys", "start", "why"}, name
    for drive in fit["drives"]:
        assert os.path.exists(f"{sys.argv[1]}/configs/drives/{drive}.json"), drive
PYTHON

# Published against simulated figures, of the drive that takes least time.
run 0 "the rows of one drive" validate --drive intel-x25-m-160
expect "its large writes are capped as published" grep -q "holds .*large writes, capped at about" stdout

conclude
