"""Tokenizes C++ source as far as coverage.py needs it: what is code, where it is, and which brackets match. Relies on the
formatting of .clang-format: binary operators have spaces on both sides, template brackets and unary operators do not."""

import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      |(?P<raw>R"(?P<delimiter>[^(\s]*)\(.*?\)(?P=delimiter)")
      |(?P<string>"(?:\\.|[^"\\\n])*")
      |(?P<char>'(?:\\.|[^'\\\n])+')
      |(?P<directive>^[ \t]*\#(?:\\\n|[^\n])*)
      |(?P<number>\.?[0-9](?:'?[0-9a-zA-Z_.]|[eEpP][+-])*)
      |(?P<word>[A-Za-z_]\w*)
      |(?P<operator><=>|->\*|\.\.\.|<<=|>>=|::|->|\+\+|--|&&|\|\||[-+*/%&|^=!<>]=|<<|[-+*/%&|^=!<>?:;,.(){}\[\]~])
      |(?P<space>\s+)""",
    re.X | re.S | re.M,
)

_CLOSING = {"(": ")", "[": "]", "{": "}"}


_NO_FUNCTIONS = ("if", "for", "while", "switch", "catch", "return", "constexpr", "requires", "sizeof", "decltype")


@dataclass(frozen=True)
class Token:
    kind: str  # word, number, string, char, operator
    text: str
    start: int
    end: int
    spaced: bool  # white space before and after


class Source:
    """The code of a file: its tokens without comments and directives, and the closing token of each bracket."""

    def __init__(self, text):
        self.text = text
        self.tokens = list(_cut(text))
        self.partner = _match_brackets(self.tokens)
        self._bodies = None
        self._lines = [0] + [match.end() for match in re.finditer("\n", text)]

    def line(self, position):
        """The line number, from 1."""
        low, high = 0, len(self._lines)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._lines[middle] <= position else (low, middle)
        return low + 1

    def line_start(self, line):
        return self._lines[line - 1]

    def function(self, position):
        """Name of the innermost function around a position, as in its definition; empty outside of all functions. A
        lambda belongs to the function around it."""
        if self._bodies is None:
            braces = [index for index, token in enumerate(self.tokens) if token.text == "{"]
            self._bodies = [(self.tokens[index].start, self.tokens[self.partner[index]].start, name)
                            for index in braces if (name := self._function_of_body(index))]  # fmt: skip
        return next((name for begin, end, name in reversed(self._bodies) if begin < position <= end), "")

    def _function_of_body(self, index):
        first = index
        while first > 0 and self.tokens[first - 1].text not in ("{", "}", ";", "(", "["):
            first = self.partner[first - 1] if self.tokens[first - 1].text in (")", "]") else first - 1
        opened = [at for at in range(first + 1, index) if self.tokens[at].text == "(" and self.partner[at] < index]
        if not opened or any(self.tokens[at - 1].text == "]" for at in opened):  # a class or a lambda
            return ""
        name = opened[0] - 1
        if self.tokens[name].kind != "word" or self.tokens[first].text in _NO_FUNCTIONS or self.tokens[name].text in _NO_FUNCTIONS:
            return ""
        begin = name
        while begin >= first + 2 and self.tokens[begin - 1].text == "::":
            begin -= 2
        return "".join(token.text for token in self.tokens[begin:name + 1])


def _cut(text):
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise ValueError(f"no C++ at {position}: {text[position:position + 20]!r}")
        kind = match.lastgroup if match.lastgroup != "delimiter" else "raw"
        start, position = position, match.end()
        if kind in ("comment", "directive", "space"):
            continue
        spaced = text[start - 1 : start].isspace() and text[position : position + 1].isspace()
        yield Token("string" if kind == "raw" else kind, match.group(), start, position, spaced)


def _match_brackets(tokens):
    partner, open_ones = {}, []
    for index, token in enumerate(tokens):
        if token.kind != "operator":
            continue
        if token.text in _CLOSING:
            open_ones.append(index)
        elif token.text in _CLOSING.values():
            if not open_ones or _CLOSING[tokens[open_ones[-1]].text] != token.text:
                raise ValueError(f"{token.text} at {token.start} closes nothing")
            opening = open_ones.pop()
            partner[opening], partner[index] = index, opening
    if open_ones:
        raise ValueError(f"{tokens[open_ones[-1]].text} at {tokens[open_ones[-1]].start} is not closed")
    return partner
