# SPDX-License-Identifier: Apache-2.0
"""All jobs of the registry."""

from __future__ import annotations

from . import _job
from ._library import decode, lib
from .recording import Recording


def jobs() -> dict[str, str]:
    """The jobs there are, each with one line about it.

    >>> jobs()["simulate"]
    'simulate a scenario with contact, and record it'
    """
    return {
        decode(lib.atemi_job_name(i)): decode(lib.atemi_job_summary(i))
        for i in range(lib.atemi_job_count())
    }


def run(
    scenario: _job.Scenario | None = None,
    *,
    job: str | None = None,
    text: str | bytes | None = None,
    name: str | None = None,
    progress: _job.Progress | None = None,
) -> Recording:
    """Runs a scenario with the job it is for.

    >>> run({"job": "simulate", "robot": "two_link", "contacts": [], "duration": 0.5}).outcome
    'simulated 0.5 s'

    Parameters
    ----------
    scenario, text, name, progress
        As of `simulate`.
    job : str, optional
        The name of the job, one of `jobs()`. Without it, the one that the scenario's key ``job``
        names, or else the only one that takes all its keys.

    Returns
    -------
    Recording
        Also where the job did not work out: then ``recording.results["completed"]`` is 0, and
        ``outcome`` says why.

    Raises
    ------
    Error, FileMissingError
        As of `simulate`; also where no job or several jobs take the scenario.
    NotFoundError
        There is no such job.
    """
    return _job.run(job, scenario, text, name, progress)
