# SPDX-License-Identifier: Apache-2.0
"""Prints, after the tests, how well we agree with Pinocchio."""

from __future__ import annotations

import pytest

_worst: dict[str, tuple[float, str]] = {}


@pytest.fixture(scope="session")
def residuals():
    """Call it with a quantity and its relative difference; the largest are printed in the end."""

    def note(quantity: str, relative: float) -> None:
        if relative >= _worst.get(quantity, (-1.0, ""))[0]:
            _worst[quantity] = (float(relative), _running[0])

    return note


_running = [""]


def pytest_runtest_setup(item):
    _running[0] = item.name.partition("[")[2].rstrip("]")


def pytest_terminal_summary(terminalreporter):
    if _worst:
        terminalreporter.section("largest relative difference to Pinocchio")
        for quantity, (relative, name) in sorted(_worst.items()):
            terminalreporter.line(f"{quantity:52} {relative:8.1e}  {name}")
