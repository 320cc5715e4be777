"""Effort of an addition: the number of source files, without tests, that name an existing feature. The last line counts the
features named in too many files.

A GC policy, a scheduling policy, a trace format and a figure of the report are one file each, a drive is one data file, and
a fio option takes at most three files. Ambiguous names are searched by their function only.
"""

import pathlib
import re
import sys

TREE = pathlib.Path(__file__).resolve().parents[3]
MOST_FOR_AN_OPTION = 3
DEFAULT_DRIVE = "kingston-ssdnow-v-64"  # default of `ftlab check`
# Programs that use the library like a user, and tests.
USERS = re.compile(r"_test\.|/tests?/|/testing/|/examples/|/explore/|validation/(checks|benchmarks|fuzz|soak|scoreboard)/"
                   r"|validation/calibrate/\w+\.py")
# Features that span several modules by design.
FEATURES = {
    "io_size": "bounds the work wherever work is counted: jobs, checks before a run, the end of a run",
    "time_based": "decides what ends a job wherever an end is looked for",
    "latency_target": "searches the depth, in the host and in its report",
    "rate_iops": "paces jobs; the host, logs that are replayed and the relations between rates have to do with pace",
    "flow_sleep": "lets a job sleep, which the host's queue of jobs has to know",
    "fill_device": "ends a job at the end of the drive, wherever an end is looked for",
    "group_reporting": "shapes results, and how results are read again",
    "read_iolog": "replays a file through the readers of traces",
    "kb_base": "says what a suffix means, wherever sizes are read",
    "log_avg_msec": "is the interval of logs, which are written and read again",
    "rate_min": "ends a job below a rate, which the host watches and the report explains",
    "rate_iops_min": "the same in requests",
    "trim_backlog": "counts the writes between trims, in the generator and in the relations of verifying",
    "wait_for": "orders jobs, which the checks of a job file, the host and a resumed run need",
}


def without_comments(text, suffix):
    return re.sub(r'""".*?"""|(?<![&\w])#[^\n]*', "", text, flags=re.S) if suffix == ".py" else re.sub(r"//[^\n]*", "", text)


def sources():
    for room in ("sim", "models", "ftl", "bindings", "validation"):
        for path in (TREE / room).rglob("*"):
            name = str(path.relative_to(TREE))
            if path.suffix in (".h", ".cpp", ".py") and not USERS.search(f"{name}"):
                yield name, without_comments(path.read_text(), path.suffix)


TEXTS = dict(sources())
WORDS = {name: set(re.findall(r"\w+", text)) for name, text in TEXTS.items()}


def naming(pattern):
    """Files that have the pattern; a word alone is looked up, which is a hundred times as fast as a search."""
    word = re.fullmatch(r"\\b(\w+)\\b", pattern)
    if word:
        return sorted(name for name, words in WORDS.items() if word.group(1) in words)
    return sorted(name for name, text in TEXTS.items() if re.search(pattern, text))


def too_many(what, pattern, allowed):
    """Reports a pattern found in more files than `allowed`, a set or a number."""
    found = naming(pattern)
    if isinstance(allowed, int):
        return [f"{what} takes {len(found)} files: {', '.join(found)}"] if len(found) > allowed else []
    return [f"{what} is named in {name}, too" for name in found if name not in allowed]


def files_of(folder, pattern):
    return sorted(name for name in TEXTS if re.fullmatch(f"{folder}/{pattern}", name))


def own_functions(folder, pattern, prefix):
    """For each file that defines PREFIX_NAME(): its name, and other uses of the function."""
    found = files_of(folder, pattern)
    assert found, f"{folder} has no such files"
    for name in found:
        function = f"{prefix}{pathlib.PurePath(name).stem}"
        assert function + "()" in TEXTS[name], f"{name} does not define {function}()"
        yield name, too_many(function, rf"\b{function}\b", {name})


def policies():
    for name, broken in own_functions("ftl/gc/policies", r"\w+\.cpp", "policy_"):
        yield from broken
        for word in re.findall(r'\.name = "([\w-]+)"', TEXTS[name]):
            yield from too_many(f"policy {word}", rf'"{word}"', {name})


def scheduling():
    for name, broken in own_functions("models/nand/schedule/policies", r"\w+\.cpp", "scheduling_"):
        yield from broken
        for word in re.findall(r'"(scheduling_\w+)"', TEXTS[name]):
            yield from too_many(f"parameter {word}", rf'"{word}"', {name})


def formats():
    for _, broken in own_functions("sim/traces/formats", r"\w+_format\.cpp", "trace_"):
        yield from broken


def figures():
    """The package's list of exported names is not part of the report."""
    for name in files_of("bindings/python/ftlab/report/figures", r"\w+\.py"):
        if re.search(r"^SECTION, PLACE = ", TEXTS[name], re.M):
            module = pathlib.PurePath(name).stem
            yield from too_many(f"figure {module}", rf"figures\.{module}\b|figures import .*\b{module}\b",
                                {name, "bindings/python/ftlab/report/__init__.py"})  # fmt: skip


def drives():
    for path in sorted((TREE / "configs/drives").glob("*.json")):
        if not path.stem.startswith("example-") and path.stem != DEFAULT_DRIVE:  # used in help and docstrings
            yield from too_many(f"drive {path.stem}", rf"\b{re.escape(path.stem)}\b(?!-)", 0)


def options():
    """Checks options with an underscore in their name, which are unambiguous."""
    names = {name for file in files_of("sim/workload/options", r"\w+_options\.cpp")
             for name in re.findall(r'^ +\{"([a-z0-9]+(?:_[a-z0-9]+)+)", "', TEXTS[file], re.M)}  # fmt: skip
    assert len(names) > 60, f"only {len(names)} options were found"
    for name in sorted(names - FEATURES.keys()):
        yield from too_many(f"option {name}", rf"\b{name}\b", MOST_FOR_AN_OPTION)
    for name in sorted(FEATURES.keys()):
        if len(naming(rf"\b{name}\b")) <= MOST_FOR_AN_OPTION:
            yield f"option {name} is listed as a feature, but takes no more files than others"


def main():
    broken = [line for rule in (policies, scheduling, formats, figures, drives, options) for line in rule()]
    print("\n".join(broken))
    print(f"{len(broken)} additions take more files than they should")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
