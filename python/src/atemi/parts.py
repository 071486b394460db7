# SPDX-License-Identifier: Apache-2.0
"""Values that a robot hands out besides arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray


class Energy(float):
    """A robot's energy in J: a float, the total, that knows its two parts.

    >>> energy = Energy(3.0, 4.0)
    >>> energy, energy.kinetic, energy.potential
    (Energy(kinetic=3.0, potential=4.0), 3.0, 4.0)
    >>> energy + 1.0
    8.0
    >>> kinetic, potential = energy

    Attributes
    ----------
    kinetic : float
        Kinetic energy, rotors included, J.
    potential : float
        Potential energy, zero with the centre of mass at the world's origin, J.
    """

    __slots__ = ("kinetic", "potential")
    kinetic: float
    potential: float

    def __new__(cls, kinetic: float, potential: float) -> Energy:
        self = super().__new__(cls, kinetic + potential)
        self.kinetic = float(kinetic)
        self.potential = float(potential)
        return self

    def __iter__(self) -> Iterator[float]:
        return iter((self.kinetic, self.potential))

    def __repr__(self) -> str:
        return f"Energy(kinetic={self.kinetic!r}, potential={self.potential!r})"

    def __reduce__(self) -> Any:  # for copy and pickle
        return type(self), (self.kinetic, self.potential)


class Energies(NamedTuple):
    """The energies of several states, J."""

    kinetic: NDArray[np.float64]
    """(n,) kinetic energy, rotors included."""
    potential: NDArray[np.float64]
    """(n,) potential energy, zero with the centre of mass at the world's origin."""

    @property
    def total(self) -> NDArray[np.float64]:
        """(n,) their sums."""
        return self.kinetic + self.potential


class Mimic(NamedTuple):
    """The law of a joint that copies another: q = multiplier q_source + offset."""

    source: str
    multiplier: float
    offset: float


class Site(NamedTuple):
    """A place on a link that may touch the world: a point, or a rectangle in its own x-y plane."""

    name: str
    link: str
    rotation: NDArray[np.float64]
    """(3, 3), in the link's axes; the z column points out of the ground, into the robot."""
    position: NDArray[np.float64]
    """(3,), from the link's origin in the link's axes, m."""
    size: tuple[float, float]
    """Side lengths along x and y, m; both 0 for a point."""


class Geometry(NamedTuple):
    """What a link looks like, or is touched by."""

    link: str
    collision: bool
    """Made for touching; otherwise for looking at."""
    shape: str
    """``"box"``, ``"cylinder"``, ``"sphere"``, ``"capsule"`` or ``"mesh"``."""
    rotation: NDArray[np.float64]
    """(3, 3), in the link's axes."""
    position: NDArray[np.float64]
    """(3,), in the link's axes, m."""
    size: tuple[float, float, float]
    """Box: sides; cylinder, capsule: radius, length, 0; sphere: radius, 0, 0; mesh: scale."""
    color: tuple[float, float, float, float]
    """Red, green, blue, alpha, 0 to 1; alpha 0 where none is given."""
    uri: Optional[str]
    """Of a mesh, as described."""
    path: Optional[str]
    """Of a mesh file that was found."""
