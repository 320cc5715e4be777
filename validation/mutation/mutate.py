#!/usr/bin/env python3
"""Is every mistake seen? Mutation testing of the translation layer, the medium, the event queue and the guard.

Copies the tree, writes all mutants into the copy at once, each behind a run-time switch, builds the tests once with every
check on, runs them with nothing changed to learn which test file reaches which mutant, then runs for each mutant the files
that reach it, the cheapest first and the signature last, until one fails. A mutant that hangs is killed by its time limit.
What survives is in survivors.json, by file and function, with the reason why it is no mistake, or fails the command; but of
random samples, which estimate what share of all mistakes the tests see, that share alone is asked for, in each of them.

  mutate.py --sample 150 --seed 7           a random sample
  mutate.py --sample 150 --samples 3        three that share no mutant, built once
  mutate.py --changed HEAD~3                mutants on the lines that changed since
  mutate.py --files 'ftl/blocks/blocks.*'          of these files alone
  mutate.py --bugs                          the seeded bugs of bugs.json in the mutants' place: every one must be caught
  mutate.py --list                          what would be run

Needs git, cmake, ninja, g++ and what the project's own build needs. Exit status: 0 all is seen, 1 not, 2 used wrongly.
"""

import argparse
import json
import random
import re
import subprocess
import sys
import time
from pathlib import Path

import bugs as seeded
from cpp_tokens import Source
from trials import SIGNATURE, Trials
from tree import MUTATED, TESTS, Tree

HERE = Path(__file__).resolve().parent


class Mutant:
    def __init__(self, number, path, line, column, text, change, function):
        self.number, self.path, self.line, self.column, self.text, self.change = number, path, line, column, text, change
        self.function = function  # around it
        self.sample = 0  # the one that it was drawn in

    def at(self):
        return self.column - (len(self.text) - len(self.text.lstrip()))

    def words(self):
        return f"{self.path}:{self.line}:{self.column}: {self.function}(): {self.change}   [{self.text.strip()}]"


def at_least_one(word):
    if int(word) < 1:
        raise argparse.ArgumentTypeError(f"{word} is less than 1")
    return int(word)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", default=str(HERE.parents[1]), help="the project (default: the one that this file is in)")
    parser.add_argument("--work", help="folder of the copy and its build (default: build/mutation of the tree)")
    parser.add_argument("--files", nargs="+", default=MUTATED, metavar="GLOB", help="what is mutated")
    parser.add_argument("--tests", nargs="+", default=TESTS, metavar="GLOB", help="test files that are built and run")
    parser.add_argument("--sample", type=at_least_one, metavar="N", help="only N of the mutants")
    parser.add_argument("--samples", type=at_least_one, default=1, metavar="K", help="K such samples")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--changed", metavar="COMMIT", help="only mutants on lines that differ from that commit")
    parser.add_argument("--bugs", action="store_true", help="the seeded bugs")
    parser.add_argument("--list", action="store_true", help="name what would be run, and end")
    parser.add_argument("--jobs", type=int, default=2, help="compilers, and tests, at a time (default 2)")
    parser.add_argument("--budget", type=float, default=60, metavar="SECONDS",
                        help="of tests for one mutant, as long as they take with nothing changed (default 60)")  # fmt: skip
    parser.add_argument("--longest", type=float, default=600, metavar="SECONDS",
                        help="test files that take longer with nothing changed are not used (default 600)")  # fmt: skip
    parser.add_argument("--asked", type=float, default=90, metavar="PERCENT", help="to be killed (default 90)")
    parser.add_argument("--json", metavar="FILE", help="the figures, and every mutant's fate")
    return parser.parse_args()


def say(sentence):
    print(f"mutate: {sentence}", file=sys.stderr, flush=True)


def all_mutants(tree):
    for path, places in tree.places.items():
        lines = tree.lines(path)
        text = (tree.source / path).read_text()
        code, rows = Source(text), text.split("\n")
        for place in places:
            line = lines(place.start)
            column = place.start - (text.rfind("\n", 0, place.start) + 1) + 1
            function = code.function(place.start)
            for number, change in zip(place.numbers, place.changes):
                yield Mutant(number, path, line, column, rows[line - 1], change, function)


