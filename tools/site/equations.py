# SPDX-License-Identifier: Apache-2.0
"""Displayed equations: LaTeX in ```math blocks, as GitHub typesets it, becomes MathML, which browsers
typeset without a script (docs/decisions/029-equations.md)."""

import json
import pathlib
import re
import subprocess

TOOL = pathlib.Path(__file__).with_name("equations.mjs")
BLOCK = re.compile(r"^```math\n(.*?)^```$", re.M | re.S)


def typeset(name, text, packages):
    """A page's text with its equations as MathML. `packages` has node_modules with Temml.

    @exception ValueError what does not convert, with file and line"""
    blocks = list(BLOCK.finditer(text))
    if not blocks:
        return text
    said = subprocess.run(["node", TOOL, packages], capture_output=True, text=True, check=True,
                          input=json.dumps([match[1].rstrip() for match in blocks]))
    parts, end = [], 0
    for match, made in zip(blocks, json.loads(said.stdout), strict=True):
        if "error" in made:
            line = text.count("\n", 0, match.start(1) + made["position"]) + 1
            raise ValueError(f"{name}:{line}: {made['error']}")
        parts += [text[end:match.start()], f'\n<div class="equation">{made["mathml"]}</div>\n']
        end = match.end()
    return "".join(parts) + text[end:]
