"""Every file of validation/checks/bad_inputs with a .expect beside it is refused with exactly that message, by `ftlab check`
and by `ftlab run`, and so is every command of its folder commands/; what is refused leaves nothing behind."""

import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

SOURCE = pathlib.Path(os.environ["FTLAB_SOURCE"])
FTLAB = os.environ["FTLAB_BIN"] + "/ftlab"
INPUTS = pathlib.Path("validation/checks/bad_inputs")  # from SOURCE, as the messages name them
DRIVE = "configs/drives/kingston-ssdnow-v-64.json"
GOOD_JOB = "[write]\nrw=randwrite\nbs=4k\nsize=64k\nioengine=libaio\ndirect=1\n"
LEAST_FILES, LEAST_COMMANDS = 570, 130  # fewer mean that some were lost


def problems(what, expect, words, settings=None):
    """`words` in which OUT stands for an empty folder: status 2, the message of `expect`, nothing on stdout, nothing left."""
    with tempfile.TemporaryDirectory() as folder:
        out = folder + "/out"
        os.mkdir(out)
        run = subprocess.run([FTLAB] + [word.replace("OUT", out) for word in words], cwd=SOURCE, capture_output=True,
                             env={**os.environ, **(settings or {})}, check=False)  # fmt: skip
        left = os.listdir(out)
    said = run.stderr.decode(errors="surrogateescape").replace(out, "OUT").replace(f"{SOURCE}/", "")
    expected = expect.read_bytes().decode(errors="surrogateescape")
    found = []
    if run.returncode != 2:
        found.append(f"exit status {run.returncode} instead of 2")
    if run.stdout:
        found.append("it writes to stdout")
    if left:
        found.append(f"it leaves {', '.join(left)} behind")
    if said != expected:
        found.append("another message\n" + "\n".join(difflib.unified_diff(expected.split("\n"), said.split("\n"), "expected", "got", lineterm="")))
    return [f"FAILED: {what}: {problem}" for problem in found]


def of_file(path, job):
    expect = SOURCE / path.with_suffix(".expect")
    if not expect.exists():
        return [f"FAILED: {path} has no {expect.name} beside it"]
    beside = SOURCE / path.with_suffix(".args")
    options = beside.read_text().split() if beside.exists() else []
    if path.name.startswith("procedure-"):
        run = [str(path), "--drive", DRIVE]
    elif path.name.startswith("host-"):
        run = [job, "--drive", DRIVE, "--host", str(path)]
    elif path.suffix == ".json":
        run = [job, "--drive", str(path)]
    else:
        run = [str(path), *options, "--drive", DRIVE]
    return problems(f"ftlab check {path}", expect, ["check", str(path), *options]) + problems(
        f"ftlab run with {path}", expect, ["run", *run, "--out", "OUT/x"]
    )


def of_command(path):
    """One word a line, settings of the environment first."""
    words, settings = (SOURCE / path).read_text().split("\n")[:-1], {}
    while re.match(r"[A-Z][A-Z_]*=", words[0]):
        name, _, value = words.pop(0).partition("=")
        settings[name] = value
    return problems(f"the command of {path}", SOURCE / path.with_suffix(".expect"), words, settings)


def tree_state():
    return {path: path.lstat().st_mtime_ns for folder in ("configs", INPUTS) for path in (SOURCE / folder).rglob("*")}


def main():
    inside = lambda pattern: sorted(path.relative_to(SOURCE) for path in (SOURCE / INPUTS).glob(pattern))  # noqa: E731
    files = [path for door, kind in (("drive", "json"), ("host", "json"), ("job", "fio"), ("procedure", "json"), ("trace", "trace"))
             for path in inside(f"{door}/*.{kind}")]  # fmt: skip
    commands = inside("commands/*.args")
    before = tree_state()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        job = folder + "/good.fio"
        pathlib.Path(job).write_text(GOOD_JOB)
        found = sum(pool.map(lambda path: of_file(path, job), files), [])
        found += sum(pool.map(of_command, commands), [])
        good = subprocess.run([FTLAB, "run", job, "--drive", DRIVE, "--out", folder + "/x"], cwd=SOURCE, capture_output=True, check=False)
        if good.returncode != 0:
            found.append("FAILED: the job that the drive files are tried with is refused itself: " + good.stderr.decode())
    if len(files) < LEAST_FILES or len(commands) < LEAST_COMMANDS:
        found.append(f"FAILED: only {len(files)} files and {len(commands)} commands in {INPUTS}")
    if tree_state() != before:
        found.append("FAILED: something in the tree was written")
    print("\n".join(found + [f"{len(files)} bad inputs, {len(commands)} bad commands, {len(found)} failures"]))
    return 1 if found else 0


sys.exit(main())
