# SPDX-License-Identifier: Apache-2.0
"""The job "strike"."""

from __future__ import annotations

from . import _job
from .strike import Strike


def plan_strike(
    scenario: _job.Scenario | None = None,
    *,
    text: str | bytes | None = None,
    name: str | None = None,
    progress: _job.Progress | None = None,
) -> Strike:
    """Plans the hardest blow that the robot can deliver without falling, and simulates it.

    >>> strike = plan_strike("scenarios/strike.yaml")
    >>> strike.feasible, strike.verify().stands
    (True, True)

    Parameters
    ----------
    scenario, text, name
        As of `simulate`.
    progress : callable, optional
        Is told how much is done, from 0 to 1, and ends the search early by returning False: the
        best until then is kept.

    Returns
    -------
    Strike
        Also where no strike meets all constraints, or the robot falls: see its `feasible`,
        `outcome` and `limits`.

    Raises
    ------
    Error, FileMissingError
        As of `simulate`.
    """
    return Strike(_job.run("strike", scenario, text, name, progress))
