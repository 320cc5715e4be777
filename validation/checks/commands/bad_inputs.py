"""Checks the tables in validation/checks/bad_inputs: `ftlab check` and `ftlab run` refuse every bad input with exactly its
message, commands in commands/ are refused likewise, and refusals leave no files. Unchanged base inputs are accepted."""

import difflib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

SOURCE = pathlib.Path(os.environ["FTLAB_SOURCE"])
FTLAB = os.environ["FTLAB_BIN"] + "/ftlab"
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "validation/checks/bad_inputs"))
import unpack  # noqa: E402

# With mapping pages of 64 KiB: a map of 4 KiB pages takes 65 ms to fill, ten times as long as the refusal.
DRIVE = ["--drive", "configs/drives/kingston-ssdnow-v-64.json", "--set", "ftl.mapping.page_bytes=65536"]
GOOD_JOB = "given/good.fio"
KINDS = {"drive": ".json", "host": ".json", "job": ".fio", "procedure": ".json", "trace": ".trace"}  # endings by kind
LEAST_FILES, LEAST_COMMANDS = 680, 200  # fewer: some were lost


class Trial:
    """Runs commands in a folder with all inputs that mimics the source root."""

    def __init__(self, folder, entries):
        self.folder, self.entries = folder, entries

    def ftlab(self, words, settings=None):
        return subprocess.run([FTLAB, *words], cwd=self.folder, capture_output=True, env={**os.environ, **(settings or {})}, check=False)

    def problems(self, entry, what, words, settings=None):
        """Runs `words` (OUT: an empty folder). Requires status 2, the entry's message, empty stdout and no files."""
        with tempfile.TemporaryDirectory() as folder:
            out = folder + "/out"
            os.mkdir(out)
            run = self.ftlab([word.replace("OUT", out) for word in words], settings)
            left = os.listdir(out)
        said = run.stderr.decode(errors="surrogateescape").replace(out, "OUT").replace(f"{SOURCE}/", "").replace(f"{self.folder}/", "")
        found = []
        if run.returncode != 2:
            found.append(f"exit status {run.returncode} instead of 2")
        if run.stdout:
            found.append("it writes to stdout")
        if left:
            found.append(f"it leaves {', '.join(left)} behind")
        if said != entry.message:
            lines = difflib.unified_diff(entry.message.split("\n"), said.split("\n"), "expected", "got", lineterm="")
            found.append("another message\n" + "\n".join(lines))
        return [f"FAILED: {entry.place}: {entry.name}: {what}: {problem}" for problem in found]

    def of_file(self, entry):
        beside = self.entries.get(entry.name.rsplit(".", 1)[0] + ".args")
        options = shlex.split(beside.data.decode()) if beside else []
        if not entry.name.endswith(KINDS.get(entry.door, " of no door")):
            return [f"FAILED: {entry.place}: {entry.name}: is not a bad input: those end with {KINDS.get(entry.door)}"]
        run = {
            "procedure": [entry.name, *DRIVE],
            "host": [GOOD_JOB, *DRIVE, "--host", entry.name],
            "drive": [GOOD_JOB, "--drive", entry.name],
        }.get(entry.door, [entry.name, *options, *DRIVE])
        return self.problems(entry, "ftlab check", ["check", entry.name, *options]) + self.problems(
            entry, "ftlab run", ["run", *run, "--out", "OUT/x"]
        )

    def of_command(self, entry):
        """Environment settings precede the command."""
        words, settings = shlex.split(entry.data.decode()), {}
        while re.match(r"[A-Z][A-Z_]*=", words[0]):
            name, _, value = words.pop(0).partition("=")
            settings[name] = value
        return self.problems(entry, "the command", words, settings)

    def of_base(self, entry):
        run = self.ftlab(["check", entry.name])
        return [f"FAILED: {entry.place}: {entry.name}: is refused itself: {run.stderr.decode()}"] if run.returncode else []


def state_of(folders):
    return {path: path.lstat().st_mtime_ns for folder in folders for path in folder.rglob("*")}


def main():
    entries = unpack.read_tables()
    commands = [entry for entry in entries.values() if entry.is_bad and entry.door == "commands"]
    files = [entry for entry in entries.values() if entry.is_bad and entry.door != "commands"]
    bases = [entries[name] for name in sorted({entry.base for entry in files if entry.base})]
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as out, ThreadPoolExecutor(2) as pool:
        unpack.unpack(entries, folder)
        for name in ("README.md", "configs", "docs", "validation"):
            os.symlink(SOURCE / name, f"{folder}/{name}")
        watched = [SOURCE / "configs", SOURCE / "validation/checks/bad_inputs", pathlib.Path(folder)]
        before, trial = state_of(watched), Trial(folder, entries)
        found = sum(pool.map(trial.of_file, files), []) + sum(pool.map(trial.of_command, commands), []) + sum(map(trial.of_base, bases), [])
        good = trial.ftlab(["run", GOOD_JOB, *DRIVE, "--out", out + "/x"])
        if good.returncode != 0:
            found.append("FAILED: the job that the drive files are tried with is refused itself: " + good.stderr.decode())
        if state_of(watched) != before:
            found.append("FAILED: something in the tree was written")
    if len(files) < LEAST_FILES or len(commands) < LEAST_COMMANDS:
        found.append(f"FAILED: only {len(files)} files and {len(commands)} commands in the tables")
    print("\n".join(found + [f"{len(files)} bad inputs, {len(commands)} bad commands, {len(bases)} bases, {len(found)} failures"]))
    return 1 if found else 0


sys.exit(main())