def changed_lines(tree, commit):
    """By file the numbers of the lines that differ from the commit."""
    diff = subprocess.run(["git", "diff", "--unified=0", "--no-color", commit], cwd=tree.source, check=True, text=True,
                          stdout=subprocess.PIPE).stdout  # fmt: skip
    lines, path = {}, None
    for row in diff.split("\n"):
        if row.startswith("+++ b/"):
            path = row[6:]
        match = re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", row)
        if match and path:
            first, count = int(match.group(1)), int(match.group(2) or 1)
            lines.setdefault(path, set()).update(range(first, first + count))
    return lines


def choose(tree, wanted):
    chosen = list(all_mutants(tree))
    if wanted.changed:
        lines = changed_lines(tree, wanted.changed)
        chosen = [mutant for mutant in chosen if mutant.line in lines.get(mutant.path, ())]
    if wanted.sample is not None:
        drawn = random.Random(wanted.seed).sample(chosen, min(wanted.sample * wanted.samples, len(chosen)))
        for place, mutant in enumerate(drawn):
            mutant.sample = 1 + place // wanted.sample
        chosen = sorted(drawn, key=lambda mutant: mutant.number)
    return chosen


def explained(mutant, reasons):
    """Mutants are known again by their function and their line's text, for lines move. An explanation excuses no neighbour:
    the same words in another function are another mutant, and of several alike in one line `at` names the columns of those
    that it is about, counted from the line's first word."""
    for entry in reasons:
        same = (entry["file"], entry["function"], entry["line"].strip()) == (mutant.path, mutant.function, mutant.text.strip())
        there = "at" not in entry or mutant.at() in entry["at"]
        if same and there and entry["change"] in (mutant.change, "any"):
            return entry["reason"]
    return None


def tests_in(tree):
    return sorted({path.stem for path in tree.copy.rglob("*_test.cpp")})


def prepare(tree, wanted):
    """Builds the copy and runs its tests with nothing changed."""
    began = time.monotonic()
    tree.compile(wanted.jobs, say)
    say(f"built in {time.monotonic() - began:.0f} s")
    signature = (tree.copy / "validation/checks/data/signature.txt").read_text()
    budget = float("inf") if wanted.bugs else wanted.budget  # every bug must be caught, however long it takes
    trials = Trials(tree.build / "bin", tests_in(tree), signature, wanted.jobs, budget, wanted.longest)
    began = time.monotonic()
    trials.measure(say)
    say(f"{len(trials.seconds)} test files, {sum(trials.seconds.values()):.0f} s, run in {time.monotonic() - began:.0f} s")
    return trials


def figure(name, asked, reached, failures):
    return {"name": name, "asked": asked, "reached": reached, "failures": failures}


def by_signature_alone(fates):
    return figure("of them seen by the signature alone", 0, sum(fate["by"] == SIGNATURE for fate in fates), 0)


def report(figures, fates, path):
    for one in figures:
        print(f"{one['name']:<66} {one['asked'] or '':>8} {one['reached']:>8} {one['failures']:>6}")
    if path:
        Path(path).write_text(json.dumps({"figures": figures, "fates": fates}, indent=1) + "\n")
    return 1 if any(one["failures"] for one in figures) else 0


def run_bugs(tree, trials, bugs, wanted):
    """The canary first: when it is not seen, nothing else is worth anything."""
    fates = []

    def tell(number, verdict):
        bug = bugs[number - 1]
        what, test, how = verdict
        took = round(trials.took.get(number, 0), 2)
        line = f"{took:6.2f} s  {test} ({how})" if what == "killed" else what.upper()
        print(f"{bug.name:<82} {bug.breaks:<5} {line}", flush=True)
        fates.append({"bug": bug.name, "breaks": bug.breaks, "file": bug.file, "fate": what, "by": test, "how": how,
                      "seconds": took})  # fmt: skip

    trials.kill_all([bug.number for bug in bugs if bug.canary], tell)
    canary_seen = fates[0]["fate"] == "killed"
    trials.kill_all([bug.number for bug in bugs if not bug.canary], tell)
    missed = [fate for fate in fates[1:] if fate["fate"] != "killed"]
    figures = [
        figure("the canary is caught", 1, int(canary_seen), int(not canary_seen)),
        figure("seeded bugs caught", len(fates) - 1, len(fates) - 1 - len(missed), len(missed)),
        by_signature_alone(fates),
    ]
    return report(figures, fates, wanted.json)


