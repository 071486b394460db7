# SPDX-License-Identifier: Apache-2.0
"""A planned strike: what was decided, what holds it back, its motion, and how it went."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .errors import Error
from .recording import Recording, Table


class Bounded(NamedTuple):
    """A variable or a constraint of a plan: SI units, radians.

    >>> margin = Bounded(0.05, 0.05, math.inf, 478.8)
    >>> margin.active, margin.excess
    (True, 0.0)
    """

    value: float
    lower: float
    upper: float
    """Minus and plus infinity where there is no bound."""
    worth: float
    """What the objective gains for one unit more of room; 0 where nothing is gained."""

    @property
    def active(self) -> bool:
        """Whether it holds the blow back."""
        return self.worth > 0.0

    @property
    def excess(self) -> float:
        """How far it is beyond its bounds; 0 within."""
        return max(self.lower - self.value, self.value - self.upper, 0.0)


class Motion(NamedTuple):
    """A motion from rest to rest: a row for each instant, columns as of `Robot`."""

    t: NDArray[np.float64]
    """s, one a row; first touch is at 0."""
    q: NDArray[np.float64]
    v: NDArray[np.float64]
    a: NDArray[np.float64]
    tau: NDArray[np.float64]
    """What the motion needs, without the blow and the friction of joints."""


class Estimate(NamedTuple):
    """The blow as the plan has it."""

    speed: float
    """Of the hand at first touch, m/s."""
    peak_force: float
    """N."""
    impulse: float
    """N s."""
    contact_time: float
    """s."""
    margin: float
    """Least distance of the ZMP to the edge of what the robot stands on, in the blow, m."""


class Verification(NamedTuple):
    """The blow by full dynamics, with feet that may lift and slip."""

    stands: bool
    """Whether the robot stood until the end."""
    peak_force: float
    """N. NaN, as all that follows, where the simulation could not go on."""
    impulse: float
    """N s."""
    contact_time: float
    """s."""
    margin: float
    """Least distance of the ZMP to the edge of what the robot stands on, m."""
    lift_offs: float
    """Of corners of the feet."""
    slips: float
    force: NDArray[np.float64]
    """Of the blow at each instant of the motion, N."""
    zmp: NDArray[np.float64]
    """At each instant of the motion: x, y and the distance to the edge, m."""


class Strike:
    """A planned strike, immutable; made by `plan_strike`, or of a recording of the job "strike".

    >>> import atemi
    >>> strike = atemi.plan_strike("scenarios/strike.yaml")
    >>> strike.feasible, strike.motion.q.shape
    (True, (1401, 37))
    >>> round(strike.estimate.peak_force / strike.decided["speed of the hand"].value)
    300
    >>> strike.verify().stands
    True
    """

    def __init__(self, recording: Recording) -> None:
        if recording.job != "strike":
            raise ValueError(f"a strike is made of a recording of a strike, not of {recording!r}")
        self._recording = recording

    @property
    def recording(self) -> Recording:
        """All of it: for its report, its figures, and to be written."""
        return self._recording

    @property
    def outcome(self) -> str:
        """How the planning ended, in one sentence."""
        return self._recording.outcome or ""

    @property
    def feasible(self) -> bool:
        """Whether all constraints are met."""
        return bool(self._recording.results["feasible"])

    @property
    def objective(self) -> float:
        """What was maximized."""
        return float(self._recording.results["objective"])

    @cached_property
    def decided(self) -> dict[str, Bounded]:
        """The decision variables at the optimum, by name."""
        return _bounded(self._recording.tables["decided"])

    @cached_property
    def constraints(self) -> dict[str, Bounded]:
        """All constraints at the optimum, by name."""
        return _bounded(self._recording.tables["constraints"])

    @cached_property
    def limits(self) -> dict[str, Bounded]:
        """The constraints that hold the blow back, or are not met, by name."""
        return _bounded(self._recording.tables["limits"])

    @cached_property
    def motion(self) -> Motion:
        """The motion from rest to first touch and on to rest."""
        groups = (_stacked(self._recording, f"{group}.") for group in ("q", "v", "a", "tau"))
        return Motion(self._recording.time, *groups)

    @property
    def estimate(self) -> Estimate:
        """The blow as the plan has it."""
        results = self._recording.results
        names = ("speed", "peak_force", "impulse", "contact_time", "impact_margin")
        return Estimate(*(float(results[name]) for name in names))

    def verify(self) -> Verification:
        """The motion by full dynamics: servos follow it, feet may lift and slip.

        It was simulated with the planning, which takes far longer.

        Raises
        ------
        Error
            Nothing was simulated: there is no feasible plan, or the scenario did not ask for it.
        """
        results, seen = self._recording.results, self._recording["verify.force"]
        if not self.feasible:
            raise Error(f"nothing was verified: {self.outcome}")
        if np.isnan(seen).all():
            raise Error("nothing was verified: the scenario has verify: {run: false}; leave it out")
        names = ("peak_force", "impulse", "contact_time", "margin", "lift_offs", "slips")
        return Verification(
            bool(results["stands"]),
            *(float(results[f"verified_{name}"]) for name in names),
            force=seen,
            zmp=_columns(self._recording, ("zmp.x", "zmp.y", "zmp.margin")),
        )

    def __repr__(self) -> str:
        return f"<atemi.Strike of {self._recording.robot!r}: {self.outcome}>"


def _bounded(table: Table) -> dict[str, Bounded]:
    columns = (table[name] for name in ("value", "lower", "upper", "worth"))
    rows = zip(*(column.tolist() for column in columns))
    return {name: _open(*row) for name, row in zip(table.labels or (), rows)}


def _open(value: float, lower: float, upper: float, worth: float) -> Bounded:
    """Tables have NaN where a bound is infinite."""
    return Bounded(
        value,
        -math.inf if math.isnan(lower) else lower,
        math.inf if math.isnan(upper) else upper,
        worth,
    )


def _stacked(recording: Recording, prefix: str) -> NDArray[np.float64]:
    return _columns(recording, (name for name in recording if name.startswith(prefix)))


def _columns(recording: Recording, names: Iterable[str]) -> NDArray[np.float64]:
    stacked = np.column_stack([recording[name] for name in names])
    stacked.flags.writeable = False
    return stacked
