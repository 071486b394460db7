# SPDX-License-Identifier: Apache-2.0
"""Runs the real command, as users do. ATEMI_COMMAND is its path."""

import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = os.environ.get("ATEMI_COMMAND", str(ROOT / "build/release/atemi"))


class Result:
    def __init__(self, process):
        self.code = process.returncode
        self.out = process.stdout
        self.err = process.stderr

    @property
    def json(self):
        """The one JSON object of stdout. Python's NaN and Infinity are not JSON."""
        def refuse(name):
            raise ValueError(f"{name} is not JSON")
        return json.loads(self.out, parse_constant=refuse)


def run(*arguments, stdin="", cwd=None, environment=None):
    process = subprocess.run([COMMAND, *map(str, arguments)], input=stdin, text=True,
                             capture_output=True, timeout=60, cwd=cwd,
                             env={**os.environ, **(environment or {})})
    return Result(process)


@pytest.fixture
def atemi():
    return run


@pytest.fixture
def refused():
    """Runs the command, which must refuse with exit code 2 and say nothing on stdout."""
    def check(*arguments, **options):
        result = run(*arguments, **options)
        assert result.code == 2, result.err
        assert result.out == ""
        assert result.err.startswith("error: ")
        return result.err
    return check


@pytest.fixture
def command():
    return COMMAND


@pytest.fixture
def robots():
    return ROOT / "robots"
