# SPDX-License-Identifier: Apache-2.0
"""The job "walk"."""

from __future__ import annotations

from . import _job
from ._library import lib
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
    scenario : str, path-like or mapping
        The YAML file, or its keys and values; docs/scenarios.md has them. A robot's file in it is
        relative to its folder.
    text : str or bytes
        The text of a scenario, in place of a file.
    name : str, optional
        What errors call the text; a robot's file is relative to its folder.
    progress : callable, optional
        Is told how much is done, from 0 to 1, and ends the walk early by returning False.

    Returns
    -------
    Walk
        Also where the robot falls or was stopped: see its `completed` and `outcome`.

    Raises
    ------
    Error
        Something is wrong with the scenario; with line and column.
    FileMissingError
        There is no such scenario.
    """
    calls = lib.atemi_walk_file, lib.atemi_walk_text
    return Walk(_job.run(*calls, scenario, text, name, progress))
