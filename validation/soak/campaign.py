#!/usr/bin/env python3
"""A long campaign in pieces, each with its own seed: the results of the same program add up, whenever they were obtained.

    campaign.py {swarm,power-cuts,fuzzers,network-door} --total N [--piece N] [--seconds S] [--bin FOLDER] [--out FOLDER]

Runs the missing pieces in sequence until their sum is reached or the time is over, and prints the sum of all pieces,
including those of earlier calls. Pieces add up if the programs under test are identical to the byte: a commit that changes
only tests or documents continues the pieces of earlier commits, which are named. An interrupted piece leaves nothing and is
restarted. Pieces are numbered from 1, and the number is the seed; --first starts at another number, so that several
machines, or several processes (--every), can share a campaign. The fuzzers cannot be shared, because each piece continues
with the corpora of those before. The figures are in OUT/NAME-DIGEST/NAME-SEED.json. Without --total, only prints the sum.
Exit status: 0 everything was reached without failures, 1 not, 130 interrupted."""

import argparse
import hashlib
import json
import pathlib
import subprocess
import sys
import time

import soak

CAMPAIGNS = {
    "swarm": ("swarm: operations", "{bin}/ftlab-soak swarm --total {piece} --seed {seed} --probes --corpus {found}"),
    "power-cuts": ("cuts: power cuts", "{bin}/ftlab-soak cuts --total {piece} --seed {seed} --corpus {found}"),
    "fuzzers": ("executions of all doors",
                "{source}/validation/fuzz/fuzz.sh --fast --seconds {piece} --jobs 2 --seed {seed}"),
    "network-door": ("inputs at the network door",
                     "python3 {source}/validation/clients/network_door.py --bin {bin} --inputs {piece} --seed {seed} --out {found}"),
}
# The programs that a campaign tests. The fuzzers are built by the campaign.
PROGRAMS = {
    "swarm": ["{bin}/ftlab-soak"],
    "power-cuts": ["{bin}/ftlab-soak"],
    "fuzzers": ["{source}/build/presets/fuzz-fast/bin/ftlab-fuzz-*"],
    "network-door": ["{bin}/ftlab", "{bin}/ftlab-nbd.so", "{source}/validation/clients/network_door.py"],
}
BUILDS = {"fuzzers": ["{source}/validation/fuzz/fuzz.sh", "--fast", "--build"]}
PIECES = {"swarm": 50_000_000, "power-cuts": 50_000, "fuzzers": 600, "network-door": 1_000_000}


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=CAMPAIGNS)
    parser.add_argument("--total", type=int, default=0, help="operations, power cuts, executions or inputs in all")
    parser.add_argument("--piece", type=int,
                        help="size of one piece (default: 50 million operations, 50,000 cuts, 600 seconds of fuzzing, a million inputs)")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="no piece begins after them")
    parser.add_argument("--first", type=int, default=1, help="the first piece")
    parser.add_argument("--every", type=int, default=1, help="and only one piece in this many")
    parser.add_argument("--bin", type=pathlib.Path, default=soak.SOURCE / "build/bin")
    parser.add_argument("--out", type=pathlib.Path, default=soak.SOURCE / "out/campaigns")
    parser.add_argument("--json", type=pathlib.Path, help="also write the sums here")
    return parser.parse_args()


def digest(name, programs):
    """Digest of the bytes of all programs that the campaign tests."""
    whole = hashlib.sha256()
    for pattern in PROGRAMS[name]:
        path = pathlib.Path(pattern.format(bin=programs, source=soak.SOURCE))
        found = sorted(path.parent.glob(path.name))
        if not found:
            raise SystemExit(f"campaign.py: there is no {path}")
        for file in found:
            whole.update(hashlib.sha256(file.read_bytes()).digest())
    return whole.hexdigest()[:12]


def pieces(folder, name):
    return sorted(folder.glob(f"{name}-*.json"), key=lambda path: int(path.stem.rsplit("-", 1)[1]))


def total_of(folder, name):
    """Sums all pieces. One piece must reach each state that must be reached; other targets are the campaign's own."""
    figures = [figure for path in pieces(folder, name) for figure in json.loads(path.read_text())["figures"]]
    return soak.merged([dict(figure, asked=figure["asked"] if figure["name"].startswith("probe:") else 0)
                        for figure in figures])  # fmt: skip


def reached(folder, name):
    return sum(figure["reached"] for figure in total_of(folder, name) if figure["name"] == CAMPAIGNS[name][0])


def carry_out(folder, name, seed, wanted):
    """Runs one piece. Its exit status agrees with its figures; without figures it has failed."""
    partial = folder / f"{name}-{seed}.partial"
    command = CAMPAIGNS[name][1].format(bin=wanted.bin.resolve(), source=soak.SOURCE, piece=wanted.piece or PIECES[name],
                                        seed=seed, found=folder / "found").split()  # fmt: skip
    with open(folder / f"{name}-{seed}.log", "w", encoding="utf-8") as log:
        subprocess.run([*command, "--json", str(partial)], stdout=log, stderr=log, stdin=subprocess.DEVNULL, check=False)
    if not partial.exists():
        raise SystemExit(f"campaign.py: piece {seed} ended without figures; see {log.name}")
    if folder.name != f"{name}-{digest(name, wanted.bin.resolve())}":
        raise SystemExit(f"campaign.py: the programs were rebuilt while piece {seed} ran; it does not count")
    piece = dict(json.loads(partial.read_text()), commit=soak.commit())
    partial.unlink()
    soak.write_whole(folder / f"{name}-{seed}.json", json.dumps(piece))


def main():
    wanted = parse()
    if wanted.name in BUILDS:
        if subprocess.run([word.format(source=soak.SOURCE) for word in BUILDS[wanted.name]], check=False).returncode != 0:
            raise SystemExit("campaign.py: its programs cannot be built")
    folder = wanted.out.resolve() / f"{wanted.name}-{digest(wanted.name, wanted.bin.resolve())}"
    folder.mkdir(parents=True, exist_ok=True)
    began, seed = time.monotonic(), wanted.first
    try:
        while reached(folder, wanted.name) < wanted.total and time.monotonic() - began < wanted.seconds:
            if not (folder / f"{wanted.name}-{seed}.json").exists():
                carry_out(folder, wanted.name, seed, wanted)
            seed += wanted.every
    except KeyboardInterrupt:
        return 130
    figures = total_of(folder, wanted.name)
    for figure in figures:
        if figure["name"] == CAMPAIGNS[wanted.name][0]:
            figure["asked"] = wanted.total
    figures.sort(key=lambda figure: figure["name"] != CAMPAIGNS[wanted.name][0])
    count = len(pieces(folder, wanted.name))
    commits = sorted({json.loads(path.read_text())["commit"] for path in pieces(folder, wanted.name)})
    summary = f"{count} pieces with the same program ({folder.name})" + (", run at " + ", ".join(commits) if commits else "")
    if wanted.json:
        soak.write_whole(wanted.json, json.dumps({"figures": figures, "pieces": summary}))
    print(soak.table([(wanted.name, "" if count else "no piece is there", figures)], summary + ":"), end="")
    return 0 if count and all(map(soak.holds, figures)) else 1


if __name__ == "__main__":
    sys.exit(main())
