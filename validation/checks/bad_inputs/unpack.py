#!/usr/bin/env python3
"""Reads the tables of bad inputs, and writes what is in them as files.

    unpack.py FOLDER          # all inputs, and the message of each as FOLDER/NAME.expect

A table is any *.txt beside this program, one a door. The lines before its first heading are a comment. A heading begins a
file:

    === NAME                  # a bad input: its text, then its message in lines that begin with "! "
    +++ NAME                  # a file that others read or change; it has no message
    === NAME from OTHER       # the text of OTHER with changes, one a line, made in turn:
    OLD => NEW                #   what is there exactly once becomes something else; \\n stands for the end of a line
    + LINE                    #   a line more at the end
    === NAME in bytes         # the lines below, put together without their ends: \\xNN, \\n and \\\\ are bytes, and
    N times TEXT              #   a line of this kind stands for N of them

NAME is a path from this folder, and messages name files so. In a .json <5> is short for {"value": 5, "from": "assumed",
"source": "made up"}. The text of a file in commands/ is a command, as a shell takes it, with OUT for an empty folder. A
blank line before a heading belongs to no file.
"""

import pathlib
import re
import sys

TABLES = pathlib.Path(__file__).resolve().parent
ASSUMED = re.compile(rb"<(-?\d+)>")
HEADING = re.compile(r"(===|\+\+\+) (\S+)(?: from (\S+)| (in bytes))?")
ESCAPE = re.compile(rb"\\(?:x([0-9a-f]{2})|(n)|\\)")


def byte_of(escape):
    return bytes.fromhex(escape[1].decode()) if escape[1] else b"\n" if escape[2] else b"\\"


class Entry:
    def __init__(self, place, heading):
        self.place, (kind, self.name, self.base, self.in_bytes) = place, heading.groups()
        self.is_bad, self.door = kind == "===", self.name.split("/")[0]
        self.lines, self.message = [], []

    def check(self, holds, fault):
        if not holds:
            raise SystemExit(f"{self.place}: {self.name}: {fault}")

    def end(self):
        """Of what the table says of it."""
        self.check(self.is_bad or not self.message, "has a message, but +++ stands before it")
        self.check(self.message or not self.is_bad, 'has no message: lines that begin with "! "')
        self.check(self.lines or not self.in_bytes, "has no bytes")
        self.message = "".join(line + "\n" for line in self.message)

    def changed(self, text):
        for line in self.lines:
            if line.startswith("+ "):
                text += line[2:] + "\n"
                continue
            old, arrow, new = (part.replace("\\n", "\n") for part in line.partition(" =>"))
            self.check(arrow, f"is not a change (OLD => NEW, or + LINE): {line}")
            self.check(text.count(old) == 1, f"its base has this {text.count(old)} times, not once: {old}")
            text = text.replace(old, new.removeprefix(" "))
        return text

    def data_in_bytes(self):
        data = b""
        for line in self.lines:
            times, text = re.fullmatch(r"(?:(\d+) times )?(.*)", line).groups()
            data += ESCAPE.sub(byte_of, text.encode()) * int(times or 1)
        return data


def entries_of(table):
    found = []
    for number, line in enumerate(table.read_text().split("\n")[:-1], 1):
        if heading := HEADING.fullmatch(line):
            if found and found[-1].lines and not found[-1].message and not found[-1].lines[-1]:
                found[-1].lines.pop()
            found.append(Entry(f"{table.relative_to(TABLES.parent)}:{number}", heading))
        elif line.startswith(("=== ", "+++ ")):
            raise SystemExit(f"{table.relative_to(TABLES.parent)}:{number}: is not a heading: {line}")
        elif not found:
            continue  # the comment
        elif line == "!" or line.startswith("! "):
            found[-1].message.append(line[2:])
        else:
            found[-1].check(not line or not found[-1].message, f"has a line behind its message: {line}")
            if not found[-1].message:
                found[-1].lines.append(line)
    for entry in found:
        entry.end()
    return found


def read_tables():
    """Every entry by its name; `data` is what stands in the file."""
    entries = {}
    for entry in (entry for table in sorted(TABLES.glob("*.txt")) for entry in entries_of(table)):
        entry.check(entry.name not in entries, "stands in the tables twice")
        entries[entry.name] = entry
    def data_of(entry, through=()):
        entry.check(entry not in through, "is its own base")
        if entry.in_bytes:
            return entry.data_in_bytes()
        if entry.base:
            entry.check(entry.base in entries, f"no table has its base {entry.base}")
            return entry.changed(data_of(entries[entry.base], (*through, entry)).decode()).encode()
        return "".join(line + "\n" for line in entry.lines).encode()

    for entry in entries.values():
        entry.data = data_of(entry)
        if entry.name.endswith(".json") and not entry.in_bytes:
            entry.data = ASSUMED.sub(rb'{"value": \1, "from": "assumed", "source": "made up"}', entry.data)
    return entries


def unpack(entries, folder):
    for entry in entries.values():
        path = pathlib.Path(folder) / entry.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(entry.data)


def main():
    entries = read_tables()
    unpack(entries, sys.argv[1])
    for entry in entries.values():
        if entry.is_bad:
            pathlib.Path(sys.argv[1], entry.name + ".expect").write_text(entry.message)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main()
