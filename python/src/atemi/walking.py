# SPDX-License-Identifier: Apache-2.0
"""A walk: how far it went, where feet slid and landed, and the states of its gait."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._library import decode, lib
from ._outcome import Outcome

FOOT_STATES: tuple[str, ...] = tuple(
    decode(lib.atemi_foot_state_text(i)) for i in range(lib.ATEMI_FOOT_STATES)
)
"""What a foot does on the floor, by its number in recordings: "air", "heel stick" and so on."""


class Slip(NamedTuple):
    """A foot that slid by 1 mm or more."""

    foot: str
    """``"left foot"`` or ``"right foot"``."""
    start: float
    """s."""
    place: float
    """x of the foot's middle as it began, m."""
    duration: float
    """s."""
    distance: float
    """m, forwards."""


class SoleSlip(NamedTuple):
    """A foot that slid by 1 mm or more, in three dimensions."""

    foot: str
    """``"left foot"`` or ``"right foot"``."""
    cause: str
    """``"patch"``, ``"force"``, ``"landing"``, ``"leaving"`` or ``"load"``."""
    start: float
    """s."""
    place: tuple[float, float, float]
    """Of the sole's middle as it began, m."""
    duration: float
    """s."""
    distance: float
    """Along its path, m."""
    direction: float
    """Of the whole displacement, rad from x towards y."""


class Collisions(NamedTuple):
    """The collisions of a heel or toe."""

    count: int  # type: ignore[assignment]
    mean: float
    """Impulse, N s; NaN where there is none."""
    hardest: float
    """N s."""
    fastest: float
    """Approach, m/s."""


class GaitState(NamedTuple):
    """How often and how long the gait was in a state."""

    support: str
    """What the supporting foot did, one of `FOOT_STATES`."""
    other: str
    """What the other foot did."""
    visits: int
    time: float
    """s."""


class Walk(Outcome):
    """A walk, immutable; made by `walk`, or of a recording of the job "walk".

    >>> import atemi
    >>> short = atemi.walk({"steps": 4})
    >>> short.completed, short.fell, short.steps
    (True, False, 4)
    >>> short.motion.q.shape[1], short.feet.shape[1]
    (19, 2)
    """

    _job = "walk"

    @property
    def duration(self) -> float:
        """s."""
        return self._figure("duration")

    @property
    def fell(self) -> bool:
        """Whether the robot fell; `outcome` says when and why."""
        return bool(self._recording.results["fell"])

    @property
    def steps(self) -> int:
        """Feet that landed."""
        return int(self._recording.results["steps"])

    @property
    def distance(self) -> float:
        """From the first sole to the last one, m."""
        return self._figure("distance")

    @property
    def speed(self) -> float:
        """Mean, m/s."""
        return self._figure("speed")

    @property
    def step_length(self) -> float:
        """Mean, m."""
        return self._figure("step_length")

    @property
    def step_period(self) -> float:
        """Mean, s."""
        return self._figure("step_period")

    @property
    def cost_of_transport(self) -> float:
        """Positive work over weight and distance."""
        return self._figure("cost_of_transport")

    @cached_property
    def slips(self) -> tuple[Slip, ...]:
        """Slides of 1 mm or more in the plane, in their order."""
        table = self._recording.tables["slips"]
        rows = zip(table.labels or (), table.values.tolist())
        return tuple(Slip(foot, *row) for foot, row in rows)

    @cached_property
    def sole_slips(self) -> tuple[SoleSlip, ...]:
        """The same in three dimensions."""
        table = self._recording.tables["slips"]
        return tuple(
            SoleSlip(*_feet(label), start, (x, y, z), *rest)
            for label, (start, x, y, z, *rest) in zip(table.labels or (), table.values.tolist())
        )

    @cached_property
    def collisions(self) -> dict[str, Collisions]:
        """The collisions of heels and toes, by name."""
        table = self._recording.tables["collisions"]
        rows = zip(table.labels or (), table.values.tolist())
        return {name: Collisions(int(count), *rest) for name, (count, *rest) in rows}

    @cached_property
    def gait(self) -> tuple[GaitState, ...]:
        """The states of the gait that there were."""
        table = self._recording.tables["gait"]
        rows = zip(table.labels or (), table["visits"].tolist(), table["time"].tolist())
        return tuple(GaitState(*_feet(label), int(n), time) for label, n, time in rows)

    @cached_property
    def feet(self) -> NDArray[np.int64]:
        """(rows, 2) what left and right foot do at each instant.

        Numbers of `FOOT_STATES` in the plane, of `SOLE_STATES` in three dimensions.
        """
        group = "gait" if "gait.left" in self._recording else "stride"
        return self._recording.stacked((f"{group}.left", f"{group}.right")).astype(np.int64)


def _feet(label: str) -> tuple[str, str]:
    """Of a label such as ``"sole stick, air"`` or ``"left foot, patch"``."""
    support, other = label.split(", ")
    return support, other
