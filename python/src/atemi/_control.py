# SPDX-License-Identifier: Apache-2.0
"""The job "control"."""

from __future__ import annotations

from . import _job
from .controlled import Control


def control(
    scenario: _job.Scenario | None = None,
    *,
    text: str | bytes | None = None,
    name: str | None = None,
    progress: _job.Progress | None = None,
) -> Control:
    """Runs compliant control on a simulated robot with motors, gears and springs.

    >>> arm = control({
    ...     "robot": "two_link",
    ...     "gravity": [0, 0, 0],
    ...     "drives": [{"of": "all", "spring": 5000, "torque_constant": 0.3, "back_emf": 0.3}],
    ...     "tasks": [{"do": "joints", "at": 0.4, "joints": {"joint1": 0.2}, "duration": 0.6}],
    ...     "duration": 1.5,
    ... })
    >>> arm.completed, [goal.outcome for goal in arm.goals]
    (True, ['reached'])

    Parameters
    ----------
    scenario, text, name
        As of `simulate`.
    progress : callable, optional
        Is told how much is done, from 0 to 1, and ends the run early by returning False.

    Returns
    -------
    Control
        Also where a task cannot be done or it was stopped: see its `completed` and `outcome`.

    Raises
    ------
    Error, FileMissingError
        As of `simulate`.
    """
    return Control(_job.run("control", scenario, text, name, progress))
