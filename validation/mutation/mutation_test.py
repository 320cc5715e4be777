"""The tool that tests the tests: what it changes, what it leaves alone, that all mutants live in one program, and that the
lists beside it still fit the tree."""

import json
import os
import re
import subprocess
import tempfile
import time
import types
import unittest
from pathlib import Path

import bugs
import cpp_tokens
import mutants
import mutate
import tree
import trials

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parents[1]

SAMPLE = """#include <cstdio>
#include <cstdlib>
#include <vector>
namespace sample {
template <class T, int kMost = 3>
struct Box {
  std::vector<T> items;
  int most() const { return kMost; }
};
struct Counter {
  Counter(int start);
  int value = 1;
  void step(int by) {
    if (by > 0 && value + by <= 10) value += by;
    FTLAB_CHECK(value < 100, "never");
  }
};
inline Counter::Counter(int start) : value(start) {}
bool is_even(int number) {
  if (number % 2 == 0) return true;
  return false;
}
int run() {
  Counter counter{2};
  counter.step(4);
  counter.step(7);
  constexpr int kTwice = 2 * 3;
  const int shown = is_even(counter.value) ? counter.value : kTwice;
  return shown * 100 + counter.value;
}
}  // namespace sample
int main() { std::printf("%d\\n", sample::run()); }
"""


def numbered(text):
    places = mutants.find_places(text)
    number = 1
    for place in places:
        place.numbers = list(range(number, number + len(place.changes)))
        number += len(place.changes)
    return places


def changes(text):
    """Of a function's body, as `what is there: what it becomes`."""
    whole = f"void f() {{\n  {text}\n}}\n"
    return sorted(change for place in mutants.find_places(whole) for change in place.changes)


class WhatIsChanged(unittest.TestCase):
    def test_comparisons_move_their_bound_and_turn_round(self):
        self.assertEqual(changes("use(a < b);"), ["< is <=", "< is >=", "left out: use(a < b);"])

    def test_brackets_of_templates_are_no_comparisons(self):
        self.assertEqual(changes("const std::vector<int> list = other<int>(a);"), [])

    def test_operands_of_conjunctions_are_left_out_one_by_one(self):
        self.assertEqual(changes("if (a && (b || c)) return;").count("operand of && left out"), 2)
        self.assertEqual(changes("if (a && (b || c)) return;").count("operand of || left out"), 2)

    def test_calls_assignments_and_steps_are_left_out(self):
        for statement in ("call(x);", "a.b[i] = c;", "++count_;", "list.at(1).clear();", "*place = 3;"):
            self.assertIn(f"left out: {statement}", changes(statement))

    def test_declarations_stay(self):
        for statement in ("int x = y;", "const Ppn old = find(l);", "Thing& x = y;", "std::vector<int> v;", "decltype(f(x)) y = z;"):
            self.assertFalse([change for change in changes(statement) if change.startswith("left out")], statement)

    def test_values_in_braces_do_not_begin_a_statement(self):
        found = changes("total = std::uint64_t{a} * b;")
        self.assertIn("left out: total = std::uint64_t{a} * b;", found)

    def test_what_follows_an_attribute_is_a_block(self):
        found = changes("if (a) [[unlikely]] { b = c; return; } d();")
        self.assertIn("left out: b = c;", found)
        self.assertIn("left out: d();", found)

    def test_numbers_grow_and_shrink(self):
        self.assertEqual(changes("return 4;"), ["4 is 3", "4 is 5"])
        self.assertEqual(changes("return 0;"), ["0 is 1"])

    def test_checks_constants_and_text_stay(self):
        for statement in ('FTLAB_CHECK(a < b, "x" + y);', "static_assert(a < 3);", "constexpr int kMost = 3 + 4;",
                          'const auto s = "a < b" + t;', "// a < b", "__builtin_prefetch(&a[b / 64], 1);"):  # fmt: skip
            self.assertEqual(changes(statement), [], statement)

    def test_declarations_in_classes_are_not_calls(self):
        places = mutants.find_places("struct A {\n  A(int x);\n  explicit A(B& b);\n  void f(int y);\n  int n = 3;\n};\n")
        self.assertEqual(places, [])

    def test_lines_stay_where_they_are(self):
        changed, written = mutants.apply_places(SAMPLE, numbered(SAMPLE))
        self.assertEqual(changed.count("\n"), SAMPLE.count("\n"))
        rows = changed.split("\n")
        for one in written:
            self.assertIn("mutation", rows[one.line - 1] + "mutation" * (one.first > len(rows[one.line - 1])))
            self.assertLessEqual(one.last, len(rows[one.line - 1]))


