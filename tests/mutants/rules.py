# SPDX-License-Identifier: Apache-2.0
"""Mutants of equations, found by rule: a term, a factor or a sign less, two indices swapped.

A rule is a generator of (begin, end, replacement) in the body of a function. Rules read the layout of
clang-format: an operator between two operands has a space on each side, a sign and a pointer none."""

import dataclasses
import hashlib
import re

OPEN, CLOSE = "([{", ")]}"
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"", re.S)
FUNCTION = re.compile(r"^(?!static const)[a-z][^\n;{}=#]*?\b(\w+)\([^;{}=]*\)\n\{\n(.*?)^\}", re.M | re.S)
# What carries no equation: memory, contracts, messages, counts of operations, heads of loops,
# thresholds such as 1e-12, decimal digits.
ASIDE = re.compile(r"\bfor \(|ATEMI_REQUIRE|\b\w*tally\(|operations|_arena_|_take\(|\w*fail\(|sizeof"
                   r"|\bmem\w+\(|\de-\d|\bfloor\(|\(size_t\)")
WHOLE_NUMBER = re.compile(r"\d+\b(?!\.)")


@dataclasses.dataclass(frozen=True)
class Mutant:
    """`text` of the file `path` between `begin` and `end`, in `function`, becomes `new`."""
    path: str
    function: str
    rule: str
    begin: int
    end: int
    new: str
    line: int
    words: str
    key: str


