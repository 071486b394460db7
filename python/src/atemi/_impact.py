# SPDX-License-Identifier: Apache-2.0
"""The job "impact"."""

from __future__ import annotations

from . import _job
from .recording import Recording


def impact(
    scenario: _job.Scenario | None = None,
    *,
    text: str | bytes | None = None,
    name: str | None = None,
    full: bool = False,
    sweep: bool = False,
    progress: _job.Progress | None = None,
) -> Recording:
    """Estimates a blow: peak force, impulse, torques and ZMP while a robot hits something.

    >>> blow = impact("scenarios/punch.yaml", full=True)
    >>> round(blow.results["impulse"], 2), abs(blow.results["impulse_error"]) < 0.01
    (4.65, True)

    Parameters
    ----------
    scenario, text, name
        As of `simulate`.
    full : bool
        Whether the blow is simulated by full dynamics as well.
    sweep : bool
        Whether what the scenario's key ``sweep`` says is varied: ``recording.tables["sweep"]``.
    progress : callable, optional
        Is told how much of a sweep is done, from 0 to 1, and ends it early by returning False.

    Returns
    -------
    Recording
        Its columns ``force.estimate`` and so on over time, its results, and the tables ``ways``,
        ``joints`` and, where it was asked for, ``sweep``. Where the hand moves away from its
        target, ``recording.results["completed"]`` is 0.

    Raises
    ------
    Error, FileMissingError
        As of `simulate`.
    SingularError
        The robot has no freedom to move its hand along the direction.
    """
    return _job.run("impact", scenario, text, name, progress, full=full, sweep=sweep)
