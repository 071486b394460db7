# SPDX-License-Identifier: Apache-2.0
"""Completion in a shell, and the manual page: both are made of the command's own help."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def completed(command):
    """The words that bash offers for the last of the given ones."""
    def complete(*words):
        script = ('source "$1"; COMP_WORDS=("${@:2}"); COMP_CWORD=$(($# - 2))\n'
                  '_atemi "$2" "${@: -1}" "${@: -2:1}"; printf "%s\\n" "${COMPREPLY[@]}"')
        result = subprocess.run(["bash", "-c", script, "bash", CHECKOUT / "cli/shell/atemi.bash",
                                 command, *words], capture_output=True, text=True, check=True)
        assert result.stderr == ""
        return result.stdout.split()
    return complete


def test_commands_options_robots_and_papers_are_completed(completed):
    assert completed("re") == ["report", "reproduce"]
    assert completed("help", "wa") == ["walk"]
    assert completed("walk", "--s") == ["--states", "--svg"]
    assert completed("info", "hrp") == ["hrp2_like"]
    assert completed("init", "s") == ["strike"]
    assert completed("export", "two_link", "--to", "m") == ["mjcf"]
    assert completed("init", "strike", "hrp") == ["hrp2_like"]
    assert completed("reproduce", "e") == ["ene"]
    assert completed("info", "two_link", "--base", "") == ["fixed", "planar", "sagittal", "floating"]
    assert completed("eval", "two_link", "--mimic", "c") == ["coupled"]
    assert {"simulate", "doctor", "--version"} <= set(completed(""))


def _words_of(shell, script, command, **values):
    if not shutil.which(shell):
        pytest.skip(f"no {shell} here")
    path = f"{pathlib.Path(command).resolve().parent}:{os.environ['PATH']}"
    result = subprocess.run([shell, "-c", script], capture_output=True, text=True, check=True,
                            env={**os.environ, "PATH": path, **values})
    assert result.stderr == ""
    return [line.split("\t")[0] for line in result.stdout.split("\n") if line]


@pytest.mark.parametrize(("line", "words"), [
    ("re", {"report", "reproduce"}), ("help wa", {"walk"}), ("walk --s", {"--states", "--svg"}),
    ("info hrp", {"hrp2_like"}), ("export hrp", {"hrp2_like"}), ("init s", {"strike"}),
    ("reproduce e", {"ene"}), ("eval two_link --mimic c", {"coupled"}),
    ("info two_link --base f", {"fixed", "floating"}), ("simulate --pack", {"--package-path"}),
])
def test_fish_and_zsh_complete_as_bash_does(command, line, words):
    """Of zsh what is offered to its own matching: there is no terminal here to complete in."""
    fish = f'source "{CHECKOUT}/cli/shell/atemi.fish"; complete -C "atemi $LINE"'
    assert set(_words_of("fish", fish, command, LINE=line)) == words
    zsh = (f"compadd() {{ [[ $1 == -- ]] && shift; print -l -- $@ }}; _files() {{ }}\n"
           f'words=(atemi ${{(s: :)LINE}}); CURRENT=$#words; source "{CHECKOUT}/cli/shell/_atemi"')
    offered = _words_of("zsh", zsh, command, LINE=line)
    assert {word for word in offered if word.startswith(line.split(" ")[-1])} == words


def options_of(text):
    listed = text.split("\noptions:\n")[1].split("\n\n")[0]
    return re.findall(r"^  (?:-\w, )?(--[a-z-]+)", listed, re.M)


def commands_of(text):
    return set(re.findall(r"^  ([a-z]+) ", text.split("options:")[0], re.M)) - {"help"}


def test_every_option_is_completed_and_in_the_manual(atemi, command, completed, tmp_path):
    page = tmp_path / "atemi.1"
    subprocess.run([CHECKOUT / "tools/make_manual", command, page], check=True)
    sections = page.read_text().replace("\\-", "-").split('\n.SH "ATEMI ')
    for name in commands_of(atemi("--help").out):
        options = options_of(atemi(name, "--help").out)
        section = next(text for text in sections if text.startswith(f'{name.upper()}"'))
        assert completed(name, "--") == options and "--help" in options
        for option in options:
            assert re.search(rf"^\.B (-\w, )?{option}\b", section, re.M), (name, option)


def test_files_are_completed_where_no_word_fits(completed):
    assert completed("walk", "scen") == []


def test_manual_has_every_command_and_no_warnings(atemi, command, tmp_path):
    page = tmp_path / "atemi.1"
    subprocess.run([CHECKOUT / "tools/make_manual", command, page], check=True)
    text = page.read_text()
    commands = commands_of(atemi("--help").out)
    assert len(commands) > 10
    for name in commands:
        assert f'.SH "ATEMI {name.upper()}"' in text
    assert r"\-\-report FILE.html" in text
    if shutil.which("groff"):
        checked = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-z", page],
                                 capture_output=True, text=True, check=True)
        assert checked.stderr == ""
