# SPDX-License-Identifier: Apache-2.0
"""What holds for every job of the command."""

import pathlib
import shlex
import subprocess

import pytest

SCENARIOS = pathlib.Path(__file__).resolve().parents[2] / "scenarios"


@pytest.mark.parametrize("arguments", [
    "simulate stand.yaml", "simulate stand.yaml --json", "simulate stand.yaml --explain",
    "impact punch.yaml", "impact punch.yaml --json", "impact punch.yaml --explain",
    "impact punch.yaml --sweep --json", "strike --explain", "walk --explain", "control --explain"])
def test_reader_that_goes_away_is_no_error(command, arguments):
    script = f"set -o pipefail; {shlex.quote(command)} {arguments} | head -1 >/dev/null"
    result = subprocess.run(["bash", "-c", script], capture_output=True, text=True, cwd=SCENARIOS)
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize("arguments", ["simulate bounce.yaml --json", "impact punch.yaml --json"])
def test_full_disk_is_an_error(command, arguments):
    with open("/dev/full", "w") as full:
        result = subprocess.run([command, *arguments.split()], stdout=full, cwd=SCENARIOS,
                                stderr=subprocess.PIPE, text=True)
    assert result.returncode == 1 and "cannot write the output" in result.stderr
