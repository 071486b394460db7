# SPDX-License-Identifier: Apache-2.0
"""The Python packages of the tools are pinned by version and hash, all of them."""

from __future__ import annotations

import re
import sys
from importlib import metadata

import pytest
import robots

TOOLS = robots.CHECKOUT / "tools"
FILES = sorted(TOOLS.glob("requirements*.in"))
PIN = re.compile(
    r'([a-z0-9][a-z0-9-]*)==([\w.+!-]+)(?: ; platform_machine == "(?:x86_64|aarch64)")?'
    r"((?: --hash=sha256:[0-9a-f]{64})+)"
)


def pins(path):
    """Name and version of every line; a line that is no pin with hashes is a failure."""
    joined = path.with_suffix(".txt").read_text().replace(" \\\n    ", " ")
    lines = [line for line in joined.splitlines() if not line.startswith("#")]
    matches = {line: PIN.fullmatch(line) for line in lines}
    assert lines and [line for line, match in matches.items() if not match] == []
    return {match[1]: match[2] for match in matches.values()}


def key_of(name):
    return re.sub(r"[-_.]+", "-", re.split(r"[<>=!~\[ ;]", name)[0]).lower()


def test_there_are_requirements():
    assert len(FILES) >= 4


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_package_is_pinned_with_its_hashes(path):
    names = {key_of(line) for line in path.read_text().splitlines() if line and line[0] != "#"}
    assert names and names <= pins(path).keys()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_index_is_named(path):
    for text in path.read_text(), path.with_suffix(".txt").read_text():
        assert not re.search(r"://|--(extra-)?index-url|--find-links|\.(org|com|io|net)\b", text)


def test_what_is_pinned_needs_nothing_else():
    """What the installed packages say they need is pinned as well, and is what is installed."""
    if sys.version_info[:2] != (3, 11):
        pytest.skip("the pins are of Python 3.11")
    pinned = pins(TOOLS / "requirements.in")
    installed = {name: metadata.version(name) for name in pinned if _is_installed(name)}
    assert installed == {name: pinned[name] for name in installed}
    assert {"numpy", "cffi", "pytest", "scikit-build-core"} <= installed.keys()
    for name in installed:
        needs = (need for need in metadata.requires(name) or () if ";" not in need)
        assert {key_of(need) for need in needs} <= pinned.keys(), name


def _is_installed(name):
    try:
        return bool(metadata.version(name))
    except metadata.PackageNotFoundError:
        return False


def test_they_are_installed_by_hash():
    text = (TOOLS / "setup.sh").read_text()
    assert "--require-hashes" in text
    assert not re.search(r"pip install (?!.*--require-hashes)[a-z-]+$", text, re.M)
