#!/usr/bin/env bash
# ftlab validate: the quick rows of the scoreboard hold as far as is stated, the same on one thread and on two; what it does
# not understand is refused with its place.
. "$FTLAB_SOURCE/validation/checks/command_line.sh"

board=$FTLAB_SOURCE/configs/scoreboard

run 0 "the quick rows" validate --quick --threads 2
mv stdout two
run 0 "the quick rows, on one thread" validate --quick --threads 1
expect "the number of threads changes nothing" cmp two stdout

run 0 "the quick rows as JSON" validate --quick --json
expect "most of them hold, and their figures are close" python3 - stdout <<'PYTHON'
import json, sys
board = json.load(open(sys.argv[1]))
quantities, claims, errors = board["quantities"], board["orderings_and_shapes"], board["errors"]
print(quantities, claims, errors)
assert quantities["rows"] + claims["rows"] >= 60, "few rows are quick"
assert claims["share"] >= 0.9 and quantities["share"] >= 0.8 and errors["median"] <= 0.05
assert all(row["holds"] or row.get("believed") for row in board["rows"]), "a row misses without a reason"
PYTHON

run 0 "one drive" validate --quick --drive wd-5000bpkt
expect "shows that drive" grep -q WD5000BPKT stdout
run 0 "as Markdown" validate --quick --review kingston --markdown
expect "has a table" grep -q '^| fact | of | what | why |$' stdout

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

conclude
