#!/usr/bin/env bash
# Fits the library's drives to what the reviews published, as configs/scoreboard/fits.json says:
#   validation/scoreboard/fit_reviews.sh [--claims] [OUT [FIT...]]
# prints for each fit its keys (in the file, fitted, standard deviation) and its rows (error before and after). The drive files
# hold what these fits give, within a deviation; a key further off ends the script with status 1. A fit begins at its
# `start`, or at the stored number. OUT is a new folder for the fitted drives and the reports [none is kept]; FIT names
# fits [all]. --claims tells besides which orderings and shapes would turn over. FTLAB is the program [build/bin/ftlab].
# A quarter of an hour on two cores, half of it for the Kingston.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
export FTLAB=${FTLAB:-$top/build/bin/ftlab}
exec python3 - "$top/configs/scoreboard/fits.json" "$@" <<'PYTHON'
import csv, json, os, subprocess, sys, tempfile


def command_of(fit, folder):
    command = [os.environ["FTLAB"], "calibrate", "--board", "--report", folder + "/report"]
    for drive in fit["drives"]:
        command += ["--drive", drive, "--out", f"{folder}/{drive}.json"]
    for start in fit.get("start", []):
        command += ["--set", start]
    for row in fit.get("rows", []):
        command += ["--rows", row]
    return command + ["--fit", *fit["keys"]]


def stored(drive):
    """The numbers of a drive of the library, by key."""
    shown = subprocess.run([os.environ["FTLAB"], "drives", "show", drive], capture_output=True, text=True, check=True).stdout
    words = (line.split() for line in shown.splitlines())
    return {w[0]: int(w[1]) for w in words if len(w) > 1 and w[1].isdigit()}


def moved_by(key, library):
    return abs(key["after"] - library[key["key"]]) / max(key["deviation"], 1)


def print_keys(name, keys, library):
    print(f"\n== {name}\n{'key':<36} {'in the file':>12} {'start':>12} {'fitted':>12} {'+-':>10} {'moved by':>9}")
    for key in keys:
        verdict = f"{moved_by(key, library):7.2f} d" if key["determined"] else "by itself hardly known from these rows"
        print(f"{key['key']:<36} {library[key['key']]:>12} {key['before']:>12} {key['after']:>12} {key['deviation']:>10.0f} {verdict}")


def print_rows(folder):
    print(f"{'row':<9} {'what':<56} {'published':>10} {'before':>10} {'after':>10} {'errors':>17}")
    for row in csv.DictReader(open(folder + "/report/rows.csv")):
        errors = f"{100 * float(row['error_before']):7.1f} {100 * float(row['error_after']):7.1f} %"
        print(f"{row['fact']:<9} {row['says']:<56.56} {row['published']:>10} {row['before']:>10} {row['after']:>10} {errors}")


def print_claims(folder):
    for row in csv.DictReader(open(folder + "/report/claims.csv")):
        print(f"{row['fact']} {row['says']}: {row['before']} before, {row['after']} after")


def carry_out(name, fit, folder, claims):
    os.mkdir(folder)
    ran = subprocess.run(command_of(fit, folder) + ["--claims"] * claims, capture_output=True, text=True)
    if ran.returncode not in (0, 4):  # 4: fitted, but figures are off, which the rows tell
        sys.exit(f"{name}: {ran.stderr}")
    keys = json.load(open(folder + "/report/calibration.json"))["keys"]
    library = stored(fit["drives"][0])
    print_keys(name, keys, library)
    print_rows(folder)
    if claims:
        print_claims(folder)
    sys.stdout.flush()
    return [f"{name}: {k['key']}" for k in keys if k["determined"] and moved_by(k, library) > 1]


def main(fits_file, arguments):
    claims = "--claims" in arguments
    arguments = [a for a in arguments if a != "--claims"]
    fits = json.load(open(fits_file))["fits"]
    names = arguments[1:] or list(fits)
    unknown = [n for n in names if n not in fits]
    if unknown:
        sys.exit(f"{unknown[0]}: no such fit in {fits_file}; there are: {', '.join(fits)}")
    with tempfile.TemporaryDirectory() as scratch:
        out = arguments[0] if arguments else scratch + "/fits"
        os.mkdir(out)
        moved = [key for n in names for key in carry_out(n, fits[n], f"{out}/{n}", claims)]
    for key in moved:
        print(f"moved by more than its deviation, so the drive file is not what the fit gives: {key}")
    return 1 if moved else 0


sys.exit(main(sys.argv[1], sys.argv[2:]))
PYTHON