def run_mutants(tree, trials, chosen, wanted):
    reasons = json.loads((HERE / "survivors.json").read_text())
    by_number = {mutant.number: mutant for mutant in chosen}
    refused = {number for path, places in tree.places.items() for place in places for number in place.numbers
               if (path, place.start, place.end, place.changes[0]) in tree.dropped}  # fmt: skip
    runnable = [mutant.number for mutant in chosen if mutant.number not in refused]
    fates = []

    def tell(number, verdict):
        mutant = by_number[number]
        what, one, two = verdict
        reason = None if what == "killed" else explained(mutant, reasons)
        fates.append({"file": mutant.path, "line": mutant.line, "column": mutant.column, "change": mutant.change,
                      "function": mutant.function, "text": mutant.text.strip(), "sample": mutant.sample, "fate": what,
                      "by": one, "how": two, "reason": reason})  # fmt: skip
        if what != "killed":
            more = f" ({one} test files, {two} left out for time)" if what == "survived" else ""
            print(f"{'explained' if reason else what}{more}: {mutant.words()}", flush=True)
        elif len(fates) % 100 == 0:
            say(f"{len(fates)} of {len(runnable)}")

    trials.kill_all(runnable, tell)
    figures = shares(fates, wanted.asked) + [by_signature_alone(fates)]
    figures.append(figure("mutants that do not compile, left out", 0, len(chosen) - len(runnable), 0))
    living = [fate for fate in fates if fate["fate"] != "killed"]
    with_reason = sum(fate["reason"] is not None for fate in living)
    all_wanted = wanted.sample is None
    figures.append(figure("survivors explained", len(living) if all_wanted else 0, with_reason,
                          len(living) - with_reason if all_wanted else 0))  # fmt: skip
    return report(figures, fates, wanted.json)


def shares(fates, asked):
    """Percent of mutants killed, those that are no mistakes left out: of each sample, or of each part of the tree; and of
    each file, of which nothing is asked."""
    counted = [fate for fate in fates if fate["reason"] is None]

    def share(name, some, of_each):
        killed = sum(fate["fate"] == "killed" for fate in some)
        percent = 100 * killed / len(some)
        return figure(f"percent killed {name} ({killed} of {len(some)})", of_each, int(10 * percent) / 10, int(percent < of_each))

    samples = sorted({fate["sample"] for fate in counted} - {0})
    files = sorted({fate["file"] for fate in counted})
    tops = sorted({path.split("/")[0] for path in files})
    return (
        [share(f"in sample {one}", [fate for fate in counted if fate["sample"] == one], asked) for one in samples]
        + [share(f"in {top}", [fate for fate in counted if fate["file"].startswith(top + "/")], 0 if samples else asked)
           for top in tops]
        + [share(f"in {path}", [fate for fate in counted if fate["file"] == path], 0) for path in files]
    )  # fmt: skip


def main():
    wanted = arguments()
    tree = Tree(wanted.tree, wanted.work or Path(wanted.tree) / "build" / "mutation", wanted.tests)
    bugs = seeded.read_bugs()
    wrong = seeded.problems(bugs, wanted.tree)
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        return 2
    bug_places = seeded.places(bugs, wanted.tree)
    tree.find(wanted.files, bug_places)
    chosen = choose(tree, wanted)
    if wanted.list:
        for one in bugs if wanted.bugs else chosen:
            print(f"{one.file}: {one.name} ({one.breaks})" if wanted.bugs else one.words())
        return 0
    trials = prepare(tree, wanted)
    if wanted.bugs:
        return run_bugs(tree, trials, bugs, wanted)
    return run_mutants(tree, trials, chosen, wanted)


if __name__ == "__main__":
    sys.exit(main())
