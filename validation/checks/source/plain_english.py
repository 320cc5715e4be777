"""Comments and messages in plain English; the last line says how many rules are broken.

Phrases that a reader stumbles over are counted in comment blocks and in messages (strings of three words or more outside of
tests). A share above its limit is a broken rule; the limits only fall. A low share is necessary, not sufficient.

Usage: plain_english.py [--list] [FOLDER...]: --list prints what was found.
"""

import ast
import collections
import pathlib
import re
import subprocess
import sys

TREE = pathlib.Path(__file__).resolve().parents[3]
MOST_COMMENTS, MOST_MESSAGES = 3.0, 2.0  # per cent
PHRASES = {
    "an orphan genitive": r"^[Oo]f (?!course)",
    "a free relative as subject": r"^[Ww]hat ",
    "is no NOUN": r"\b(is|are) no (?!longer|more|way|need|reason|room)\w",
    "there is none": r"\bthere (is|are) (none|not)\b",
    "has not NOUN": r"\b(has|have) not (the|a|so)\b",
    "so many, so much": r"\bso (many|much|often|long)\b(?! as)",
    "a particle": r"\b(amid|anew|one day|any more|at work|all that|goe?s? on|going on|one (behind|after|by) (the other|one))\b",
    "a verb of people": r"\b(is|are) (told|lent)\b|\btells? (of|nothing)\b|\bsays? (of|so|it)\b|\blets? in\b|\bheld to\b|\bforetold\b",
    "a verb with a riddle": r"\bput (in|into|behind|elsewhere|down|away)\b|\bcomes? to\b",
    "a person": r"\b([Ww]hoever|[Nn]obody|[Ss]omebody|[Ww]hom)\b",
    "silence": r"\bsilen(t|ce)\b",
    "for it": r"[,;] for (it|they|the|what|no|only|its|a)\b",
    "too at the end": r", too\b",
    "an ellipsis": r"\.\.\.",
    # Words that the glossary in ftl/README.md replaces.
    "a word of its own": r"\b(look_after_cells|fast superblock|held pages|paced job|foreground step|paid request)\b",
}
SKIPPED = re.compile(r"(namespace|NOLINT|clang-format|---|type:|noqa|fmt:)")
STRING = re.compile(r'//[^\n]*|R"(\w*)\((.*?)\)\1"|"((?:\\.|[^"\\\n])*)"', re.S)


def comments(path, text):
    mark = "#" if path.suffix == ".py" else "//"
    lines, i = text.split("\n"), 0
    while i < len(lines):
        first, words = i, []
        while i < len(lines) and lines[i].strip().startswith(mark) and not lines[i].startswith("#!"):
            words.append(lines[i].strip().lstrip("/#").strip())
            i += 1
        if words:
            yield first + 1, " ".join(words)
            continue
        trailing = re.search(r"(?<![:\"'])//\s(.+)$", lines[i]) if path.suffix != ".py" else None
        if trailing:
            yield i + 1, trailing.group(1)
        i += 1


def strings(text):
    """Of C++ and JavaScript; neighbouring literals are one string."""
    found, end = [], -1
    for match in STRING.finditer(text):
        if match.group().startswith("//"):
            continue
        part = match.group(2) if match.group(2) is not None else match.group(3)
        if found and not text[end:match.start()].strip():
            found[-1][1] += part
        else:
            found.append([text.count("\n", 0, match.start()) + 1, part])
        end = match.end()
    return found


def python_strings(text):
    """All but docstrings; {} stands for what an f-string fills in."""
    tree, inner = ast.parse(text), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            inner.add(id(node.value))
        if isinstance(node, ast.JoinedStr):
            inner.update(id(part) for part in node.values)
            yield node.lineno, "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inner:
            yield node.lineno, node.value


def is_test(path):
    return "_test" in path.name or {"tests", "testing", "checks"} & set(path.parts)


def messages(path, text):
    if is_test(path):
        return
    for line, string in python_strings(text) if path.suffix == ".py" else strings(text):
        if len(string.split()) >= 3 and re.search(r"[a-z]{3}", string):
            yield line, string


class Share:
    """How many of some texts hold a phrase of the table."""

    def __init__(self, name, most):
        self.name, self.most, self.texts, self.hits, self.by_phrase = name, most, 0, [], collections.Counter()

    def add(self, place, text):
        self.texts += 1
        phrases = [name for name, pattern in PHRASES.items() if re.search(pattern, text)]
        self.by_phrase.update(phrases)
        if phrases:
            self.hits.append(f"{place}: {text}  [{', '.join(phrases)}]")

    def per_cent(self):
        return 100 * len(self.hits) / max(1, self.texts)

    def report(self, listed):
        if listed:
            print(*self.hits, sep="\n")
        for phrase, count in self.by_phrase.most_common():
            print(f"{count:6}  {phrase}")
        print(f"{len(self.hits)} of {self.texts} {self.name} ({self.per_cent():.1f} %; at most {self.most:g})")
        return self.per_cent() > self.most


def main():
    listed = "--list" in sys.argv
    folders = [word for word in sys.argv[1:] if word != "--list"]
    names = subprocess.run(["git", "ls-files", "-z", *folders], cwd=TREE, capture_output=True, text=True, check=True).stdout
    blocks, texts = Share("comment blocks", MOST_COMMENTS), Share("messages", MOST_MESSAGES)
    for name in names.split("\0"):
        path = pathlib.Path(name)
        if path.suffix not in (".h", ".cpp", ".py", ".js") or not (TREE / path).exists():
            continue
        text = (TREE / path).read_text(errors="replace")
        for line, words in comments(path, text):
            if not SKIPPED.match(words):
                blocks.add(f"{name}:{line}", words)
        for line, words in messages(path, text):
            texts.add(f"{name}:{line}", words)
    broken = blocks.report(listed) + texts.report(listed)
    print(f"{broken} rules broken")
    return broken != 0


if __name__ == "__main__":
    sys.exit(main())
