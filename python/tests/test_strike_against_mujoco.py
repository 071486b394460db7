# SPDX-License-Identifier: Apache-2.0
"""MuJoCo's second opinion on planned strikes: it plays the motion open loop, with the same servos.

MuJoCo is told the URDF, where the box begins, the motion of the recording, and the laws of
hitter.py with

    order = tau + K_p q + K_d q'                       of the motion, a line from row to row

The rest, from rest to rest, it finds by itself: whether the feet hold, the blow, the balance after
it. Every tolerance is about twice what was measured. docs/second_opinion.md has the figures.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
import robots
from hitter import DAMPING, K_D, K_P, STIFFNESS, Fist, Hitter
from twin import FEET, Case, Softness, mujoco

import atemi

AFTERWARDS = 0.3  # s that it has to stand
STIFF_FEET = Softness(1e-4, 5e-4, impedance=0.99)


STRIKES = {
    "strike.yaml": (FEET, Fist()),
    "kick.yaml": (("left_sole",), Fist("right_foot", (0.12, 0.0, -0.075))),
}


@cache
def _plan(name: str) -> atemi.Strike:
    text = (robots.CHECKOUT / "scenarios" / name).read_text()
    text, _, _ = text.partition("verify:")
    return atemi.plan_strike(text=text + "verify: {friction: 1, attempts: 1}")


@cache
def _case(name: str, friction: float) -> Case:
    feet, _ = STRIKES[name]
    return Case({"name": name}, feet, friction, K_P, K_D, job=lambda name: _plan(name).recording)


@dataclass(frozen=True)
class Outcome:
    """What came of a strike in MuJoCo."""

    peak_force: float  # N
    impulse: float  # N s
    contact_time: float  # s
    highest: float  # m, of a corner of a foot
    slide: float  # m, the longest of a corner
    tilt: float  # rad, of the base off ours in the end
    way: float  # m, of the centre of mass off ours in the end


class Player(Hitter):
    """Plays the motion of a strike."""

    def __init__(self, name: str, friction: float, softness: Softness) -> None:
        super().__init__(_case(name, friction), softness, STRIKES[name][1])
        self.strike = _plan(name)
        self.touch = self._place(self.strike.motion.q[np.searchsorted(self.strike.motion.t, 0.0)])

    def _place(self, q: np.ndarray) -> float:
        """Where the hand is at q, along x."""
        R, p = self.case.robot.link_pose(q, self.fist.link)
        return (p + R @ self.fist.point)[0]

    def orders(self) -> np.ndarray:
        """For every step until some time after the motion."""
        t, q, v, _, tau = self.strike.motion
        rows = tau[:, 6:] + K_P * q[:, 7:] + K_D * v[:, 6:]
        times = np.arange(t[0], t[-1] + AFTERWARDS, self.model.opt.timestep)
        return np.column_stack([np.interp(times, t, column) for column in rows.T])

    def _corners(self) -> np.ndarray:
        return np.array([self.data.geom(name).xpos for name in self.case.points])

    def play(self) -> Outcome:
        """From rest to rest, and on."""
        force, first = [], self._corners()
        highest = slide = 0.0
        for order in self.orders():
            mujoco.mj_step1(self.model, self.data)
            off = self._corners() - first
            highest = max(highest, off[:, 2].max())
            slide = max(slide, np.linalg.norm(off[:, :2], axis=1).max())
            force.append(self.push(order))
        return Outcome(
            max(force),
            self.impulse,
            np.count_nonzero(force) * self.model.opt.timestep,
            highest,
            slide,
            *self._off(),
        )

    def _off(self) -> tuple[float, float]:
        """Of the base and the centre of mass, from where the motion ends."""
        robot, q = self.case.robot, self.strike.motion.q[-1]
        tilt = np.linalg.norm(robot.difference(q, self.q)[3:6])
        return tilt, np.linalg.norm(robot.center_of_mass(self.q) - robot.center_of_mass(q))


@cache
def _play(name: str, friction: float = 1.0, softness: Softness = STIFF_FEET) -> Outcome:
    return Player(name, friction, softness).play()


@cache
def _verified(name: str, friction: float = 1.0) -> atemi.Verification:
    return _plan(name).verify(friction=friction)


@pytest.mark.parametrize("name", STRIKES)
def test_a_strike_still_stands_in_the_end(name):
    """Measured: 0.2 mrad and 0.04 mm off the end of the motion; feet slide by 0.07 mm."""
    outcome = _play(name)
    assert _verified(name).stands
    assert outcome.tilt < 1e-3 and outcome.way < 1e-4
    assert outcome.highest < 1e-5 and outcome.slide < 3e-4


@pytest.mark.parametrize("name", STRIKES)
def test_a_strike_hits_as_hard(name):
    """Measured: 0.15 % of the impulse, 0.1 ms of contact.

    The peak is that of first touch, which MuJoCo sees up to a step late: k v h, 2 N, and half a
    step of that force in the impulse, 0.02 N s; a quarter of the step leaves 0.02 %.
    """
    ours, theirs = _verified(name), _play(name)
    print(f"\n{name}: in MuJoCo {theirs.peak_force:.2f} N and {theirs.impulse:.4f} N s,", end=" ")
    print(f"with us {ours.peak_force:.2f} N and {ours.impulse:.4f} N s")
    late = STIFFNESS * ours.peak_force / DAMPING * STIFF_FEET.step
    assert theirs.peak_force == pytest.approx(ours.peak_force, abs=1.5 * late)
    assert theirs.impulse == pytest.approx(ours.impulse, abs=0.5 * STIFF_FEET.step * ours.peak_force)
    assert theirs.contact_time == pytest.approx(ours.contact_time, abs=3e-4)


@pytest.mark.parametrize("name", STRIKES)
def test_feet_that_slip_weaken_a_strike_the_same(name):
    """Friction 0.2 costs 2 and 11 % of the impulse. Measured: 0.7 % apart; both stand."""
    ours, theirs = _verified(name, 0.2), _play(name, 0.2)
    assert ours.slips > 0 and theirs.slide > 5e-3
    assert ours.stands and theirs.tilt < 0.2  # rad, at which we call it a fall
    assert theirs.impulse == pytest.approx(ours.impulse, rel=1.5e-2)
    assert theirs.impulse < 0.99 * _play(name).impulse


@pytest.mark.parametrize("name", STRIKES)
def test_a_strike_stands_on_a_soft_floor_too(name):
    """MuJoCo's default, T = 20 ms. Measured: 9 mrad and 5 mm off; 1.3 % of the impulse."""
    outcome = _play(name, softness=Softness(1e-4, 20e-3))
    assert outcome.tilt < 0.03 and outcome.way < 0.02
    assert outcome.impulse == pytest.approx(_verified(name).impulse, rel=2.5e-2)
