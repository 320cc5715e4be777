"""The mutated copy of the tree: what it holds, how it is built, and which mutants the compiler refuses."""

import bisect
import fnmatch
import json
import os
import re
import subprocess
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import mutants

# What is mutated when nothing else is asked for.
MUTATED = [
    "ftl/*.cpp", "ftl/*.h", "models/nand/*.cpp", "models/nand/*.h",
    "sim/core/due_queue.h", "sim/core/event_queue.h", "sim/core/timeline.*", "validation/measure/guard.cpp",
]  # fmt: skip
NOT_MUTATED = ["*_test.cpp", "*/testing/*", "*/test_*.h"]
# What the copy holds. Of the instrument only what decides, for the rest needs the folders that are left out.
COPIED = [
    "CMakeLists.txt", "sim/*", "models/*", "ftl/*", "configs/*", "bindings/CMakeLists.txt", "docs/drive_file_keys.md",
    "docs/hosts.md", "validation/CMakeLists.txt",
    "validation/checks/*", "validation/measure/CMakeLists.txt", "validation/measure/guard.*", "validation/measure/target/identity.h",
    "validation/measure/testing/facts.h", "validation/soak/*", "validation/power_cuts/*", "validation/fuzz/CMakeLists.txt",
]  # fmt: skip
# The test files: those beside what is mutated, and those of validation that run whole drives.
TESTS = [
    "ftl/*_test.cpp", "models/nand/*_test.cpp",
    "models/compression/compression_test.cpp", "sim/core/due_queue_test.cpp", "sim/core/event_queue_test.cpp", "sim/core/timeline_test.cpp",
    "sim/core/random_test.cpp",
    "sim/stats/histogram_test.cpp", "validation/checks/*_test.cpp", "validation/soak/*_test.cpp", "validation/measure/guard_test.cpp",
]  # fmt: skip
# Of other things than what is mutated, and long to compile.
NOT_TESTS = [
    "validation/checks/keys_test.cpp", "validation/checks/known_answers_test.cpp",
    "validation/checks/measured_disks_test.cpp",
]  # fmt: skip

BUG_NUMBERS = 1000  # seeded bugs have the numbers below, mutants the others
_BLOCK = 64  # each file's numbers begin at a multiple of it, so that a change of one file seldom moves another's


# g++ says which instance it was making before it says what is wrong with it.
_MESSAGE = re.compile(
    r"In instantiation of .*\bmutant = (?P<number>\d+)"
    r"|^(?P<path>\S+?):(?P<line>\d+):(?P<column>\d+):\s+(?:fatal )?error",
    re.M,
)


def matches(path, globs):
    return any(fnmatch.fnmatch(path, glob) for glob in globs)


