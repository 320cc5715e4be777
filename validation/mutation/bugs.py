"""The seeded bugs of bugs.json: mistakes as they are really made, each with the promise that it breaks."""

import json
from dataclasses import dataclass
from pathlib import Path

import mutants

LIST = Path(__file__).resolve().parent / "bugs.json"


@dataclass
class Bug:
    name: str
    breaks: str  # number of the promise or invariant
    file: str
    original: str
    replacement: str
    kind: str = "statement"  # what the original is: "statement" (one or several), or "expression"
    canary: bool = False
    number: int = 0


def read_bugs(path=LIST):
    bugs = [Bug(**entry) for entry in json.loads(Path(path).read_text())]
    for number, bug in enumerate(bugs, 1):
        bug.number = number
    return bugs


def problems(bugs, source):
    """Sentences about what no longer fits the tree."""
    found = []
    for bug in bugs:
        path = Path(source) / bug.file
        times = path.read_text().count(bug.original) if path.is_file() else 0
        if times != 1:
            found.append(f"{bug.name}: its original text occurs {times} times in {bug.file}, not once")
        if bug.kind not in ("statement", "expression"):
            found.append(f"{bug.name}: kind {bug.kind} is neither statement nor expression")
        if bug.kind == "statement" and not (bug.original.rstrip().endswith((";", "}"))):
            found.append(f"{bug.name}: a statement ends with ; or }}")
        if bug.original == bug.replacement:
            found.append(f"{bug.name}: the replacement is the original")
    names = [bug.name for bug in bugs]
    found += [f"{name}: two bugs have this name" for name in set(names) if names.count(name) > 1]
    if sum(bug.canary for bug in bugs) != 1:
        found.append("one bug must be the canary")
    return found


def places(bugs, source):
    """By file, as places beside those of the mutants."""
    by_file = {}
    for bug in bugs:
        text = (Path(source) / bug.file).read_text()
        start = text.index(bug.original)
        end = start + len(bug.original)
        replacement = " ".join(line.strip() for line in bug.replacement.splitlines())
        if bug.kind == "statement":
            before, after = f"{{ if (::mutation::on({bug.number})) {{ {replacement} }} else {{ ", " } }"
        else:
            before, after = f"(::mutation::on({bug.number}) ? ({replacement}) : (", "))"
        width = end - start + 0.5  # outside of a mutant of the same text
        edits = [mutants.Edit(start, start, before, True, width), mutants.Edit(end, end, after, False, width)]
        by_file.setdefault(bug.file, []).append(mutants.Place(start, end, [bug.name], edits))
    return by_file
