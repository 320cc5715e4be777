#!/usr/bin/env python3
"""ext4 on a served drive whose power fails at random times, through nbdfuse and a loop device. In each round files are
written, synced and deleted and the free space is trimmed until the power fails. Then fsck must find a clean file system
after journal replay, and every synced file must have its bytes. At the end the recording, with its power cuts, is replayed
and must give the same signature and the same damage. Status 77: skipped."""

import argparse
import hashlib
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import serving


def fill(place: pathlib.Path, draw: random.Random, synced: dict[str, str], number: int) -> None:
    """Creates and deletes files until the drive fails. `synced`: the files that must exist afterwards, by name."""
    while True:
        name = f"f{draw.randrange(80)}"
        kind = draw.randrange(12)
        path = place / name
        if kind < 8:
            data = draw.randbytes(draw.randrange(1, 250_000))
            synced.pop(name, None)
            fresh = place / f"new{number}"
            with open(fresh, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.rename(fresh, path)
            directory = os.open(place, os.O_RDONLY)
            try:
                os.fsync(directory)
            finally:
                os.close(directory)
            synced[name] = hashlib.sha256(data).hexdigest()
        elif kind < 11:
            if path.exists():
                synced.pop(name, None)
                path.unlink()
        else:
            serving.run("fstrim", place)


def one_round(folder: pathlib.Path, served: serving.Served, draw: random.Random, synced: dict[str, str], number: int,
              checked_rounds: list[int]) -> None:  # fmt: skip
    """Ends when the power has failed."""
    loop = serving.Loop(served, folder)
    place = folder / "mounted"
    place.mkdir(exist_ok=True)
    try:
        # Mounting replays the journal; afterwards fsck must find no errors.
        serving.run("mount", loop.device, place)
        serving.run("umount", place)
        checked = subprocess.run(["e2fsck", "-fn", loop.device], capture_output=True, text=True, env=serving.SBIN)
        if checked.returncode != 0:
            raise RuntimeError(f"round {number}: fsck found errors\n{checked.stdout}{checked.stderr}")
        serving.run("mount", loop.device, place)
        for name, digest in synced.items():
            found = hashlib.sha256((place / name).read_bytes()).hexdigest() if (place / name).exists() else "nothing"
            if found != digest:
                raise RuntimeError(f"round {number}: {name} was synced and is {found}")
        checked_rounds.append(number)
        try:
            fill(place, draw, synced, number)
        except (OSError, subprocess.CalledProcessError):
            pass  # the power has failed
        subprocess.run(["umount", str(place)], capture_output=True, env=serving.SBIN)
        subprocess.run(["umount", "-l", str(place)], capture_output=True, env=serving.SBIN)
    finally:
        loop.end()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cuts", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--writes", type=int, default=150, help="mean number of writes between two cuts")
    parser.add_argument("--drive", default="example-small-and-slow")
    asked = parser.parse_args()
    if why := serving.lacking("nbdkit", "nbdfuse", "mkfs.ext4", "fstrim", "losetup", root=True):
        print(f"skipped: {why}")
        return 77
    draw = random.Random(asked.seed)
    synced: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        state, data = folder / "state", folder / "bytes"
        with serving.Served(folder, asked.drive, "--save", state, "--data", data) as served:
            loop = serving.Loop(served, folder)
            serving.run("mkfs.ext4", "-q", "-F", "-J", "size=4", loop.device)
            loop.end()
            served.end()
        rounds, checked_rounds = 0, list[int]()
        inject = f"power-cut@random:{asked.seed}:{asked.writes}"
        with serving.Served(folder, "--load", state, "--data", data, "--out", folder / "out", "--inject", inject,
                            "--record", folder / "trace") as served:  # fmt: skip
            cuts = 0
            while cuts < asked.cuts:
                try:
                    one_round(folder, served, draw, synced, rounds, checked_rounds)
                except (OSError, subprocess.CalledProcessError, RuntimeError):
                    # The power may fail during the checks. Lost data are then found in the next round.
                    if served.figures()["power_cuts"] == cuts:
                        raise
                cuts = int(str(served.figures()["power_cuts"]))
                rounds += 1
            served.end()
        result = json.loads((folder / "out" / "result.json").read_text())["ftlab"]
        lost = sum(cut["pages_lost"] for cut in result["served"]["power_cuts"])
        print(f"{cuts} power cuts took {lost} pages back; {len(checked_rounds)} times fsck found nothing and all synced files "
              f"were as they were (now {len(synced)})")  # fmt: skip
        print(f"write amplification {result['wa']['total']:.3f}; simulated {result['simulated_s']:.1f} s")
        same = serving.replays(folder / "trace", folder / "out", "--load", state)
        print(f"the recording replays to {'the same' if same else 'ANOTHER'} signature and damage, {result['signature']}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
