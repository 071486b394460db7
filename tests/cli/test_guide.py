# SPDX-License-Identifier: Apache-2.0
"""The commands of docs/guide.md and of the README, in their order, in a folder with the sources."""

import pathlib
import re
import subprocess

import pytest

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]


def blocks(page):
    return re.findall(r"^```sh\n(.*?)^```$", (CHECKOUT / page).read_text(), re.M | re.S)


@pytest.fixture
def shell(command, tmp_path):
    """Runs a script where the sources are at hand and new files go to a folder of the test."""
    for folder in "robots", "scenarios", "examples":
        (tmp_path / folder).symlink_to(CHECKOUT / folder)
    (tmp_path / "build/release").mkdir(parents=True)
    (tmp_path / "build/release/atemi").symlink_to(command)

    def run(script):
        path = f"PATH={tmp_path / 'build/release'}:$PATH\nset -euo pipefail\n"
        return subprocess.run(["bash", "-c", path + script], cwd=tmp_path, text=True,
                              capture_output=True)
    return run


def test_commands_of_the_guide_work(shell, tmp_path):
    for script in blocks("docs/guide.md"):
        result = shell(script)
        assert result.returncode == 0, script + result.stderr
        assert "error" not in result.stderr
    assert (tmp_path / "strike.html").stat().st_size > 1e5
    assert (tmp_path / "figures/strip.svg").exists()


def test_commands_of_the_readme_work(shell):
    script = next(block for block in blocks("README.md") if "build/release/atemi robots" in block)
    result = shell(script)
    assert result.returncode == 0, result.stderr
