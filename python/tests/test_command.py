# SPDX-License-Identifier: Apache-2.0
"""`pip install` gives the command as well."""

from __future__ import annotations

import json
import subprocess
import sysconfig
from pathlib import Path

import pytest

import atemi

COMMAND = Path(sysconfig.get_path("scripts")) / "atemi"


@pytest.fixture
def command():
    def run(*arguments):
        ran = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    return run


def test_it_is_of_the_same_version(command):
    assert command("--version") == f"atemi {atemi.__version__}\n"


def test_it_gives_what_the_package_gives(command):
    """Of one build: the same results, to the bit."""
    path = atemi.scenarios()["punch"]
    said = json.loads(command("impact", path, "--json"))["results"]
    results = atemi.impact(path).results
    assert {name: said[name]["value"] for name in ("impulse", "peak_force", "virtual_mass")} == {
        name: float(results[name]) for name in ("impulse", "peak_force", "virtual_mass")
    }
