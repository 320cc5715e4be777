#!/usr/bin/env bash
# Writes the scoreboard anew into board.csv beside this file, row by row in the order of the reviews, and prints its sums:
# validation/scoreboard/scoreboard.sh [FTLAB]. A row that changes shows in the diff of a commit.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
ftlab=${1:-$here/../../build/bin/ftlab}
"$ftlab" validate --json | python3 -c '
import csv, json, os, sys
board = json.load(sys.stdin)
columns = ["review", "drive", "fact", "kind", "says", "unit", "published", "simulated", "error", "holds", "basis", "group", "vacuous", "believed",
           "confidence", "held_out", "counts", "guess", "contradicted", "not_simulated", "quote"]
path = sys.argv[1]
with open(path + ".new", "w", newline="") as file:
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(columns)
    for row in board["rows"]:
        if row.get("error") is not None:
            row["error"] = format(row["error"], ".4f")
        rows.writerow(["" if row.get(column) is None else str(row[column]) for column in columns])
os.replace(path + ".new", path)
for basis in ("predicted", "fitted", "restated"):
    column = board[basis]
    for name in ("orderings", "shapes", "orderings_and_shapes", "quantities"):
        if column[name]["rows"]:
            print(basis, name, column[name]["hold"], "of", column[name]["rows"], "hold")
    if column["errors"]:
        errors = column["errors"]
        print(basis, errors["figures"], "figures, median", format(errors["median"], ".4f"), "p95", format(errors["p95"], ".4f"))
print("not counted", *(f"{rows} {reason}" for reason, rows in board["not_counted"].items()))
' "$here/board.csv"
