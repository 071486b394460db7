# SPDX-License-Identifier: Apache-2.0
"""What the documentation says runs, and prints what it says."""

from __future__ import annotations

import contextlib
import doctest
import importlib
import io
import re
import subprocess
import sys

import pytest
import robots

import atemi

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
PAGES = [
    path
    for name in ("README.md", "docs/python.md", "docs/tutorials/*.md", "python/README.md")
    for path in sorted(robots.CHECKOUT.glob(name))
    if "```python" in path.read_text()
]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(robots.CHECKOUT).as_posix())
def test_page(page, monkeypatch, tmp_path):
    """The ```python blocks of a page, from top to bottom as one session: of a tutorial in an empty
    folder, of others in the checkout. What a ```text block right behind one says is printed."""
    monkeypatch.chdir(tmp_path if page.parent.name == "tutorials" else robots.CHECKOUT)
    pattern = r"^```python\n(.*?)^```\n(?:```text\n(.*?)^```)?"
    blocks = re.findall(pattern, page.read_text(), re.MULTILINE | re.DOTALL)
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    for i, (block, printed) in enumerate(blocks):
        if ">>>" not in block:
            with contextlib.redirect_stdout(io.StringIO()) as out:
                exec(compile(block, f"{page.name}, block {i + 1}", "exec"), names)  # noqa: S102
            assert not printed or out.getvalue() == printed
            continue
        test = doctest.DocTestParser().get_doctest(block, names, page.name, str(page), 0)
        report: list[str] = []
        runner.run(test, out=report.append, clear_globs=False)
        names.update(test.globs)
        assert not runner.failures, "".join(report)


# What pages call `robot.mass`, `sim.step(tau)` and so on, in a line; files have the same form.
NAMED = {
    "atemi": atemi,
    "robot": atemi.Robot,
    "sim": atemi.Simulation,
    "recording": atemi.Recording,
}
FILES = {"csv", "h", "pc", "urdf", "xml", "yaml"}
PARTS = {"contact", "environments", "options", "parts"}


def test_python_that_pages_name_is_there():
    pattern = re.compile(rf"(?<![\w./-])({'|'.join(NAMED)})\.([a-z]\w*)")
    found = [
        (page, *match.groups())
        for page in [robots.CHECKOUT / "README.md", *robots.CHECKOUT.glob("docs/**/*.md")]
        for code in re.findall(r"`[^`\n]+`", page.read_text())
        for match in pattern.finditer(code)
    ]
    missing = [
        f"{page.name}: {name}.{attribute}"
        for page, name, attribute in found
        if attribute not in FILES | PARTS and not hasattr(NAMED[name], attribute)
    ]
    assert len(found) > 100
    assert not missing


@pytest.mark.parametrize("module", ["atemi", "atemi.contact", "atemi.parts"])
def test_docstrings(module):
    failures, _ = doctest.testmod(importlib.import_module(module), optionflags=FLAGS)
    assert failures == 0


def test_everything_public_is_documented():
    for name in atemi.__all__:
        thing = getattr(atemi, name)
        assert thing.__doc__, name
        for attribute in dir(thing) if isinstance(thing, type) else ():
            value = getattr(thing, attribute)
            if not attribute.startswith("_") and value.__class__.__name__ in (
                "function",
                "property",
            ):
                assert value.__doc__, f"{name}.{attribute}"


def test_the_reference_is_that_of_the_docstrings(tmp_path):
    """tools/make_python_reference docs/python_reference.md"""
    tool, page = robots.CHECKOUT / "tools/make_python_reference", tmp_path / "page.md"
    subprocess.run([sys.executable, tool, page], check=True)
    assert page.read_text() == (robots.CHECKOUT / "docs/python_reference.md").read_text()