class Tree:
    def __init__(self, source, work, tests=None):
        self.source, self.work, self.tests = Path(source), Path(work), tests or TESTS
        self.copy, self.build = self.work / "tree", self.work / "build"
        self.places = {}  # by file
        self.written = {}  # by file: where the places' edits stand in the copy
        self.dropped = set()  # (file, start, end, first change) that do not compile

    def files(self):
        listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=self.source, check=True, text=True,
                                stdout=subprocess.PIPE).stdout.split("\n")  # fmt: skip
        return sorted(path for path in set(listed) if path and (self.source / path).is_file())

    def mutated_files(self, globs):
        return [path for path in self.files()
                if path.endswith((".cpp", ".h")) and matches(path, globs) and not matches(path, NOT_MUTATED)]  # fmt: skip

    def find(self, globs, bugs):
        """Numbers every place of the mutated files; `bugs` by file are places already."""
        number = BUG_NUMBERS
        for path in sorted(set(self.mutated_files(globs)) | set(bugs)):
            found = []
            own = bugs.get(path, [])
            for place in mutants.find_places((self.source / path).read_text()) if matches(path, globs) else []:
                if any(_cross(place, bug) for bug in own):
                    continue
                place.numbers = list(range(number, number + len(place.changes)))
                number += len(place.changes)
                found.append(place)
            number = (number + _BLOCK - 1) // _BLOCK * _BLOCK
            self.places[path] = own + found
        if number > 1 << 16:
            raise SystemExit(f"{number} mutants are more than mutation_switch.h counts (kMost); name fewer files")

    def write(self):
        """Brings the copy up to date. Files that stay as they were keep their time, so that they are not compiled again."""
        kept = {path for path in self.files() if matches(path, COPIED) and not path.endswith("_test.cpp")}
        tests = [path for path in self.files() if matches(path, self.tests) and not matches(path, NOT_TESTS)]
        tests = {path for path in tests if self._includes_are(path, kept)}
        kept = tests | self._needed(tests, kept)
        for path in kept:
            text = (self.source / path).read_bytes()
            if path in self.places:
                text = self._mutated(path, text.decode()).encode()
            target = self.copy / path
            if not target.exists() or target.read_bytes() != text:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(text)
        for path in self.copy.rglob("*"):
            if path.is_file() and str(path.relative_to(self.copy)) not in kept:
                path.unlink()
        return kept

    def _included(self, path):
        return re.findall(r'^#include "(.*?)"', (self.source / path).read_text(), re.M)

    def _includes_are(self, path, kept):
        return all(name in kept for name in self._included(path) if (self.source / name).exists())

    def _needed(self, tests, kept):
        """What is kept without sources that nothing needs: each belongs to the first header that it includes, but for those
        of sim/workload, which have tables of one another."""
        sources = {path for path in kept if path.endswith(".cpp")}
        by_header = defaultdict(list)
        for path in sources:
            by_header[next(iter(self._included(path)), None)].append(path)
        unneeded = ("models/", "sim/config/", "sim/procedures/", "sim/stats/", "sim/host/replay")
        roots = {path for path in sources if path in self.places or not path.startswith(unneeded)}
        needed, todo = set(), [*tests, *roots]
        while todo:
            path = todo.pop()
            if path in needed:
                continue
            needed.add(path)
            for header in self._included(path):
                todo += [other for other in [header, *by_header[header]] if other in kept]
        return {path for path in kept if path not in sources} | needed

    def _mutated(self, path, text):
        places = [place for place in self.places[path] if _key(path, place) not in self.dropped]
        changed, self.written[path] = mutants.apply_places(text, places)
        return changed

    def configure(self):
        switch = Path(__file__).resolve().parent / "mutation_switch.h"
        flags = f"-O1 -w -include {switch}"
        command = ["cmake", "-S", str(self.copy), "-B", str(self.build), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
                   "-DCMAKE_UNITY_BUILD=OFF", "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON",
                   "-DFTLAB_CHECKED=ON", "-DFTLAB_PYTHON=OFF", f"-DCMAKE_CXX_FLAGS_DEBUG={flags}"]  # fmt: skip
        if _has("ccache"):
            command.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def compile(self, jobs, say):
        """Builds the tests; drops what the compiler refuses, first by a look at the mutated sources alone, which is fast."""
        known = self._read_dropped()
        self.write()
        self.configure()
        for round_ in range(1, 13):
            refused = set() if known else self._refused_by_syntax(jobs)
            if not refused:
                log = self._build(jobs)
                if log is None:
                    return
                refused = self._refused_in(log)
                if not refused:
                    raise SystemExit("the mutated copy does not compile, for no mutant's sake:\n" + log[-4000:])
            self.dropped |= refused
            self._keep_dropped()
            say(f"round {round_}: {len(refused)} places do not compile and are left out")
            self.write()
        raise SystemExit("the mutated copy does not compile after 12 rounds")

    def _refused_by_syntax(self, jobs):
        commands = json.loads((self.build / "compile_commands.json").read_text())
        files = {str(self.copy / path) for path in self.places if path.endswith(".cpp")}
        wanted = [entry for entry in commands if entry["file"] in files]

        def look(entry):
            command = re.sub(r" -o \S+", "", entry["command"]).replace("ccache ", "", 1) + " -fsyntax-only"
            return subprocess.run(command, shell=True, cwd=entry["directory"], text=True, stderr=subprocess.PIPE).stderr

        with ThreadPoolExecutor(jobs) as pool:
            return set().union(*(self._refused_in(log) for log in pool.map(look, wanted)))

    def _build(self, jobs):
        """None, or what the compiler said."""
        targets = ["ftlab-tests", "ftlab-signature"]
        command = ["cmake", "--build", str(self.build), "--parallel", str(jobs), "--target", *targets, "--", "-k", "0"]
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return None if done.returncode == 0 else done.stdout

    def _refused_in(self, log):
        """The places that a compiler's messages point to, by the number of an operator that could not be made, or by line
        and column."""
        refused, asked = set(), None
        by_line, by_number = defaultdict(list), {}
        for path, written in self.written.items():
            for one in written:
                by_line[path, one.line].append(one)
                by_number.update((number, _key(path, one.place)) for number in one.place.numbers)
        for match in _MESSAGE.finditer(log):
            if match["number"]:
                asked = by_number.get(int(match["number"]))
                continue
            path = self._in_copy(match["path"])
            here = by_line.get((path, int(match["line"])))
            if asked:
                refused.add(asked)
            elif here:
                refused |= self._at(path, here, int(match["column"]))
            asked = None
        return refused

    def _in_copy(self, path):
        try:
            return str((self.build / path).resolve().relative_to(self.copy.resolve()))
        except ValueError:
            return path

    def _at(self, path, written, column):
        """The place whose edit has the column, or all of the line."""
        there = [one for one in written if one.first <= column <= one.last and one.place.numbers]
        chosen = there or written
        return {_key(path, one.place) for one in chosen}

    def _dropped_file(self):
        return self.work / "refused_by_the_compiler.json"

    def _read_dropped(self):
        """What was refused before, of files that are as they were. False: nothing is known."""
        if not self._dropped_file().exists():
            return False
        for path, text, places in json.loads(self._dropped_file().read_text()):
            if path in self.places and (self.source / path).read_text() == text:
                self.dropped |= {tuple(place) for place in places}
        return True

    def _keep_dropped(self):
        by_file = defaultdict(list)
        for key in self.dropped:
            by_file[key[0]].append(list(key))
        self.work.mkdir(parents=True, exist_ok=True)
        texts = [[path, (self.source / path).read_text(), sorted(places)] for path, places in sorted(by_file.items())]
        self._dropped_file().write_text(json.dumps(texts))

    def lines(self, path):
        text = (self.source / path).read_text()
        starts = [0] + [match.end() for match in re.finditer("\n", text)]
        return lambda position: bisect.bisect_right(starts, position)


def _cross(place, bug):
    """Whether two places overlap without one being inside the other."""
    if place.end <= bug.start or bug.end <= place.start:
        return False
    inside = bug.start <= place.start and place.end <= bug.end
    return not inside and not (place.start <= bug.start and bug.end <= place.end)


def _key(path, place):
    return (path, place.start, place.end, place.changes[0])


def _has(tool):
    return any(os.access(Path(folder) / tool, os.X_OK) for folder in os.environ.get("PATH", "").split(os.pathsep))