class AllMutantsInOneProgram(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.places = numbered(SAMPLE)
        changed, _ = mutants.apply_places(SAMPLE, cls.places)
        source = Path(cls.folder.name) / "sample.cpp"
        source.write_text(changed)
        cls.program = Path(cls.folder.name) / "sample"
        command = [os.environ.get("CXX", "c++"), "-std=c++20", "-w", "-DFTLAB_CHECK(x,y)=if(!(x))std::abort()"]
        command += ["-include", str(HERE / "mutation_switch.h"), str(source), "-o", str(cls.program)]
        subprocess.run(command, check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_with(self, mutant, **more):
        environment = {**os.environ, "FTLAB_MUTANT": str(mutant), **more}
        return subprocess.run([str(self.program)], env=environment, stdout=subprocess.PIPE, text=True).stdout.strip()

    def number_of(self, change):
        return next(place.numbers[place.changes.index(change)] for place in self.places if change in place.changes)

    def test_with_none_on_it_is_the_program(self):
        self.assertEqual(self.run_with(0), "606")

    def test_each_is_on_alone(self):
        self.assertEqual(self.run_with(self.number_of("left out: counter.step(4);")), "609")
        self.assertEqual(self.run_with(self.number_of("+= is -=")), "591")
        self.assertEqual(self.run_with(self.number_of("returns true")), "606")

    def test_many_change_what_is_printed(self):
        numbers = [number for place in self.places for number in place.numbers]
        seen = sum(self.run_with(number) != "606" for number in numbers)
        self.assertGreater(seen, len(numbers) // 3)

    def test_it_notes_which_places_it_comes_by(self):
        marks = Path(self.folder.name) / "marks"
        self.run_with(0, FTLAB_MUTANTS_REACHED=str(marks))
        seen = {index for index, mark in enumerate(marks.read_bytes()) if mark}
        self.assertIn(self.number_of("left out: counter.step(4);"), seen)
        self.assertTrue(seen <= {number for place in self.places for number in place.numbers})


class TheRuns(unittest.TestCase):
    """Against a program that fails, crashes or hangs as it is told."""

    PROGRAM = """#!/bin/sh
if [ -n "$FTLAB_MUTANTS_REACHED" ]; then head -c 1010 /dev/zero | tr '\\0' '\\1' >"$FTLAB_MUTANTS_REACHED"; fi
case "$2 $FTLAB_MUTANT" in
  *broken_test*) exit 1 ;;
  *one_test*1001) exit 1 ;;
  *two_test*1002) kill -9 $$ ;;
  *one_test*1003) while :; do :; done ;;
  *one_test*1006) exec sleep 100 ;;
  *two_test*) sleep 0.3; i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done ;;
esac
"""
    SIGNATURE = """#!/bin/sh
if [ -n "$FTLAB_MUTANTS_REACHED" ]; then head -c 1010 /dev/zero | tr '\\0' '\\1' >"$FTLAB_MUTANTS_REACHED"; fi
if [ "$FTLAB_MUTANT" = 1004 ]; then echo other; else echo right; fi
"""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        for name, text in (("ftlab-tests", self.PROGRAM), ("ftlab-signature", self.SIGNATURE)):
            program = Path(self.folder.name) / name
            program.write_text(text)
            program.chmod(0o755)
        self.said = []
        self.trials = trials.Trials(self.folder.name, ["two_test", "one_test", "broken_test"], "right\n", 2, 60)
        self.trials.measure(self.said.append)

    def tearDown(self):
        self.folder.cleanup()

    def test_what_fails_with_nothing_changed_is_not_used(self):
        self.assertEqual(self.trials.unusable, ["broken_test"])
        self.assertIn("broken_test", self.said[0])

    def test_programs_are_found_by_a_path_from_here(self):
        path = os.path.relpath(self.folder.name)
        self.assertEqual(trials.Trials(path, [], "right\n", 1, 60).run("one_test", 1001, 5)[0], "failed")

    def test_the_cheapest_is_asked_first_and_the_signature_last(self):
        self.assertEqual(self.trials.reaching(1001), ["one_test", "two_test", "signature"])

    def test_each_kind_of_death_is_told(self):
        self.trials.seconds = {"one_test": 0.01, "two_test": 0.3, "signature": 0.01}
        self.trials.least_s = 0.5  # 1003 takes all of it
        self.assertEqual(self.trials.kill(1001), ("killed", "one_test", "failed"))
        self.assertEqual(self.trials.kill(1002), ("killed", "two_test", "crashed"))
        self.assertEqual(self.trials.kill(1003), ("killed", "one_test", "timeout"))
        self.assertEqual(self.trials.kill(1004), ("killed", "signature", "failed"))

    def test_what_sleeps_is_ended_and_time_is_the_processors(self):
        began = time.monotonic()
        outcome, took = self.trials.run("one_test", 1006, 0.2)
        self.assertEqual(outcome, "timeout")
        self.assertLess(took, 0.2)
        self.assertGreaterEqual(time.monotonic() - began, 0.8)
        self.assertLess(self.trials.seconds["two_test"], 0.3)  # it sleeps so long

    def test_survivors_are_told_from_what_is_not_reached_and_from_what_there_was_no_time_for(self):
        self.assertEqual(self.trials.kill(1005), ("survived", "3", "0"))
        self.assertEqual(self.trials.kill(2000), ("not reached", "", ""))
        self.trials.budget_s = 0
        self.assertEqual(self.trials.kill(1005), ("survived", "1", "2"))


class TheFunctionAround(unittest.TestCase):
    def test_is_the_definition_not_what_it_calls_or_loops_over(self):
        text = """
struct S {
  S(int a) : a_(a) { one(); }
  bool inside() const { return two; }
};
int S::outside(int x) {
  for (int i = 0; i < x; list.pop_back()) { three(); }
  const auto lambda = [&](int y) { return y + four; };
  return each(list, [](const T& t) { return t < five; }) && f({six});
}
const int kSeven = seven;
"""
        source = cpp_tokens.Source(text)
        for word, function in (("one", "S"), ("two", "inside"), ("three", "S::outside"), ("four", "S::outside"),
                               ("five", "S::outside"), ("six", "S::outside"), ("= seven", "")):  # fmt: skip
            self.assertEqual(source.function(text.index(word)), function, word)


class TheShares(unittest.TestCase):
    def test_of_each_sample_is_what_is_asked(self):
        fates = [{"file": f"ftl/{i % 2}.cpp", "sample": 1 + i // 10, "fate": "killed", "reason": None} for i in range(20)]
        fates[0]["fate"] = fates[10]["fate"] = fates[11]["fate"] = "survived"
        figures = {one["name"]: one for one in mutate.shares(fates, 90.0)}
        self.assertEqual([(one["asked"], one["reached"], one["failures"]) for one in figures.values()],
                         [(90, 90, 0), (90, 80, 1), (0, 85, 0), (0, 80, 0), (0, 90, 0)])  # fmt: skip
        self.assertIn("percent killed in sample 2 (8 of 10)", figures)
        fates[11]["reason"] = "no mistake"  # neither killed nor to be
        self.assertEqual(mutate.shares(fates, 90.0)[1]["reached"], 88.8)

    def test_of_all_mutants_each_part_of_the_tree_is_asked(self):
        fates = [{"file": f"{top}/a.cpp", "sample": 0, "fate": fate, "reason": None}
                 for top, fate in (("ftl", "killed"), ("sim", "not reached"))]  # fmt: skip
        self.assertEqual([(one["name"].split(" (")[0], one["asked"], one["failures"]) for one in mutate.shares(fates, 90.0)],
                         [("percent killed in ftl", 90, 0), ("percent killed in sim", 90, 1),
                          ("percent killed in ftl/a.cpp", 0, 0), ("percent killed in sim/a.cpp", 0, 0)])  # fmt: skip

    def test_samples_share_no_mutant(self):
        with tempfile.TemporaryDirectory() as work:
            whole = tree.Tree(SOURCE, work)
            whole.find(["ftl/blocks/*"], {})
            drawn = mutate.choose(whole, types.SimpleNamespace(changed=None, sample=30, samples=3, seed=5))
        self.assertEqual(len({mutant.number for mutant in drawn}), 90)
        self.assertEqual([sum(mutant.sample == one for mutant in drawn) for one in (1, 2, 3)], [30, 30, 30])


class TheLists(unittest.TestCase):
    def test_each_bug_has_its_place_in_the_tree_once(self):
        known = bugs.read_bugs()
        self.assertEqual(bugs.problems(known, SOURCE), [])
        self.assertGreaterEqual(len(known), 41)

    def test_a_bug_whose_place_is_gone_is_told(self):
        gone = bugs.Bug("gone", "P1", "ftl/ftl.cpp", "no such text;", ";", canary=True)
        self.assertEqual(len(bugs.problems([gone], SOURCE)), 1)

    def test_each_bug_is_written_around_its_text(self):
        for path, places in bugs.places(bugs.read_bugs(), SOURCE).items():
            text = (SOURCE / path).read_text()
            changed, _ = mutants.apply_places(text, places)
            self.assertEqual(changed.count("\n"), text.count("\n"))
            self.assertEqual(changed.count("::mutation::on("), len(places))

    def test_each_explained_survivor_is_still_there(self):
        for entry in json.loads((HERE / "survivors.json").read_text()):
            text = (SOURCE / entry["file"]).read_text()
            source, there = cpp_tokens.Source(text), set()
            for match in re.finditer(re.escape(entry["line"]) + "$", text, re.M):
                there |= {source.function(at) for at in range(match.start(), match.end())}
            self.assertIn(entry["function"], there, entry)
            self.assertTrue(entry["reason"])

    def test_of_several_changes_alike_in_one_line_the_explained_ones_are_named(self):
        with tempfile.TemporaryDirectory() as work:
            whole = tree.Tree(SOURCE, work)
            whole.find(tree.MUTATED, bugs.places(bugs.read_bugs(), SOURCE))
            there = list(mutate.all_mutants(whole))
        for entry in json.loads((HERE / "survivors.json").read_text()):
            if entry["change"] == "any":
                continue
            alone = {key: value for key, value in entry.items() if key != "at"}
            alike = [mutant.at() for mutant in there if mutate.explained(mutant, [alone])]
            self.assertTrue(alike, entry)
            self.assertEqual("at" in entry, len(alike) > 1, (entry, alike))
            self.assertLessEqual(set(entry.get("at", [])), set(alike), entry)

    def test_an_explanation_excuses_no_neighbour(self):
        entry = {"file": "a.cpp", "function": "A::f", "line": "return x < 1;", "change": "< is <=", "reason": "why"}
        at = lambda function, change: mutate.Mutant(1, "a.cpp", 1, 1, "  return x < 1;", change, function)  # noqa: E731
        self.assertEqual(mutate.explained(at("A::f", "< is <="), [entry]), "why")
        self.assertIsNone(mutate.explained(at("A::g", "< is <="), [entry]))
        self.assertIsNone(mutate.explained(at("A::f", "1 is 2"), [entry]))
        self.assertEqual(mutate.explained(at("A::f", "< is <="), [{**entry, "at": [-1]}]), "why")
        self.assertIsNone(mutate.explained(at("A::f", "< is <="), [{**entry, "at": [10]}]))

    def test_every_mutated_file_is_understood(self):
        with tempfile.TemporaryDirectory() as work:
            whole = tree.Tree(SOURCE, work)
            whole.find(tree.MUTATED, bugs.places(bugs.read_bugs(), SOURCE))
            self.assertGreater(sum(len(places) for places in whole.places.values()), 3000)
            for path in whole.places:
                whole._mutated(path, (SOURCE / path).read_text())


if __name__ == "__main__":
    unittest.main()
