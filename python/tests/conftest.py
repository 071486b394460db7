# SPDX-License-Identifier: Apache-2.0
"""Prints, after the tests, how well we agree with Pinocchio; and presses Ctrl-C."""

from __future__ import annotations

import os
import signal
import threading

import pytest

_worst: dict[str, tuple[float, str]] = {}


@pytest.fixture(scope="session")
def residuals():
    """Call it with a quantity and its relative difference; the largest are printed in the end."""

    def note(quantity: str, relative: float) -> None:
        if relative >= _worst.get(quantity, (-1.0, ""))[0]:
            _worst[quantity] = (float(relative), _running[0])

    return note


@pytest.fixture
def ctrl_c():
    """A timer that presses it, with Python's own answer to it, also where the tests run in the
    background, deaf to it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    signal.signal(signal.SIGINT, before)


_running = [""]


def pytest_runtest_setup(item):
    _running[0] = item.name.partition("[")[2].rstrip("]")


def pytest_terminal_summary(terminalreporter):
    if _worst:
        terminalreporter.section("largest relative difference to Pinocchio")
        for quantity, (relative, name) in sorted(_worst.items()):
            terminalreporter.line(f"{quantity:52} {relative:8.1e}  {name}")
