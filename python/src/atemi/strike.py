# SPDX-License-Identifier: Apache-2.0
"""A planned strike: what was decided, what holds it back, its motion, and how it went."""

from __future__ import annotations

import math
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _html
from ._library import ffi, lib, load
from ._outcome import Outcome
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
    recording: Recording
    """All of it: for its report, its events, and to be written."""


class Strike(Outcome):
    """A planned strike, immutable; made by `plan_strike`, or of a recording of the job "strike".

    Its `motion` goes from rest to first touch, at t = 0, and on to rest.

    >>> import atemi
    >>> strike = atemi.plan_strike("scenarios/strike.yaml")
    >>> strike.feasible, strike.motion.q.shape
    (True, (1401, 37))
    >>> round(strike.estimate.peak_force / strike.decided["speed of the hand"].value)
    300
    >>> strike.verify().stands, strike.verify(friction=0.05).slips > 0
    (True, True)
    """

    _job = "strike"

    @property
    def feasible(self) -> bool:
        """Whether all constraints are met."""
        return bool(self._recording.results["feasible"])

    @property
    def objective(self) -> float:
        """What was maximized."""
        return self._figure("objective")

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

    @property
    def estimate(self) -> Estimate:
        """The blow as the plan has it."""
        names = ("speed", "peak_force", "impulse", "contact_time", "impact_margin")
        return Estimate(*map(self._figure, names))

    def verify(
        self,
        *,
        friction: float | None = None,
        mass: float | None = None,
        distance: float | None = None,
    ) -> Verification:
        """The motion by full dynamics: servos follow it, feet may lift and slip.

        As the scenario has it, that was simulated with the planning, unless it has
        ``verify: {run: false}``. Anything else is simulated now, in about a second.

        Parameters
        ----------
        friction : float, optional
            Of the floor.
        mass : float, optional
            Of the target, kg; infinite for a wall.
        distance : float, optional
            By which the target is farther than planned, m; negative for nearer.

        Raises
        ------
        Error
            There is no feasible plan, or the conditions make no sense.
        """
        given = (friction, mass, distance)
        seen = np.isfinite(self._recording["verify.force"]).any()
        if seen and given == (None, None, None):
            return _verification(self._recording)
        conditions = ffi.new("atemi_strike_conditions *", [_known(value) for value in given])
        call = lib.atemi_strike_verify_recording, self._recording._handle, conditions
        return _verification(Recording._of(load(*call, kind="atemi_recording", stacklevel=2)))

    def _repr_html_(self) -> str:
        def rows(table: dict[str, Bounded]) -> list[tuple[object, ...]]:
            return [(name, b.value, b.lower, b.upper, b.worth) for name, b in table.items()]

        head = ("", "value", "lower", "upper", "worth")
        estimate = self.estimate._asdict().items() if self.feasible else ()
        return _html.page(
            f"strike of {self._recording.robot}: {self._recording.outcome}",
            _html.table(("estimate", ""), estimate),
            "<p>What holds the blow back</p>",
            _html.table(head, rows(self.limits)),
            _html.folded(f"{len(self.decided)} values decided", _html.table(head, rows(self.decided))),
        )


def _known(condition: float | None) -> float:
    """C has NaN for what is as the scenario has it."""
    if condition is not None and math.isnan(condition):
        raise ValueError("friction, mass and distance must be numbers, or left out, not nan")
    return math.nan if condition is None else condition


def _verification(recording: Recording) -> Verification:
    def seen(name: str) -> float:
        return float(recording.results[f"verified_{name}"])

    return Verification(
        stands=bool(recording.results["stands"]),
        peak_force=seen("peak_force"),
        impulse=seen("impulse"),
        contact_time=seen("contact_time"),
        margin=seen("margin"),
        lift_offs=seen("lift_offs"),
        slips=seen("slips"),
        force=recording["verify.force"],
        zmp=recording.stacked(("zmp.x", "zmp.y", "zmp.margin")),
        recording=recording,
    )


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
