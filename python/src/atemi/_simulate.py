# SPDX-License-Identifier: Apache-2.0
"""The job "simulate"."""

from __future__ import annotations

from . import _job
from .recording import Recording


def simulate(
    scenario: _job.Scenario | None = None,
    *,
    text: str | bytes | None = None,
    name: str | None = None,
    progress: _job.Progress | None = None,
) -> Recording:
    """Runs a scenario in the hybrid simulation: sticking, slipping and colliding contact.

    >>> recording = simulate(text="robot: two_link\\ncontacts: []\\nduration: 0.5 s")
    >>> recording.outcome, recording["q.joint1"].shape
    ('simulated 0.5 s', (51,))

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
        Is told how much is done, from 0 to 1, and ends the simulation early by returning False.

    Returns
    -------
    Recording
        Also where the simulation could not go on (contacts jam or contradict each other) or was
        ended early: then ``recording.results["completed"]`` is 0, and ``outcome`` says why.

    Raises
    ------
    Error
        Something is wrong with the scenario; with line and column.
    FileMissingError
        There is no such scenario.
    """
    return _job.run("simulate", scenario, text, name, progress)
