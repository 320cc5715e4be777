#!/usr/bin/env python3
"""The nightly tests: runs the parts of parts.json in parallel, in two hours by default, and writes one page: what was asked,
what was reached, and what failed with the command that repeats it (OUT/COMMIT/report.md; all figures are in table.md next to
it).

    soak.py [--bin FOLDER] [--out FOLDER] [--hours 2] [--jobs 2] [--seed DATE] [--only PART] [--leave-out PART] [--again] [--whole]

A part that is not available is listed as missing, and the night has failed. The results of a part are stored in --out under
the commit's name as soon as it ends, so an interrupted night can be resumed; --again starts over. With --whole, the swarm,
the power cuts, the fuzzers and the network door run to their full totals, in pieces that are numbered from 1; the number is
the seed. Pieces add up over any number of calls if the programs under test are identical to the byte: a commit that changes
only tests or documents continues the pieces of earlier commits, which are named. They are in
OUT/campaigns/PART-DIGEST/PART-NUMBER.json; an interrupted piece leaves nothing and is restarted. --hours is then the time of
one call, in which no new piece starts when a part's share is used up. Exit status: 0 everything was reached, 1 something
failed, was missing or took too long, 2 invalid request, 130 interrupted.
"""

import argparse
import concurrent.futures
import datetime
import hashlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

_FAILED = re.compile(r"FAILED|survived|^--- ")
SOURCE = pathlib.Path(__file__).resolve().parents[2]


