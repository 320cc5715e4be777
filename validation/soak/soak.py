#!/usr/bin/env python3
"""The nightly tests: runs the parts of parts.json in parallel, in two hours by default, and writes one page: what was asked,
what was reached, and what failed with the command that repeats it (OUT/COMMIT/report.md; all figures are in table.md next to
it).

    soak.py [--bin FOLDER] [--out FOLDER] [--hours 2] [--jobs 2] [--seed DATE] [--only PART] [--leave-out PART] [--again] [--whole]

A part that is not available is listed as missing, and the night has failed. The results of a part are stored in --out under
the commit's name as soon as it ends, so an interrupted night can be resumed; --again starts over. With --whole, the swarm,
the power cuts, the fuzzers and the network door run to their full totals: campaigns in pieces (campaign.py), which add up
over any number of calls as long as the program under test is identical to the byte (OUT/campaigns); --hours is then the time
of one call, in which no new piece starts when a campaign's share is used up. Exit status: 0 everything was reached, 1
something failed, was missing or took too long, 2 invalid request, 130 interrupted.
"""

import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import re
import signal
import subprocess
import sys

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


def campaign_of(part, folder):
    """The part as a campaign with its full total. One process runs it: its pieces add up from call to call."""
    wanted = part["campaign"]
    words = ["python3", "{source}/validation/soak/campaign.py", wanted["name"], "--total", str(wanted["total"]),
             "--piece", str(wanted["piece"]), "--bin", wanted.get("bin", "{bin}"), "--out", str(folder),
             "--seconds", "{seconds}", "--json", "{json}"]  # fmt: skip
    return dict(part, shares=1, weight=part["weight"] * part.get("shares", 1), command=words, goes_on=True)


class Task:
    """A part, or one of several processes that share a part."""

    def __init__(self, part, share, names, seconds):
        self.part, self.share = part, share
        self.goes_on = part.get("goes_on", False)
        shares = part.get("shares", 1)
        self.file = part["name"].replace(" ", "-") + (f"-{share}" if shares > 1 else "")
        names = dict(names, share=share, shares=shares, seconds=int(seconds), json=names["out"] / (self.file + ".json"))
        self.json = names["json"]
        self.log = names["out"] / (self.file + ".log")
        self.limit_s = 2 * seconds + (7200 if self.goes_on else 60)  # a piece that has started may finish
        self.missing = [need for need in (need.format(**names) for need in part["needs"]) if not os.path.exists(need)]
        self.command = [word.format(**names) for word in part["command"]]
        self.process = None

    def carry_out(self):
        """Returns the error, empty if there is none; the figures are in the file."""
        if self.missing:
            return "missing: there is no " + os.path.relpath(self.missing[0], SOURCE)
        if self.json.exists() and not self.goes_on:
            return ""
        with open(self.log, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=SOURCE,
                                            start_new_session=True)
            try:
                status = self.process.wait(self.limit_s)
            except subprocess.TimeoutExpired:
                self.end()
                return f"ended after {self.limit_s:.0f} s, twice its share; see {self.log}"
        if not self.json.exists():
            return f"exit status {status} and no figures; see {self.log}"
        return "" if status == 0 else f"exit status {status}; see {self.log}"

    def said(self):
        """The part's output about failures, with the commands that repeat them; if there is none, its last lines."""
        logs = [self.log]
        if self.goes_on:
            logs += sorted(self.json.parent.parent.glob(f"campaigns/*/{self.part['campaign']['name']}-*.log"))
        lines = [line for log in logs if log.exists() for line in log.read_text(errors="replace").splitlines() if line.strip()]
        return [line[:300] for line in [line for line in lines if _FAILED.search(line)][:3] or lines[-2:]]

    def end(self):
        """Kills the process and everything that it started."""
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def interrupted(number, frame):
    raise KeyboardInterrupt


def carry_out(tasks, jobs):
    """The error of each task, by the name of its file."""
    signal.signal(signal.SIGTERM, interrupted)
    pool = concurrent.futures.ThreadPoolExecutor(jobs)
    try:
        return dict(zip([task.file for task in tasks], pool.map(Task.carry_out, tasks)))
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
        parts = [campaign_of(part, out.parent / "campaigns") if "campaign" in part else part for part in parts]
    names = {"bin": arguments.bin.resolve(), "source": SOURCE, "out": out, "found": out / "found", "seed": arguments.seed}
    weights = sum(part["weight"] * part.get("shares", 1) for part in parts)
    budget_s = arguments.hours * 3600 * arguments.jobs
    tasks = [Task(part, share, names, budget_s * part["weight"] / weights)
             for part in parts for share in range(part.get("shares", 1))]
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
