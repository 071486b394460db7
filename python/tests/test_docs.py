# SPDX-License-Identifier: Apache-2.0
"""What the documentation says runs, and prints what it says."""

from __future__ import annotations

import doctest
import importlib.util
import re
import types

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
def test_page(page, monkeypatch):
    """The ```python blocks of a page, from top to bottom as one session in the checkout."""
    monkeypatch.chdir(robots.CHECKOUT)
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    for i, block in enumerate(blocks):
        if ">>>" not in block:
            exec(compile(block, f"{page.name}, block {i + 1}", "exec"), names)  # noqa: S102
            continue
        test = doctest.DocTestParser().get_doctest(block, names, page.name, str(page), 0)
        report: list[str] = []
        runner.run(test, out=report.append, clear_globs=False)
        names.update(test.globs)
        assert not runner.failures, "".join(report)


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


def test_reference_of_the_site_has_every_public_name():
    """What Python itself finds in the package is on the page that is made from the sources alone."""
    path = robots.CHECKOUT / "tools/site/python_reference.py"
    spec = importlib.util.spec_from_file_location("python_reference", path)
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    page = maker.page(robots.CHECKOUT / "python/src/atemi")
    headings = set(re.findall(r"^##+ (.+)$", page, re.MULTILINE))
    for name in atemi.__all__:
        one = getattr(atemi, name)
        if not callable(one):
            continue
        assert name in headings, name
        if not isinstance(one, type):
            continue
        own = [base for base in one.__mro__ if base.__module__.startswith("atemi")]
        methods = {
            key
            for base in own
            for key, value in vars(base).items()
            if not key.startswith("_")
            and isinstance(value, (types.FunctionType, staticmethod, classmethod))
        }
        missing = {key for key in methods if f"{name}.{key}" not in headings}
        assert not missing, (name, missing)
    fenced = re.sub(r"^```.*?^```", "", page, flags=re.MULTILINE | re.DOTALL)
    assert not re.search(r"^-{3,}$", fenced, re.MULTILINE)  # no section of a docstring is left as it is
