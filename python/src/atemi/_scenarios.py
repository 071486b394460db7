# SPDX-License-Identifier: Apache-2.0
"""Scenarios: those that ship, explained, and written for a robot."""

from __future__ import annotations

import os
import pathlib
from typing import Any, Callable

from . import _arguments
from ._library import NULL, check, decode, ffi, lib
from ._source import Path, robots
from .robot import Robot


def scenarios() -> dict[str, pathlib.Path]:
    """The scenarios that ship with the package: their files, by name.

    >>> simulate(scenarios()["slide"]).outcome
    'simulated 1 s'
    """
    folder = pathlib.Path(__file__).parent / "scenarios"
    return {path.stem: path for path in sorted(folder.glob("*.yaml"))}


def explain(scenario: Path | None = None, *, job: str | None = None) -> str:
    """A scenario with every key and the value in force, as YAML that says the same; comments have
    defaults, units, ranges and help.

    >>> print(explain(job="walk").splitlines()[0][0])
    #

    Parameters
    ----------
    scenario : str or path-like, optional
        A file; without it, all keys of `job` with their defaults.
    job : str, optional
        One of `jobs()`; without it, the job that the scenario is for.
    """
    if scenario is None and job is None:
        raise ValueError("give a scenario, or the name of a job")
    path = NULL if scenario is None else _arguments.c_string("scenario", scenario)
    called = NULL if job is None else _arguments.c_string("job", job)
    known = None if scenario is None else os.fsencode(scenario)
    return _text(lambda *rest: lib.atemi_job_explain(called, path, *rest), known)


def init(
    robot: str | os.PathLike[str],
    job: str = "strike",
    *,
    feet: tuple[str, str] | None = None,
    hand: str | None = None,
    sole: tuple[float, float] | None = None,
    target_height: float | None = None,
    target_mass: float | None = None,
    stand: bool = False,
) -> str:
    """A scenario for a robot that runs as it is, as YAML with comments: what `atemi init` writes.

    >>> strike = plan_strike(text=init("hrp2_like"))  # doctest: +SKIP

    Parameters
    ----------
    robot : str or path-like
        A shipped robot, or a file; the scenario names it like this.
    job : str
        ``"strike"``, ``"walk"``, ``"control"``, ``"impact"`` or ``"simulate"``.
    feet, hand : str, optional
        Links or sites; found if missing.
    sole : (float, float), optional
        Length and width of the soles, m; found if missing.
    target_height, target_mass : float, optional
        m above the floor, and kg; chosen if missing.
    stand : bool
        For ``"control"``: the robot stands on its feet, which are held otherwise.
    """
    name = os.fspath(robot)
    model = Robot.shipped(name) if name in robots() else Robot(name)
    wish = ffi.new("atemi_job_wish *")
    wish[0] = lib.atemi_job_wish_default()
    kept = [ffi.new("char[]", _arguments.c_string("robot", name))]
    wish.model, wish.robot = model._model, kept[0]
    for i, foot in enumerate(feet or ()):
        kept.append(ffi.new("char[]", _arguments.c_string("feet", foot)))
        wish.feet[i] = kept[-1]
    if hand is not None:
        kept.append(ffi.new("char[]", _arguments.c_string("hand", hand)))
        wish.hand = kept[-1]
    if sole is not None:
        wish.sole = [_arguments.number("sole", side) for side in sole]
    if target_height is not None:
        wish.height = _arguments.number("target_height", target_height)
    if target_mass is not None:
        wish.mass = float(target_mass)
    wish.stands = stand
    called = _arguments.c_string("job", job)
    return _text(lambda *rest: lib.atemi_job_init(called, wish, *rest), None)


def _text(function: Callable[..., Any], path: bytes | None) -> str:
    made = ffi.new("char **")
    check(function, made, path=path, stacklevel=3)
    try:
        return decode(made[0])
    finally:
        lib.atemi_release(made[0])
