# SPDX-License-Identifier: Apache-2.0

import os
import pathlib
import re
import shlex
import subprocess
import sys

import pytest
from conftest import jobs

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
COMMANDS = ["robots", "info", "joint", "eval", "init", *jobs(), "run", "jobs", "report", "view", "reproduce",
            "doctor"]


def test_help_names_every_command_and_is_narrow(atemi):
    result = atemi("--help")
    assert result.code == 0 and result.err == ""
    for name in COMMANDS:
        assert re.search(rf"^  {name} ", result.out, re.M)
    assert atemi("-h").out == atemi("help").out == atemi("help", "help").out == result.out
    assert max(map(len, result.out.splitlines())) <= 80


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_is_the_same_everywhere(atemi, name):
    result = atemi(name, "--help")
    assert result.code == 0 and result.err == ""
    assert result.out.startswith(f"usage: atemi {name}")
    assert atemi(name, "-h").out == atemi("help", name).out == result.out
    assert atemi(name, "x", "--help").out in (result.out, "")
    assert max(map(len, result.out.splitlines())) <= 80 and result.out.isascii()


# A browser that follows a live page to its end.
BROWSER = """import sys, time, urllib.request
page = b""
while b"atemi-report" not in page or b'<meta name="atemi-live"' in page:
    time.sleep(0.1)
    page = urllib.request.urlopen(sys.argv[1]).read()
"""


# What the examples need of their user: the scenarios, recordings, a page, xacro and a browser.
@pytest.fixture
def desk(atemi, command, tmp_path):
    (tmp_path / "scenarios").symlink_to(CHECKOUT / "scenarios")
    (tmp_path / "robot.urdf.xacro").symlink_to(CHECKOUT / "robots/two_link.urdf")
    for run in ("run1", "run2"):
        made = atemi("simulate", "scenarios/slide.yaml", "--out", run, cwd=tmp_path)
        assert made.code == 0, made.err
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, script in {"atemi": f'exec {shlex.quote(command)} "$@"', "xacro": 'cat "$1"',
                         "xdg-open": f"""case $1 in
http*) exec {sys.executable} -c {shlex.quote(BROWSER)} "$1" ;;
esac"""}.items():
        (programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (programs / name).chmod(0o755)
    return {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "DISPLAY": ":0"}


# The examples stand at the end, indented, and follow each other.
@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_examples_of_the_help_work(atemi, desk, name, tmp_path):
    text = atemi("help", *name.split()).out
    examples = re.split(r"\nexamples?:\n", text)[1].replace("|\n", "| ").splitlines()
    assert examples
    for example in examples:
        result = subprocess.run(["bash", "-c", f"set -o pipefail\n{example}"], env=desk,
                                capture_output=True, text=True, cwd=tmp_path)
        assert result.returncode == 0 and result.stderr == "", example
        assert result.stdout or ">" in example, example


def test_first_example_is_a_strike_and_a_page_to_look_at(atemi):
    first, second = re.split(r"\nexamples:\n", atemi("--help").out)[1].splitlines()[:2]
    assert first.split()[:2] == ["atemi", "strike"] and second == "  atemi view strike.html"
    assert first.endswith("--report strike.html")


def test_version_is_that_of_the_project(atemi):
    assert re.fullmatch(r"atemi \d+\.\d+\.\d+\n", atemi("--version").out)
    assert atemi("-V").out == atemi("--version").out


def test_no_command_shows_the_help_and_fails(atemi):
    result = atemi()
    assert (result.code, result.out) == (2, "")
    assert result.err == atemi("--help").out


def test_unknown_commands_and_options_get_a_suggestion(refused):
    assert "did you mean 'info'?" in refused("inof")
    assert "did you mean 'robots'?" in refused("help", "robot")
    assert "did you mean" not in refused("xyzzy")
    assert "unknown option '--jso'; options of a command stand after" in refused("--jso")
    assert "did you mean '--json'?" in refused("info", "two_link", "--jsn")
    assert "did you mean '--gravity'?" in refused("info", "two_link", "--grav=0,0,0")
    assert "'-x'" in refused("info", "two_link", "-x")


def test_wrong_numbers_of_arguments(refused):
    assert "ROBOT|FILE is missing" in refused("info")
    assert "unexpected argument 'b'" in refused("info", "two_link", "b")
    assert "unexpected argument 'x'" in refused("robots", "x")
    assert "'--base' needs a value" in refused("info", "two_link", "--base")
    assert "'--base' needs a value" in refused("info", "--base", "--json", "two_link")
    assert "'--json' takes no value" in refused("info", "two_link", "--json=yes")
    for empty in ["--base="], ["--base", ""]:
        assert "'--base' needs a value: --base BASE" in refused("info", "two_link", *empty)


def test_options_stand_anywhere(atemi):
    expected = atemi("info", "two_link", "--base", "planar", "--json").out
    assert atemi("info", "--json", "--base=planar", "two_link").out == expected
    assert atemi("info", "--base", "planar", "--json", "--", "two_link").out == expected


def test_option_given_twice_counts_as_the_last(atemi):
    twice = atemi("info", "two_link", "--base", "fixed", "--base", "planar", "--json").json
    assert twice["base"] == "planar"


def test_double_dash_ends_the_options(refused):
    assert "--json" in refused("info", "--", "--json")


def test_long_and_strange_arguments_are_told_in_full_or_cut(refused):
    for argument in "x" * 100000, "--" + "y" * 100000, "\x1b[31m", "", " ", "%s%n":
        message = refused("info", argument)
        assert len(message) < 5000 and "\x1b" not in message


# ---- Where the output goes

@pytest.mark.parametrize("arguments", ["robots", "info hrp2_like", "info hrp2_like --json",
                                       "--help", "info --help"])
def test_reader_that_goes_away_is_no_error(command, arguments):
    script = f'set -o pipefail; {shlex.quote(command)} {arguments} | head -1 >/dev/null'
    result = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")


# More than the 64 KB that a pipe holds, so the command does meet the closed pipe.
@pytest.mark.parametrize("ignored", [False, True])
def test_reader_of_a_long_answer_may_go_away(command, ignored):
    trap = "trap '' PIPE; " if ignored else ""
    script = (f'{trap}set -o pipefail; echo \'{{"q": "neutral"}}\' | '
              f'{shlex.quote(command)} eval r2_like --state - | head -1 >/dev/null')
    result = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize("arguments", ["robots", "--version", "info hrp2_like --json", "info -h"])
def test_full_disk_is_an_error(command, arguments):
    with open("/dev/full", "w") as full:
        result = subprocess.run([command, *arguments.split()], stdout=full,
                                stderr=subprocess.PIPE, text=True)
    assert result.returncode == 1
    assert result.stderr == "error: cannot write the output: No space left on device\n"


def test_closed_stdout_is_an_error(command):
    result = subprocess.run(["bash", "-c", '"$1" robots >&-', "bash", command],
                            capture_output=True, text=True)
    assert result.returncode == 1 and "cannot write the output" in result.stderr
