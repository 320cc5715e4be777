"""Which changes mutate.py makes: small mistakes that a programmer could make and a compiler would not see. Conservative:
what is not surely an expression or a statement inside a function is left alone.

Each change is made by insertions and by replacing single operators, so that all of them stand in one text at a time, each
behind its own switch (mutation_switch.h)."""

from dataclasses import dataclass, field

from cpp_tokens import Source


@dataclass
class Edit:
    start: int
    end: int  # == start: an insertion
    text: str  # with @0, @1, ... for the numbers of the place's mutants
    opens: bool = False  # an insertion before what it surrounds
    width: int = 0  # of what it surrounds: the wider, the further outside


@dataclass
class Place:
    """One spot of a file and the mutants there."""

    start: int
    end: int
    changes: list  # one sentence for each mutant
    edits: list
    numbers: list = field(default_factory=list)


_COMPARISONS = {"<": "Less", "<=": "LessEqual", ">": "Greater", ">=": "GreaterEqual"}
_CHANGED = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<")}
_EQUALITIES = {"==": "Equal", "!=": "Unequal"}
_ARITHMETIC = {"+": "Plus", "-": "Minus", "*": "Times", "/": "Over", "%": "Modulo", "&": "And"}
_ARITHMETIC_CHANGED = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "/", "&": "|"}
_ASSIGNMENTS = {"+=": "AddTo", "-=": "TakeFrom"}
_ASSIGNING = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
_NO_STATEMENT = {
    "return", "throw", "delete", "if", "for", "while", "do", "switch", "case", "default", "break", "continue", "goto",
    "using", "typedef", "static", "const", "constexpr", "auto", "namespace", "template", "class", "struct", "enum", "union",
    "public", "private", "protected", "friend", "static_assert", "else", "try", "catch", "extern", "explicit", "virtual",
    "inline", "operator", "decltype", "new", "FTLAB_CHECK", "FTLAB_DCHECK", "REQUIRE",
}  # fmt: skip
_TYPE_SCOPES = {"namespace", "class", "struct", "union", "enum", "extern"}


def find_places(text):
    """All places of a file, in order."""
    source = Source(text)
    places = []
    inside = _inside_functions(source)
    skipped = _skipped(source)
    for index, token in enumerate(source.tokens):
        if not inside[index] or index in skipped:
            continue
        place = _operator_place(source, index) if token.kind == "operator" else _word_place(source, index)
        if place:
            places.append(place)
    places += _operand_places(source, inside, skipped)
    places += _statement_places(source, inside, skipped)
    return sorted(places, key=lambda place: (place.start, -place.end))


def _inside_functions(source):
    """For each token whether it stands inside the body of a function."""
    inside, scopes = [], []
    statement = 0
    for index, token in enumerate(source.tokens):
        if token.text == "}" and token.kind == "operator":
            scopes.pop()
        inside.append(bool(scopes) and scopes[-1] == "code")
        if token.kind != "operator":
            continue
        if token.text == "{":
            scopes.append(_scope(source, statement, index, scopes))
        if token.text in ("{", "}", ";"):
            statement = index + 1
    return inside


def _scope(source, statement, brace, scopes):
    first = statement
    tokens = source.tokens
    while first < brace and tokens[first].text == "template":
        first = _behind_template(tokens, first + 1)
    while first < brace and tokens[first].text in ("public", "private", "protected"):
        first += 2
    words = [token.text for token in tokens[first:brace]]
    if words and words[0] in _TYPE_SCOPES and "(" not in words:
        return "types"
    if scopes and scopes[-1] == "code":
        return "code"
    # At the scope of types: the body of a function, or the value of a variable or member.
    head = words[-1:] and (words[-1] in (")", "const", "noexcept", "override", "final", "}") or "->" in words)
    return "code" if head and ")" in words else "value"


def _behind_template(tokens, index):
    depth = 0
    while True:
        depth += {"<": 1, ">": -1, ">>": -2}.get(tokens[index].text, 0)
        index += 1
        if depth <= 0:
            return index


def _skipped(source):
    """Tokens inside checks, and on lines of constant expressions or labels."""
    skipped = set()
    tokens = source.tokens
    for index, token in enumerate(tokens):
        named = token.text in ("FTLAB_CHECK", "FTLAB_DCHECK", "static_assert", "alignas")
        if token.kind == "word" and (named or token.text.startswith("__builtin_")):  # those want constants
            skipped.update(range(index, source.partner.get(index + 1, index) + 1))
        if token.text in ("constexpr", "case", "template", "enum", "using", "typedef", "operator"):
            end = index
            while end < len(tokens) and tokens[end].text not in (";", "{", ":"):
                end += 1
            skipped.update(range(index, end + 1))
    return skipped


def _replaced(token, text, changes):
    return Place(token.start, token.end, changes, [Edit(token.start, token.end, text)])


