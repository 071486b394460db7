# SPDX-License-Identifier: Apache-2.0
"""The job "walk"."""

from __future__ import annotations

from . import _job
from .walking import Walk


def walk(
    scenario: _job.Scenario | None = None,
    *,
    text: str | bytes | None = None,
    name: str | None = None,
    progress: _job.Progress | None = None,
) -> Walk:
    """Walks, over floors of several kinds and against pushes.

    >>> ice = walk({"steps": 4, "patches": [{"from": 0.1, "to": 9, "friction": 0.1}]})
    >>> ice.completed, ice.steps, len(ice.slips) > 0
    (True, 4, True)

    Parameters
    ----------
    scenario, text, name
        As of `simulate`.
    progress : callable, optional
        Is told how much is done, from 0 to 1, and ends the walk early by returning False.

    Returns
    -------
    Walk
        Also where the robot falls or was stopped: see its `completed` and `outcome`.

    Raises
    ------
    Error, FileMissingError
        As of `simulate`.
    """
    return Walk(_job.run("walk", scenario, text, name, progress))
