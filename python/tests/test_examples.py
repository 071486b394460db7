# SPDX-License-Identifier: Apache-2.0
"""The programs of examples/, run as their users do."""

import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = sorted(ROOT.glob("examples/*.py"))
ARGUMENTS = {"plan_strike": ["scenarios/strike.yaml"],
             "standing_torques": ["robots/r2_like.urdf", "left_foot", "right_foot"]}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(path):
    arguments = ARGUMENTS.get(path.stem, [])
    result = subprocess.run([sys.executable, path, *arguments], capture_output=True, text=True,
                            cwd=ROOT)
    assert result.returncode == 0, result.stderr
    assert result.stdout and not result.stderr


@pytest.mark.parametrize("path", sorted(ROOT.glob("examples/*.[cp]*")), ids=lambda path: path.name)
def test_examples_are_short(path):
    """One is a whole program, to be taken over."""
    most = 210 if path.name == "robot_loop.c" else 100
    assert len(path.read_text().splitlines()) < most
