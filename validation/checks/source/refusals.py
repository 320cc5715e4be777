#!/usr/bin/env python3
"""Every refusal message in the sources must occur in the expected message of a bad input or in a test, or be listed in
refusals_elsewhere.json with a reason.

    refusals.py            # prints what is missing; status 1 when something is
    refusals.py --list     # all sentences found in the sources
"""

import json
import pathlib
import re
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[3]
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "validation/checks/bad_inputs"))
import unpack  # noqa: E402

FOLDERS = ["sim", "models", "ftl", "bindings"] + [
    "validation/" + folder for folder in ("run", "results", "compare", "calibrate", "scoreboard", "measure")
]
ELSEWHERE = SOURCE / "validation/checks/data/refusals_elsewhere.json"
# Calls that refuse an input: functions with these name prefixes, and the exceptions themselves.
CALL = re.compile(r"\b(?:refuse\w*|ConfigError|ArchiveError|is_bad|no|fault =)\s*[({]")
TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')
LEAST = 12  # characters of a sentence; shorter ones are names of keys


def without_comments(text):
    return re.sub(r"(?m)^\s*//.*$|\s//\s.*$", "", text)


def arguments_at(text, begin):
    """Text from `begin`, after an opening bracket, to the closing bracket."""
    depth, at = 1, begin
    while depth > 0 and at < len(text):
        if text[at] == '"':
            match = TEXT.match(text, at)
            at = match.end() if match else at + 1
            continue
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(text[at], 0)
        at += 1
    return text[begin:at - 1]


def literals_in(text):
    """String literals; adjacent ones are joined."""
    joined, end = None, 0
    for match in TEXT.finditer(text):
        if joined is not None and not text[end:match.start()].strip():
            joined += match.group(1)
        else:
            if joined is not None:
                yield joined
            joined = match.group(1)
        end = match.end()
    if joined is not None:
        yield joined


def sentences_in(path):
    text = without_comments(path.read_text())
    for call in CALL.finditer(text):
        for literal in literals_in(arguments_at(text, call.end())):
            sentence = literal.replace('\\"', '"').strip()
            if len(sentence) >= LEAST and " " in sentence:
                yield sentence, text.count("\n", 0, call.start()) + 1
                break


def sources():
    for folder in FOLDERS:
        for path in sorted((SOURCE / folder).rglob("*")):
            name = path.name
            if path.suffix in (".cpp", ".h") and "_test" not in name and path.parent.name != "testing" and not name.startswith("test_"):
                yield path


def tests():
    found = []
    for folder in ["sim", "models", "ftl", "bindings", "validation"]:
        for path in (SOURCE / folder).rglob("*"):
            if "_test" in path.name and path.suffix in (".cpp", ".sh") or path.name.startswith("test_") and path.suffix in (".py", ".h") or path.parent.name == "testing":
                found.append(path)
    texts = [path.read_text(errors="replace") for path in found] + [entry.message for entry in unpack.read_tables().values()]
    return re.sub(r'"\s*\n\s*"', "", "\n".join(texts)).replace('\\"', '"')


def is_shown(sentence, everywhere):
    """Each {} of the sentence matches a value."""
    if "{}" not in sentence:
        return sentence in everywhere
    return re.search(".{1,30}?".join(map(re.escape, sentence.split("{}"))), everywhere) is not None


def main():
    elsewhere = json.loads(ELSEWHERE.read_text()) if ELSEWHERE.exists() else {"sentences": {}, "files": {}}
    known, files = elsewhere["sentences"], elsewhere["files"]
    seen, everywhere, missing = set(), tests(), []
    for path in sources():
        if str(path.relative_to(SOURCE)) in files:
            continue
        for sentence, line in sentences_in(path):
            seen.add(sentence)
            if "--list" in sys.argv:
                print(f"{path.relative_to(SOURCE)}:{line}: {sentence}")
            elif sentence in known and is_shown(sentence, everywhere):
                missing.append(f"refusals_elsewhere.json lists what is tested: {sentence}")
            elif sentence not in known and not is_shown(sentence, everywhere):
                missing.append(f"{path.relative_to(SOURCE)}:{line}: {sentence}")
    gone = [sentence for sentence in known if sentence not in seen]
    gone += [file for file in files if not (SOURCE / file).exists()]
    for text in missing:
        print(text if text.startswith("refusals_") else f"no bad input and no test: {text}")
    for text in gone:
        print(f"refusals_elsewhere.json: no source has: {text}")
    print(f"{len(seen)} sentences, {len(known)} of them elsewhere, {len(missing)} missing")
    return 1 if missing or gone else 0


if __name__ == "__main__":
    sys.exit(main())