def _operator_place(source, index):
    token = source.tokens[index]
    if not token.spaced:
        return None
    op = token.text
    if op in _COMPARISONS:
        changes = [f"{op} is {changed}" for changed in _CHANGED[op]]
        return _replaced(token, f"< ::mutation::{_COMPARISONS[op]}<@0>{{}} >", changes)
    if op in _EQUALITIES:
        other = "!=" if op == "==" else "=="
        return _replaced(token, f"{op} ::mutation::{_EQUALITIES[op]}<@0>{{}} {op}", [f"{op} is {other}"])
    if op in _ARITHMETIC and source.tokens[index - 1].text not in ("operator",):
        if _joins_text(source, index):
            return None
        return _replaced(token, f"{op} ::mutation::{_ARITHMETIC[op]}<@0>{{}} {op}", [f"{op} is {_ARITHMETIC_CHANGED[op]}"])
    if op in _ASSIGNMENTS:
        if source.tokens[index + 1].kind == "string":
            return None
        other = "-=" if op == "+=" else "+="
        return _replaced(token, f"{op} ::mutation::{_ASSIGNMENTS[op]}<@0>{{}} {op}", [f"{op} is {other}"])
    return None


def _joins_text(source, index):
    """Whether a + joins strings: a neighbour is a literal, or what makes one."""
    tokens = source.tokens
    if tokens[index - 1].kind == "string" or tokens[index + 1].kind == "string":
        return True
    return any(tokens[i].text in ("to_string", "string") for i in range(index + 1, min(index + 5, len(tokens))))


def _word_place(source, index):
    token = source.tokens[index]
    before = source.tokens[index - 1]
    if token.kind == "number" and token.text.isdigit() and len(token.text) < 10:
        return _number_place(source, index)
    if token.kind == "word" and token.text in ("true", "false") and before.text == "return":
        to = "false" if token.text == "true" else "true"
        switch = "!::mutation::on(@0)" if token.text == "true" else "::mutation::on(@0)"
        return _replaced(token, switch, [f"returns {to}"])
    return None


def _number_place(source, index):
    tokens = source.tokens
    token, before, after = tokens[index], tokens[index - 1], tokens[index + 1]
    if before.text in ("{", "case", "[", "-", "<") and not before.spaced or after.text == "}":
        return None  # an index of a type, a sign, a constant of a strong type
    if before.text == "," and after.text == ">":
        return None
    changes = [f"{token.text} is {int(token.text) + 1}"]
    if int(token.text) > 0:
        changes.append(f"{token.text} is {int(token.text) - 1}")
    return _replaced(token, f"::mutation::one_off<@0>({token.text})", changes)


_OPERAND_ENDS = {",", ";", "?", ":", "&&", "||", "return"} | _ASSIGNING


def _operand_start(source, index):
    """The first token of the operand that ends before `index`; None: it is not clear."""
    tokens = source.tokens
    while index > 0:
        before = tokens[index - 1]
        if before.text in (")", "]", "}") and before.kind == "operator":
            index = source.partner[index - 1]
            continue
        if before.text in _OPERAND_ENDS or (before.text in ("(", "[", "{") and before.kind == "operator"):
            return index
        if before.text in ("<<", ">>") or before.text in _NO_STATEMENT:
            return None
        index -= 1
    return None


def _operand_end(source, index):
    """The first token behind the operand that begins at `index`; None: it is not clear."""
    tokens = source.tokens
    while index < len(tokens):
        token = tokens[index]
        if token.kind == "operator" and token.text in ("(", "[", "{"):
            index = source.partner[index] + 1
            continue
        if token.text in _OPERAND_ENDS or (token.kind == "operator" and token.text in (")", "]", "}")):
            return index
        if token.text in _NO_STATEMENT:
            return None
        index += 1
    return None


def _surround(source, first, last, before, after, changes):
    start, end = source.tokens[first].start, source.tokens[last].end
    width = end - start
    return Place(start, end, changes, [Edit(start, start, before, True, width), Edit(end, end, after, False, width)])


def _operand_places(source, inside, skipped):
    """Operands of && and || that are left out, conditions that are turned round."""
    tokens = source.tokens
    seen = set()
    for index, token in enumerate(tokens):
        if not inside[index] or index in skipped:
            continue
        if token.text in ("&&", "||") and token.spaced:
            for first, end in ((_operand_start(source, index), index), (index + 1, _operand_end(source, index + 1))):
                if first is None or end is None or (first, end) in seen:
                    continue
                seen.add((first, end))
                yield _operand_place(source, first, end - 1, token.text)
        elif token.text == "?" and token.spaced:
            first = _operand_start(source, index)
            if first is not None and first < index and tokens[first - 1].text not in ("&&", "||"):
                yield _turned_round(source, first, index - 1)
        elif token.text in ("if", "while") and tokens[index + 1].text == "(":
            first, last = index + 2, source.partner[index + 1] - 1
            words = {t.text for t in tokens[first : last + 1]}
            if not words & {"=", ";"}:
                yield _turned_round(source, first, last)