def git(*arguments):
    done = subprocess.run(["git", "-C", str(SOURCE), *arguments], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def commit():
    name = git("rev-parse", "--short=12", "HEAD") or "no commit"
    return name + ("+changes" if git("status", "--porcelain", "--untracked-files=no") else "")


def write_whole(path, text):
    """Writes the file atomically."""
    partial = path.with_name(path.name + ".partial")
    partial.write_text(text)
    partial.replace(path)


class Task:
    """A part, or one of several processes that share a part."""

    def __init__(self, part, share, names, seconds):
        self.part, self.process, self.seconds = part, None, seconds
        shares = part.get("shares", 1)
        self.file = part["name"].replace(" ", "-") + (f"-{share}" if shares > 1 else "")
        self.json, self.log = names["out"] / (self.file + ".json"), names["out"] / (self.file + ".log")
        self.names = dict(names, share=share, shares=shares, seconds=int(seconds), json=self.json,
                          total=part.get("total", 0))  # fmt: skip
        self.limit_s = 2 * seconds + 60
        self.missing = [need for need in self.filled(part["needs"]) if not os.path.exists(need)]
        self.command = self.filled(part["command"])

    def filled(self, words, **names):
        return [word.format(**dict(self.names, **names)) for word in words]

    def run(self, command, json_file, log):
        """Returns the error, empty if there is none. The figures are in the file if there are any."""
        with open(log, "w", encoding="utf-8") as output:
            self.process = subprocess.Popen(command, stdout=output, stderr=output, stdin=subprocess.DEVNULL, cwd=SOURCE,
                                            start_new_session=True)
            try:
                status = self.process.wait(self.limit_s)
            except subprocess.TimeoutExpired:
                self.end()
                return f"ended after {self.limit_s:.0f} s, twice its share; see {log}"
        if not json_file.exists():
            return f"exit status {status} and no figures; see {log}"
        return "" if status == 0 else f"exit status {status}; see {log}"

    def carry_out(self):
        if self.missing:
            return "missing: there is no " + os.path.relpath(self.missing[0], SOURCE)
        return "" if self.json.exists() else self.run(self.command, self.json, self.log)

    def logs(self):
        return [self.log]

    def said(self):
        """The part's output about failures, with the commands that repeat them; if there is none, its last lines."""
        lines = [line for log in self.logs() if log.exists() for line in log.read_text(errors="replace").splitlines()]
        lines = [line[:300] for line in lines if line.strip()]
        return [line for line in lines if _FAILED.search(line)][:3] or lines[-2:]

    def end(self):
        """Kills the process and everything that it started."""
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


class Campaign(Task):
    """A part with its full total, in pieces."""

    def __init__(self, part, share, names, seconds):
        super().__init__(part, share, names, seconds)
        self.wanted, self.folder = part["campaign"], None
        self.limit_s += 7200  # a piece that has started may finish

    def digest(self):
        """Of the bytes of all programs that the part tests."""
        whole = hashlib.sha256()
        for pattern in map(pathlib.Path, self.filled(self.wanted["programs"])):
            for file in sorted(pattern.parent.glob(pattern.name)):
                whole.update(hashlib.sha256(file.read_bytes()).digest())
        return whole.hexdigest()[:12]

    def pieces(self, suffix="json"):
        found = self.folder.glob(f"{self.file}-*.{suffix}") if self.folder else []
        return sorted(found, key=lambda path: int(path.stem.rsplit("-", 1)[1]))

    def logs(self):
        return [self.log, *self.pieces("log")]

    def figures(self):
        """Sums all pieces. One piece must reach each state that must be reached; the total is the campaign's own."""
        figures = [figure for path in self.pieces() for figure in json.loads(path.read_text())["figures"]]
        for figure in figures:
            figure["asked"] *= figure["name"].startswith("probe:")
        figures = merged(figures)
        for figure in figures:
            if figure["name"] == self.wanted["figure"]:
                figure["asked"] = self.wanted["total"]
        return figures

    def complete(self):
        return any(holds(figure) for figure in self.figures() if figure["name"] == self.wanted["figure"])

    def carry_out(self):
        if not self.missing and "build" in self.wanted and subprocess.run(self.filled(self.wanted["build"])).returncode != 0:
            return "its programs cannot be built"
        if self.missing:
            return super().carry_out()
        digest, began, seed = self.digest(), time.monotonic(), 0
        self.folder = self.names["out"].parent / "campaigns" / f"{self.file}-{digest}"
        self.folder.mkdir(parents=True, exist_ok=True)
        while not self.complete() and time.monotonic() - began < self.seconds:
            seed += 1
            piece = self.folder / f"{self.file}-{seed}.json"
            if piece.exists():
                continue
            partial = piece.with_suffix(".partial")
            names = {"seed": seed, "share": 0, "shares": 1, "seconds": 0, "total": self.wanted["piece"], "json": partial}
            self.command = self.filled(self.wanted.get("command", self.part["command"]), **names)
            error = self.run(self.command, partial, piece.with_suffix(".log"))
            if not partial.exists():
                return error
            if digest != self.digest():
                return f"the programs were rebuilt while piece {seed} ran; it does not count"
            write_whole(piece, json.dumps(dict(json.loads(partial.read_text()), commit=commit())))
            partial.unlink()
        commits = sorted({json.loads(path.read_text())["commit"] for path in self.pieces()})
        summary = f"{len(self.pieces())} pieces with the same program ({self.folder.name}), run at {', '.join(commits)}"
        write_whole(self.json, json.dumps({"figures": self.figures(), "pieces": summary}))
        return ""


def interrupted(number, frame):
    raise KeyboardInterrupt


def carry_out(tasks, jobs):
    """The error of each task, by the name of its file."""
    signal.signal(signal.SIGTERM, interrupted)
    pool = concurrent.futures.ThreadPoolExecutor(jobs)
    try:
        return dict(zip([task.file for task in tasks], pool.map(lambda task: task.carry_out(), tasks)))
    except KeyboardInterrupt:
        pool.shutdown(wait=False, cancel_futures=True)
        for task in tasks:
            task.end()
        raise
    finally:
        pool.shutdown()


def figures_of(task):
    try:
        figures = json.loads(task.json.read_text())["figures"] if task.json.exists() else []
        for figure in figures:
            if not all(isinstance(figure[key], (int, float)) for key in ("asked", "reached", "failures")):
                raise ValueError(f"{figure['name']}: asked, reached and failures are numbers")
        return figures
    except (ValueError, KeyError) as error:
        return [{"name": f"{task.file}: figures that cannot be read ({error})", "asked": 1, "reached": 0, "failures": 1}]


def pieces_of(task):
    """Campaigns only: where the pieces were run."""
    try:
        return json.loads(task.json.read_text()).get("pieces", "")
    except (OSError, ValueError):
        return ""


def merged(figures):
    """Figures of processes that share a part: sums, but a state that must be reached is asked for only once."""
    by_name = {}
    for figure in figures:
        sum_of = by_name.setdefault(figure["name"], dict(figure, asked=0, reached=0, failures=0))
        probe = figure["name"].startswith("probe:")
        sum_of["asked"] = max(sum_of["asked"], figure["asked"]) if probe else sum_of["asked"] + figure["asked"]
        sum_of["reached"] += figure["reached"]
        sum_of["failures"] += figure["failures"]
    return list(by_name.values())


def holds(figure):
    return figure["failures"] == 0 and figure["reached"] >= figure["asked"]


def table(rows, told):
    lines = [told, "", "| | part | figure | asked | reached | failures |", "|---|---|---|---|---|---|"]
    for part, problem, figures in rows:
        if problem:
            lines.append(f"| **fails** | {part} | {problem} | | | |")
        for figure in figures:
            verdict = "holds" if holds(figure) else "**fails**"
            asked = f"{figure['asked']:,}" if figure["asked"] else ""
            lines.append(f"| {verdict} | {part} | {figure['name']} | {asked} | {figure['reached']:,} | {figure['failures']:,} |")
    return "\n".join(lines) + "\n"


def page(rows, tasks, told):
    """The summary page: one row per part, and the failures."""
    failing = [row for row in rows if row[1] or not all(map(holds, row[2]))]
    lines = [told, "", f"**{len(rows) - len(failing)} of {len(rows)} parts hold.**", "",
             "| | part | reached | asked | failures | what |", "|---|---|---|---|---|---|"]  # fmt: skip
    for row in rows:
        part, _, figures = row
        main = figures[0] if figures else {"name": "no figures", "asked": 0, "reached": 0, "failures": 0}
        asked = f"{main['asked']:,}" if main["asked"] else ""
        others = f", and {len(figures) - 1} more figures" if len(figures) > 1 else ""
        lines.append(f"| {'**fails**' if row in failing else 'holds'} | {part} | {main['reached']:,} | {asked} | "
                     f"{sum(figure['failures'] for figure in figures):,} | {main['name']}{others} |")  # fmt: skip
    for part, problem, figures in failing:
        lines += ["", f"**{part}**: {problem or 'not all was reached'}", ""]
        lines += [f"- {figure['name']}: {figure['reached']:,} of {figure['asked']:,}, {figure['failures']:,} failures"
                  for figure in figures if not holds(figure)][:5]  # fmt: skip
        for task in [task for task in tasks if task.part["name"] == part and not task.missing]:
            lines += [f"- repeats: `{' '.join(map(str, task.command))}`", *(f"- said: `{line}`" for line in task.said())]
    return "\n".join(lines) + "\n"


def chosen(parts, arguments):
    known = [part["name"] for part in parts]
    for name in arguments.only + arguments.leave_out:
        if name not in known:
            print(f"soak.py: unknown part {name}; known: {', '.join(known)}", file=sys.stderr)
            sys.exit(2)
    return [part for part in parts
            if (not arguments.only or part["name"] in arguments.only) and part["name"] not in arguments.leave_out]


def parse(arguments):
    parser = argparse.ArgumentParser(description="Runs the long tests for a night.")
    parser.add_argument("--bin", type=pathlib.Path, default=SOURCE / "build/presets/release-checked/bin")
    parser.add_argument("--out", type=pathlib.Path, default=SOURCE / "out/soak")
    parser.add_argument("--parts", type=pathlib.Path, default=SOURCE / "validation/soak/parts.json")
    parser.add_argument("--hours", type=float, default=2.0)
    parser.add_argument("--jobs", type=int, default=min(os.cpu_count() or 1, 2))
    parser.add_argument("--seed", type=int, default=int(datetime.date.today().strftime("%Y%m%d")))
    parser.add_argument("--only", action="append", default=[], metavar="PART")
    parser.add_argument("--leave-out", action="append", default=[], metavar="PART")
    parser.add_argument("--whole", action="store_true", help="campaigns to their full totals, over as many calls as it takes")
    parser.add_argument("--again", action="store_true", help="forget what this commit has reached already")
    return parser.parse_args(arguments)


def main():
    arguments = parse(sys.argv[1:])
    parts = chosen(json.loads(arguments.parts.read_text())["parts"], arguments)
    name = commit()
    out = arguments.out.resolve() / name
    out.mkdir(parents=True, exist_ok=True)
    if arguments.again:
        for file in out.glob("*.json"):
            file.unlink()
    if arguments.whole:
        parts = [dict(part, shares=1, weight=part["weight"] * part.get("shares", 1)) if "campaign" in part else part
                 for part in parts]  # fmt: skip
    names = {"bin": arguments.bin.resolve(), "source": SOURCE, "out": out, "found": out / "found", "seed": arguments.seed}
    weights = sum(part["weight"] * part.get("shares", 1) for part in parts)
    budget_s = arguments.hours * 3600 * arguments.jobs
    tasks = [(Campaign if arguments.whole and "campaign" in part else Task)(
                 part, share, names, min(budget_s * part["weight"] / weights, arguments.hours * 3600))
             for part in parts for share in range(part.get("shares", 1))]  # fmt: skip
    tasks.sort(key=lambda task: -task.limit_s)  # the longest first
    began = datetime.datetime.now(datetime.timezone.utc)
    try:
        problems = carry_out(tasks, arguments.jobs)
    except KeyboardInterrupt:
        print(f"interrupted; what was reached is kept in {out}", file=sys.stderr)
        return 130
    rows, pieces = [], []
    for part in parts:
        own = [task for task in tasks if task.part is part]
        problem = "; ".join(sorted({problems[task.file] for task in own} - {""}))
        rows.append((part["name"], problem, merged([figure for task in own for figure in figures_of(task)])))
        pieces += [f"{part['name']}: {words}." for words in map(pieces_of, own) if words]
    told = "\n".join([f"{began:%Y-%m-%d}, commit {name}, seed {arguments.seed}:", *([""] + pieces if pieces else [])])
    write_whole(out / "table.md", table(rows, told))
    write_whole(out / "report.md", page(rows, tasks, told))
    print(page(rows, tasks, told), end="")
    print(f"This page, the table of all figures and what each part said: {out}", file=sys.stderr)
    return 0 if all(not problem and all(map(holds, figures)) for _, problem, figures in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
