# SPDX-License-Identifier: Apache-2.0
"""Trapezoidal velocity profiles of axes that arrive together."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._library import call, ffi, lib

Axes = NDArray[np.float64]


class Trapezoids:
    """The shortest profiles of axes between positions and velocities, all of one duration.

    >>> profiles = Trapezoids([0, 0], [1, 2], velocity=1, acceleration=2)
    >>> profiles.duration
    2.5
    >>> profiles.at(1.25)[0]
    array([0.5, 1. ])

    Parameters
    ----------
    start, end : array_like, (n,)
        Positions.
    velocity, acceleration : array_like, (n,) or one for all
        Bounds of their amounts, positive.
    start_velocity, end_velocity : array_like, optional
        Velocities at the ends; rest by default. A start that is beyond the bound is braked first.
    duration : float, optional
        That is wanted. They take it, or the least longer one that every axis can take.

    Raises
    ------
    ValueError
        Something is not finite, or a bound is not positive.
    """

    def __init__(
        self,
        start: ArrayLike,
        end: ArrayLike,
        *,
        velocity: ArrayLike,
        acceleration: ArrayLike,
        start_velocity: ArrayLike = 0.0,
        end_velocity: ArrayLike = 0.0,
        duration: float = 0.0,
    ) -> None:
        given = (start, end, velocity, acceleration, start_velocity, end_velocity)
        rows = np.broadcast_arrays(*(np.atleast_1d(np.asarray(x, float)) for x in given))
        if rows[0].ndim != 1 or not np.isfinite(duration):
            raise ValueError("give one number an axis, and a finite duration")
        count = len(rows[0])
        tasks = ffi.new("atemi_trapezoid_task[]", count)
        for task, (p, q, v, a, u, w) in zip(tasks, zip(*(row.tolist() for row in rows))):
            task.start.position, task.start.velocity = p, u
            task.end.position, task.end.velocity = q, w
            task.velocity, task.acceleration = v, a
        self._profiles = ffi.new("atemi_trapezoid[]", count)
        if not call(lib.atemi_trapezoid_synchronize, tasks, count, float(duration), self._profiles):
            raise ValueError("ends must be finite, bounds of velocity and acceleration positive")
        #: s, of all axes
        self.duration: float = max((profile.duration for profile in self._profiles), default=0.0)

    def at(self, time: float) -> tuple[Axes, Axes, Axes]:
        """Positions, velocities and accelerations at a time since the start."""
        profiles = map(ffi.addressof, self._profiles)
        states = [lib.atemi_trapezoid_at(profile, float(time)) for profile in profiles]
        rows = np.array([(s.position, s.velocity, s.acceleration) for s in states]).reshape(-1, 3)
        return rows[:, 0], rows[:, 1], rows[:, 2]