def closing(text, at):
    """Where the bracket that opens at `at` closes."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] in OPEN) - (text[i] in CLOSE)
        if depth == 0:
            return i
    return len(text) - 1


def factor_end(text, at):
    """The end of the operand that begins at `at`: sign, name or number, then calls, indices, members."""
    at = re.compile(r"[-!~&*]*").match(text, at).end()
    while at < len(text):
        word = re.compile(r"(?:\w|\.|->|(?<=\de)-)+").match(text, at)
        if word:
            at = word.end()
        elif text[at] in OPEN:
            at = closing(text, at) + 1
        else:
            break
    return at


def term_end(text, at):
    """The end of the product that begins at `at`."""
    at = factor_end(text, at)
    while product := re.compile(r"\s[*/]\s+").match(text, at):
        at = factor_end(text, product.end())
    return at


def in_index(text, at):
    """Whether `at` is inside square brackets, or the head of a loop."""
    depth = 0
    for i in range(at - 1, -1, -1):
        if text[i] in ";{}":
            return False
        depth += (text[i] == "]") - (text[i] == "[")
        if depth < 0:
            return True
    return False


def binary(text, signs):
    for found in re.finditer(rf"\s([{signs}])\s+(?=\S)", text):
        if not WHOLE_NUMBER.match(text, found.end()) and not in_index(text, found.start()):
            yield found


def arguments(text, begin):
    """The spans of the arguments of the call whose bracket opens at `begin`."""
    end, at, spans = closing(text, begin), begin + 1, []
    depth = 0
    for i in range(begin + 1, end + 1):
        depth += (text[i] in OPEN) - (text[i] in CLOSE)
        if i == end or (text[i] == "," and depth == 0):
            spans.append((at, i))
            at = i + 1
    return spans, end + 1


def calls(text, name):
    """(begin of the name, [argument], end of the call) of calls of two arguments."""
    for found in re.finditer(rf"\b\w*{name}\(", text):
        spans, end = arguments(text, found.end() - 1)
        if len(spans) == 2:
            yield found, [text[slice(*span)].strip() for span in spans], end


def drop_term(text):
    for found in binary(text, r"+\-"):
        yield found.start(), term_end(text, found.end()), ""
    for found in re.finditer(r" [+-]= ", text):
        end = text.index(";", found.end())
        yield found.end(), end, "0.0"
    for found, (a, _), end in (*calls(text, "_add"), *calls(text, "_sub")):
        yield found.start(), end, f"({a})"


def negate_term(text):
    for found in binary(text, r"+\-"):
        yield found.start(1), found.end(1), "-" if found[1] == "+" else "+"
    for found in re.finditer(r" ([+-])= ", text):
        yield found.start(1), found.end(1), "-" if found[1] == "+" else "+"
    for found in re.finditer(r"(?:(?<=[=?:] )|(?<=[(,{])|(?<=, )|(?<=return ))-(?=[\w(])", text):
        if not in_index(text, found.start()):
            yield found.start(), found.end(), ""
    for found, (a, b), end in calls(text, "_cross"):
        yield found.start(), end, f"{found[0]}{b}, {a})"
    for found in re.finditer(r"vec3_(add|sub)\(|pack3_(add|sub)\(|quad_(add|sub)\(", text):
        word = found[0]
        yield found.start(), found.end(), (word.replace("_add", "_sub") if "_add" in word
                                           else word.replace("_sub", "_add"))


def drop_factor(text):
    for found in binary(text, "*/"):
        yield found.start(), factor_end(text, found.end()), ""
    for found, (_, a), end in calls(text, "_scale"):
        yield found.start(), end, f"({a})"


def swap_index(text):
    for found in re.finditer(r"\[(\w+) \* ([\w>.-]+) \+ (\w+)\]", text):
        yield found.start(), found.end(), f"[{found[3]} * {found[2]} + {found[1]}]"
    for found in re.finditer(r"(\brow\w*\([^()]*, )(\w+)\)\[(\w+)\]", text):
        yield found.start(), found.end(), f"{found[1]}{found[3]})[{found[2]}]"
    for found in re.finditer(r"(?:\.|->)([xyz])\b(?! =[^=])", text):
        yield found.start(1), found.end(1), {"x": "y", "y": "z", "z": "x"}[found[1]]
    for found in re.finditer(r"(?:\.|->)(linear|angular)\b", text):
        yield found.start(1), found.end(1), "angular" if found[1] == "linear" else "linear"
    for found in re.finditer(r"\w+_apply(_transposed)?(?=\()", text):
        yield found.start(), found.end(), (found[0].removesuffix("_transposed") if found[1]
                                           else found[0] + "_transposed")


RULES = {"drop term": drop_term, "negate term": negate_term, "drop factor": drop_factor,
         "swap index": swap_index}


def blank(text):
    """Comments and strings as spaces, so that no rule reads them."""
    return COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def states_equation(text):
    """Whether the source says an equation: a line of a comment, set in, with an equals sign."""
    return re.search(r"^//   .* = ", text, re.M) is not None


def statement(body, at):
    """The statement of the body around `at`."""
    begin = max(body.rfind(mark, 0, at) for mark in ";{}") + 1
    end = min((i for i in (body.find(mark, at) for mark in ";{}") if i >= 0), default=len(body))
    return body[begin:end]


def of_function(path, text, name, begin, body):
    for rule, changes in RULES.items():
        seen = {}
        for first, last, new in changes(body):
            around = statement(body, first)
            line = body[body.rfind("\n", 0, first) + 1:body.find("\n", last)]
            if ASIDE.search(around) or ASIDE.search(line) or body[first:last] == new:
                continue
            old = text[begin + first:begin + last]
            words = f"{' '.join(old.split())} -> {new or '(nothing)'}"
            place = (line.strip(), words)
            seen[place] = seen.get(place, 0) + 1
            key = hashlib.sha256("\0".join((path, name, rule, *place, str(seen[place]),
                                            " ".join(body.split()))).encode()).hexdigest()[:16]
            new += "\n" * (old.count("\n") - new.count("\n"))
            yield Mutant(path, name, rule, begin + first, begin + last, new,
                         text.count("\n", 0, begin + first) + 1,
                         f"`{' '.join(line.split())}`: {words}", key)


def mutants(path, text):
    """All mutants of a source, in the order in which they stand there."""
    bare = blank(text)
    for found in FUNCTION.finditer(bare):
        yield from of_function(path, text, found[1], found.start(2), found[2])


def apply(mutant, text):
    return text[:mutant.begin] + mutant.new + text[mutant.end:]
