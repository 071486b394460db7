# SPDX-License-Identifier: Apache-2.0
"""Answers are kept, unless the command was ended from outside or has changed."""

import pytest

import answers
import variants


@pytest.fixture
def command(tmp_path, monkeypatch):
    """A command that does what it is told, and counts how often it is asked."""
    monkeypatch.setattr(answers, "FOLDER", tmp_path / "kept")
    monkeypatch.setattr(variants.Variant, "folder", tmp_path)
    answers.digest.cache_clear()

    def write(ending):
        script = f'#!/bin/sh\necho x >>"{tmp_path}/asked"\necho \'{{"results": {{"x": {{"value": 7}}}}}}\'\n{ending}\n'
        (tmp_path / "atemi").write_text(script)
        (tmp_path / "atemi").chmod(0o755)
        (tmp_path / "scenario.yaml").write_text("a: 1\n")
        answers.digest.cache_clear()

        def ask():
            found = answers.ask_scenario(variants.ALL[0], "strike", tmp_path / "scenario.yaml")
            return found, (tmp_path / "asked").read_text().count("x")
        return ask
    return write


@pytest.mark.parametrize("code", [0, 1])
def test_an_answer_is_computed_once(command, code):
    ask = command(f"exit {code}")
    for _ in range(2):
        found, count = ask()
        assert {name: answer.value for name, answer in found.items()} == {"exit_code": code, "x": 7}
        assert count == 1


def test_what_a_signal_ended_is_asked_again(command):
    ask = command("kill -TERM $$")
    assert ask()[0]["exit_code"].value == -15
    assert ask()[1] == 2


def test_another_command_is_asked_again(command):
    command("exit 0")()
    assert command("exit 1")()[0]["exit_code"].value == 1
