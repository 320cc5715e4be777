#!/usr/bin/env python3
"""Counts how many of fio's example job files for block devices are accepted. Status 1: less than 97 %; 77: skipped.

A file counts if each of its jobs uses an engine that issues block requests to a device or a file on it. Files with zones that
must be written in order (zonemode=zbd) are checked against a zoned drive. A file in which some jobs use another
engine cannot run without that engine, and counts under it. Engines that access their file through memory (mmap, splice)
issue no requests of their own and are other engines. Variables that the environment lacks get a value that depends on their
key. Files that the installed fio also refuses are shown, but not counted."""

import argparse
import dataclasses
import pathlib
import re
import subprocess
import sys
import tempfile

import serving

INSTALLED = pathlib.Path("/usr/share/doc/fio/examples")
ASKED_PERCENT = 97
DEVICE_ENGINES = set(
    "libaio io_uring io_uring_cmd posixaio solarisaio windowsaio sg sgunmap libzbc nbd xnvme libblkio null sync psync vsync pvsync pvsync2 "
    "fusion-aw-sync".split()
)
DEFAULT_ENGINE = "psync"
ZONED_DRIVE = "example-small-and-slow-zoned"
VALUE_FOR = {"bs": "4k", "blocksize": "4k", "ba": "4k", "blockalign": "4k", "rw": "randread", "readwrite": "randread", "iodepth": "1"}
Keys = dict[str, str]


def jobs_of(text: str) -> list[Keys]:
    """The keys of each job, including those of the global sections before it."""
    shared: Keys = {}
    jobs: list[Keys] = []
    keys = shared
    for written in text.splitlines():
        line = re.split(r"\s[#;]", written.strip())[0].strip()
        if not line or line[0] in "#;":
            continue
        if line[0] == "[" and "]" in line:
            is_global = line[1:].startswith("global")
            keys = shared if is_global else dict(shared)
            if not is_global:
                jobs.append(keys)
            continue
        key, _, value = line.partition("=")
        keys[key.strip().lower()] = value.strip()
    return jobs


def class_of(jobs: list[Keys]) -> str:
    """`device`, `zoned drive`, or what else the file needs."""
    engines = [job.get("ioengine", DEFAULT_ENGINE).split(":")[0] for job in jobs]
    others = sorted({engine for engine in engines if engine not in DEVICE_ENGINES})
    if not jobs:
        return "no job"
    if others:
        return "engine " + ", ".join(others)
    return "zoned drive" if any(job.get("zonemode") == "zbd" for job in jobs) else "device"


def variables_of(text: str) -> Keys:
    """Values for variables that the environment lacks."""
    values: Keys = {}
    for line in text.splitlines():
        key, _, value = line.partition("=")
        for name in re.findall(r"\$\{(\w+)\}", "" if line.lstrip()[:1] in ("#", ";") else value):
            if name not in serving.SBIN:
                values[name] = VALUE_FOR.get(key.strip().lower(), "given")
    return values


@dataclasses.dataclass
class Example:
    name: str
    kind: str
    fits: str = ""  # reason of a refusal with --shrink-jobs fit; empty: accepted
    as_written: str = ""  # reason of a refusal without it; empty: accepted
    fio: str = ""  # reason of fio's refusal
    variables: Keys = dataclasses.field(default_factory=dict)

    def counts(self, refusal: str) -> bool:
        return self.kind in ("device", "zoned drive") and not (refusal and self.fio)


def refusal(words: list[str], variables: Keys, folder: str) -> str:
    """First line of the program's output if it refuses; empty if it accepts."""
    done = subprocess.run(words, capture_output=True, text=True, env={**serving.SBIN, **variables}, cwd=folder, timeout=60)
    said = [line for line in (done.stderr + done.stdout).splitlines() if line.strip()]
    return "" if done.returncode == 0 else (said[0] if said else f"status {done.returncode}")


def tried(file: pathlib.Path, drive: str | None, folder: str) -> Example:
    text = file.read_text(errors="replace")
    found = Example(file.name, class_of(jobs_of(text)), variables=variables_of(text))
    if found.kind not in ("device", "zoned drive"):
        return found
    drive = ZONED_DRIVE if found.kind == "zoned drive" else drive
    check = [serving.FTLAB, "check", str(file), *(["--drive", drive] if drive else [])]
    found.fits = refusal([*check, "--shrink-jobs", "fit"], found.variables, folder).replace(f"{file}:", "line ")
    found.as_written = refusal(check, found.variables, folder).replace(f"{file}:", "line ")
    if not serving.lacking("fio"):
        found.fio = refusal(["fio", "--parse-only", str(file)], found.variables, folder)
    return found


def share(examples: list[Example], attribute: str) -> float:
    """Prints and returns the percentage that is accepted."""
    refusals = [getattr(example, attribute) for example in examples if example.counts(getattr(example, attribute))]
    accepted = sum(1 for text in refusals if not text)
    percent = 100 * accepted / len(refusals) if refusals else 0.0
    how = "with --shrink-jobs fit" if attribute == "fits" else "without"
    print(f"{accepted} of {len(refusals)} files accepted {how}: {percent:.1f} %")
    return percent


def show(examples: list[Example]) -> None:
    print(f"{'file':34}{'concerns':34}accepted")
    for example in sorted(examples, key=lambda example: (example.kind not in ("device", "zoned drive"), example.name)):
        answer = "yes" if example.kind in ("device", "zoned drive") else "-"
        if example.as_written:
            answer = "with --shrink-jobs fit; without: " + example.as_written
        if example.fits:
            answer = "NO: " + example.fits
        given = "".join(f"; {name}={value}" for name, value in example.variables.items() if answer != "-")
        said_by_fio = f"; fio refuses: {example.fio}" if example.fio else ""
        print(f"{example.name:34}{example.kind:34}{answer}{given}{said_by_fio}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=INSTALLED, help="job files (*.fio); default: %(default)s")
    parser.add_argument("--drive", help="that they are checked against; default: that of ftlab check")
    asked = parser.parse_args()
    files = sorted(asked.folder.resolve().glob("*.fio"))
    if not files:
        print(f"skipped: there is no job file in {asked.folder} (.ci/setup clients)")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        examples = [tried(file, asked.drive, folder) for file in files]
    show(examples)
    devices = [example for example in examples if example.kind in ("device", "zoned drive")]
    not_counted = [example.name for example in devices if not example.counts(example.fits)]
    print(f"\n{len(examples)} files, {len(devices)} concern a block device"
          + (f"; refused by fio as well: {', '.join(not_counted)}" if not_counted else ""))  # fmt: skip
    share(devices, "as_written")
    return 0 if share(devices, "fits") >= ASKED_PERCENT else 1


if __name__ == "__main__":
    sys.exit(main())