def _operand_place(source, first, last, op):
    if op == "&&":
        return _surround(source, first, last, "(::mutation::on(@0) || (", "))", ["operand of && left out"])
    return _surround(source, first, last, "(!::mutation::on(@0) && (", "))", ["operand of || left out"])


def _turned_round(source, first, last):
    return _surround(source, first, last, "(::mutation::on(@0) != static_cast<bool>(", "))", ["condition turned round"])


def _statement_places(source, inside, skipped):
    """Statements that are left out: calls, assignments, steps."""
    tokens = source.tokens
    first = 0
    index = 0
    while index < len(tokens):
        text = tokens[index].text if tokens[index].kind == "operator" else ""
        if text in ("(", "["):
            # What stands in parentheses is no statement, but for the bodies of lambdas, which are left alone.
            close = source.partner[index]
            is_head = tokens[index - 1].text in ("if", "for", "while", "switch", "constexpr")
            is_attribute = index == first and tokens[index + 1].text == "["
            index = close + 1
            if is_head or is_attribute:
                first = index
            continue
        if text == "{" and inside[index] and not _is_block(source, index):
            index = source.partner[index] + 1
            continue
        if text in ("{", "}"):
            first = index + 1
        elif text == ":" and tokens[first].text in ("case", "default", "public", "private", "protected"):
            first = index + 1
        elif text == ";":
            if inside[index] and inside[first] and first < index and first not in skipped:
                if _is_statement(source, first, index):
                    yield _left_out(source, first, index)
            first = index + 1
        elif tokens[index].text in ("else", "do"):
            first = index + 1
        index += 1


def _is_block(source, brace):
    """Of a brace in the body of a function: whether it begins a block and not the value of something."""
    before = [token.text for token in source.tokens[max(0, brace - 2) : brace]]
    attribute = before == ["]", "]"]  # if (...) [[unlikely]] {
    return attribute or before[-1] in (")", "{", "}", ";", ":", "else", "do", "try", "mutable", "noexcept")


def _is_statement(source, first, end):
    tokens = source.tokens[first:end]
    words = [token.text for token in tokens]
    if words == ["return"]:
        return True
    if words[0] in _NO_STATEMENT:
        return False
    outer = _outside_brackets(source, first, end)
    assigns = next((i for i, token in enumerate(outer) if token.kind == "operator" and token.text in _ASSIGNING), None)
    left = outer[:assigns]
    for one, following in zip(left, left[1:]):
        names = one.kind == "word" or one.text in (">", "*", "&", "&&")
        if names and following.kind == "word" and not (one is outer[0] and one.text == "*"):
            return False  # a declaration
    if assigns is not None:
        return left[-1].kind == "word" or left[-1].text in ("]", ")")
    return words[0] in ("++", "--") or (words[-1] == ")" and words[0] != "(")


def _outside_brackets(source, first, end):
    """The tokens of a statement but for those within its brackets."""
    outer, index = [], first
    while index < end:
        outer.append(source.tokens[index])
        index = source.partner[index] if source.tokens[index].text in ("(", "[", "{") else index + 1
    return outer


def _left_out(source, first, end):
    start, stop = source.tokens[first].start, source.tokens[end].end
    width = stop - start
    text = " ".join(source.text[start:stop].split())
    return Place(start, stop, [f"left out: {text[:60]}"], [
        Edit(start, start, "{ if (!::mutation::on(@0)) ", True, width),
        Edit(stop, stop, " }", False, width),
    ])  # fmt: skip


@dataclass
class Written:
    """Where an edit of a place stands in the changed text."""

    place: Place
    line: int
    first: int  # columns from 1
    last: int


def apply_places(text, places):
    """The text with all places' edits, and where each of them stands there."""
    edits = [(edit, place) for place in places for edit in place.edits]
    edits.sort(key=lambda item: (item[0].start, *_rank(item[0])))
    parts, written, position = [], [], 0
    line, column = 1, 1
    for edit, place in edits:
        if edit.start < position:
            raise ValueError(f"two changes at {edit.start}")
        line, column = _advance(text[position : edit.start], line, column)
        new = _numbered(edit.text, place.numbers)
        parts += [text[position : edit.start], new]
        written.append(Written(place, line, column, column + len(new) - 1))
        column += len(new)
        line, _ = _advance(text[edit.start : edit.end], line, column)
        position = edit.end
    return "".join(parts) + text[position:], written


def _advance(text, line, column):
    lines = text.count("\n")
    return line + lines, (column if lines == 0 else 1) + len(text.rpartition("\n")[2])


def _numbered(text, numbers):
    for i, mutant in enumerate(numbers):
        text = text.replace(f"@{i}", str(mutant))
    return text


def _rank(edit):
    """At one point: what ends there closes first, the narrowest first; then what begins there opens, the widest first."""
    if edit.end > edit.start:
        return (2, 0)
    return (1, -edit.width) if edit.opens else (0, edit.width)
