# SPDX-License-Identifier: Apache-2.0
"""The reference of the Python package as a page, from its docstrings: what `atemi.__all__` names, with
methods and attributes that classes of the package pass on. The sources are read, not imported, so that
the site needs no built package."""

import ast
import pathlib
import re
import textwrap

CODE = re.compile(r"(`+[^`]*`+)")


def definitions(folder):
    """What the modules of a package define: {name: node}, the public ones, and their own bases."""
    found = {}
    for path in sorted(pathlib.Path(folder).glob("*.py")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                found.setdefault(node.name, node)
    return found


def exported(folder):
    tree = ast.parse((pathlib.Path(folder) / "__init__.py").read_text())
    lists = [node.value for node in tree.body if isinstance(node, ast.Assign)
             and getattr(node.targets[0], "id", "") == "__all__"]
    return ast.literal_eval(lists[0])


# ---- Text

def plain(text):
    """Text of a docstring, in which code alone has marks."""
    parts = CODE.split(text)
    marked = [part if i % 2 else re.sub(r"([<\[]|(?<!\*)\*(?!\*))", r"\\\1", part)
              for i, part in enumerate(parts)]
    return "".join(marked)


def section(title, body):
    """Of a docstring in numpy's manner: names without indent, what is said of them with it."""
    items = re.split(r"\n(?=\S)", body)
    if title in ("Notes", "Examples"):
        return f"**{title}**\n\n{plain(body)}"
    lines = []
    for item in items:
        first, _, rest = item.partition("\n")
        names, _, kind = first.partition(" : ")
        told = plain(" ".join(rest.split()))
        lines.append(" ".join(part for part in (f"- `{names}`", kind and f"({plain(kind)})", told) if part))
    return f"**{title}**\n\n" + "\n".join(lines)


def block_text(block):
    if block.lstrip().startswith(">>>"):
        return f"```pycon\n{block}\n```"
    title, _, rest = block.partition("\n")
    rule, _, body = rest.partition("\n")
    return section(title, body) if rule and set(rule) == {"-"} else plain(block)


def paragraphs(node_or_text):
    text = node_or_text if isinstance(node_or_text, str) else ast.get_docstring(node_or_text) or ""
    blocks = [block for block in textwrap.dedent(text).split("\n\n") if block.strip()]
    return "\n\n".join(block_text(block) for block in blocks)


def signature(node, skip_first):
    """Names and defaults, without types."""
    given = node.args
    for one in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg):
        if one:
            one.annotation = None
    text = ast.unparse(given)
    return re.sub(r"^\w+(, )?(/, )?", "", text) if skip_first else text


# ---- Classes

def bases(node, known):
    names = [ast.unparse(base).split("[")[0].split(".")[-1] for base in node.bases]
    return [known[name] for name in names if name in known]


def members(node, known):
    """{name: (kind, node or text)}, those of the bases first."""
    found = {}
    for base in bases(node, known):
        found.update(members(base, known))
    for item, after in zip(node.body, [*node.body[1:], None]):
        if isinstance(item, ast.FunctionDef):
            marks = {ast.unparse(mark).split(".")[-1].split("(")[0] for mark in item.decorator_list}
            if not item.name.startswith("_") and "overload" not in marks:
                kind = "attribute" if marks & {"property", "cached_property"} else "method"
                found[item.name] = (kind, item)
        elif isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            is_told = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
            if not item.target.id.startswith("_"):
                found[item.target.id] = ("attribute", str(after.value.value) if is_told else "")
    return found


def class_text(name, node, known):
    text = [f"## {name}", paragraphs(node)]
    start = next((item for item in node.body
                  if isinstance(item, ast.FunctionDef) and item.name in ("__init__", "__new__")), None)
    if start is not None:
        text += [f"```python\n{name}({signature(start, True)})\n```", paragraphs(start)]
    all_members = members(node, known)
    rows = [f"| `{key}` | {' '.join(paragraphs(told).split()).replace('|', chr(92) + '|')} |"
            for key, (kind, told) in all_members.items() if kind == "attribute"]
    if rows:
        text.append("| attribute | |\n|---|---|\n" + "\n".join(rows))
    for key, (kind, told) in all_members.items():
        if kind == "method":
            is_static = any(ast.unparse(mark) == "staticmethod" for mark in told.decorator_list)
            text += [f"### {name}.{key}", f"```python\n{key}({signature(told, not is_static)})\n```",
                     paragraphs(told)]
    return "\n\n".join(part for part in text if part)


def page(folder):
    """Functions first, then classes, by name."""
    known = definitions(folder)
    names = [name for name in exported(folder) if name in known]
    functions = [name for name in names if isinstance(known[name], ast.FunctionDef)]
    parts = ["# Python reference",
             "Every public name of the package `atemi`, from its docstrings. The [guide](python.md) has "
             "examples of them."]
    for name in functions:
        parts += [f"## {name}", f"```python\natemi.{name}({signature(known[name], False)})\n```",
                  paragraphs(known[name])]
    parts += [class_text(name, known[name], known) for name in names if name not in functions]
    return "\n\n".join(parts) + "\n"
