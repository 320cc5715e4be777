#!/usr/bin/env python3
"""Writes the drives of configs/drives that are known from their data sheets: one file each, and the family they extend.

    validation/calibrate/rated_library.py [FOLDER]

Each drive of validation/measured/nvme/data_sheets.csv is solved by `ftlab init --rated`. What all have in common becomes the
family. Takes two minutes on two idle cores.
"""

import argparse
import concurrent.futures
import csv
import json
import os
import pathlib
import re
import subprocess
import tempfile

TREE = pathlib.Path(__file__).resolve().parents[2]
FTLAB = pathlib.Path(os.environ.get("FTLAB_BIN", TREE / "build/bin")) / "ftlab"
SHEETS = TREE / "validation/measured/nvme/data_sheets.csv"
FAMILY = "families/enterprise-tlc-176.json"
HEADING = "Written by validation/calibrate/rated_library.py."
# Sources of what the script answers at ftlab init.
ANSWERS = {"user_sectors": ("datasheet", "capacity"),
           "channels": ("assumed", "usual of controllers for servers"),
           "generation": ("datasheet", "interface"),
           "lanes": ("datasheet", "interface")}


def solved(sheet: dict[str, str], folder: str) -> dict:
    """The drive file that ftlab init writes."""
    file = pathlib.Path(folder) / f"{sheet['file']}.json"
    user, raw = float(sheet["user_GiB"]), float(sheet["nominal_raw_GiB"])
    subprocess.run([FTLAB, "init", file, "--name", sheet["name"], "--capacity", f"{round(user * 2**18) * 4}KiB", "--flash", "tlc-176",
                    "--interface", sheet["interface"], "--use", "enterprise", "--over-provisioning", f"{raw / user - 1:.1%}",
                    "--rated", f"seq_write={sheet['seq_write_MBps']}MB/s,rand_write={sheet['rand_write_IOPS']}"], check=True)
    return json.loads(re.sub(r"^\s*//.*$", "", file.read_text(), flags=re.M))


def state_sources(node: dict) -> None:
    for key, value in node.items():
        if not isinstance(value, dict):
            continue
        state_sources(value)
        if value.get("from") == "default":
            value["from"] = "assumed"
        if value.get("source") == "answer at ftlab init":
            value["from"], value["source"] = ANSWERS[key]


def is_object(value: object) -> bool:
    return isinstance(value, dict) and "value" not in value


def common(drives: list[dict]) -> dict:
    """What all drives have alike."""
    first, shared = drives[0], {}
    for key, value in first.items():
        if is_object(value):
            if inner := common([drive[key] for drive in drives]):
                shared[key] = inner
        elif all(drive[key] == value for drive in drives):
            shared[key] = value
    return shared


def without(drive: dict, shared: dict) -> dict:
    rest = {key: without(value, shared.get(key, {})) if is_object(value) else value
            for key, value in drive.items() if is_object(value) or key not in shared}
    return {key: value for key, value in rest.items() if value != {}}


def text_of(node: dict, indent: str = "") -> str:
    """JSON with one line for each number and its source."""
    lines = [f"{indent}  {json.dumps(key)}: " + (text_of(value, indent + "  ") if is_object(value) else json.dumps(value))
             for key, value in node.items()]
    return "{\n" + ",\n".join(lines) + f"\n{indent}}}"


def write(file: pathlib.Path, heading: str, node: dict) -> None:
    file.write_text(f"// {heading}\n{text_of(node)}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path, nargs="?", default=TREE / "configs/drives")
    folder = parser.parse_args().folder
    with open(SHEETS, newline="") as table:
        sheets = list(csv.DictReader(table))
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        drives = list(pool.map(lambda sheet: solved(sheet, scratch), sheets))
    for drive in drives:
        state_sources(drive)
    shared = common(drives)
    (folder / "families").mkdir(parents=True, exist_ok=True)
    write(folder / FAMILY, f"Not a drive: enterprise drives of 3D TLC flash, sold from 2020 on. {HEADING}", shared)
    for sheet, drive in zip(sheets, drives):
        own = {"extends": FAMILY, **without(drive, shared)}
        write(folder / f"{sheet['file']}.json", f"{sheet['name']}, from two ratings of its data sheet. {HEADING}", own)


if __name__ == "__main__":
    main()
