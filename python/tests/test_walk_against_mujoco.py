# SPDX-License-Identifier: Apache-2.0
"""MuJoCo's second opinion on walks: humanoid17 walks there, led by the same controller.

MuJoCo is told the URDF and the posture to start from. Every tick the controller gets what MuJoCo
measures, q, v, and touch and force of heels and toes; at every step of MuJoCo's the joints get

    torque(t, v) - d v                  d: the joints' viscous friction, of the URDF

The motion and the contacts are its own. Every tolerance is about twice what was measured.
docs/second_opinion.md has the figures.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import pytest
from twin import Case, Softness, Twin, mujoco

import atemi

STEPS = 20
TICK = 0.002  # s, half the usual: the controller answers in whole ticks, which would hide the rest
HALF_SOLE = 0.06  # m, that the middle of a sole is before the ankle
STIFF = Softness(2e-4, 1e-3, ratio=4.0, impedance=0.95)
USUAL = Softness(1e-3, 20e-3)  # MuJoCo's defaults
BASE = ("base_x", "base_z", "base_turn")


def _walk(**scenario: object) -> atemi.Recording:
    return atemi.walk(scenario).recording


class WalkCase(Case):
    """A walk of 20 steps on a floor of one friction, a row every tick."""

    def __init__(self, friction: float) -> None:
        scenario = {
            "steps": STEPS,
            "friction": friction,
            "record": {"every": TICK},
            "integration_step": TICK,
            "gait": {"tick": TICK},
        }
        super().__init__(scenario, (), friction, 0.0, 0.0, job=_walk)

    @cached_property
    def robot(self) -> atemi.Robot:
        return atemi.Robot.from_string(self.recording.urdf, base="sagittal")

    @cached_property
    def controller(self) -> atemi.WalkingController:
        return atemi.WalkingController(self.robot, tick=TICK)

    @cached_property
    def points(self) -> dict[str, tuple[str, np.ndarray]]:
        return dict(zip(atemi.WalkingController.POINTS, self.controller.points))


@cache
def _case(friction: float) -> WalkCase:
    return WalkCase(friction)


@dataclass(frozen=True)
class Gait:
    """What came of a walk: rows of ticks."""

    t: np.ndarray
    q: np.ndarray
    forces: np.ndarray  # rows, points, xyz
    landings: np.ndarray  # s
    soles: np.ndarray  # m, x of their middles then

    @property
    def distance(self) -> float:
        return self.soles[-1] - HALF_SOLE

    def step_forces(self) -> np.ndarray:
        """Of the floor, over the time since a landing: the mean of steps, once it walks evenly."""
        starts = np.searchsorted(self.t, self.landings[8:-1])
        return np.mean([self.forces[i : i + 350].sum(axis=1) for i in starts], axis=0)


class Walker(Twin):
    """Walks in MuJoCo."""

    def _add_base(self, root) -> None:
        slide, hinge = mujoco.mjtJoint.mjJNT_SLIDE, mujoco.mjtJoint.mjJNT_HINGE
        for name, kind, axis in zip(BASE, (slide, slide, hinge), np.eye(3)[[0, 2, 1]]):
            root.add_joint(name=name, type=kind, axis=axis)

    def _add_more(self, spec) -> None:
        spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_EULERDAMP

    def _start(self, q: np.ndarray, v: np.ndarray) -> None:
        base = [self.model.joint(name) for name in BASE]
        self.joints_q = [joint.qposadr[0] for joint in base] + self.joints_q
        self.joints_v = [joint.dofadr[0] for joint in base] + self.joints_v
        self.data.qpos[self.joints_q] = self.case.controller.posture()
        mujoco.mj_forward(self.model, self.data)

    @property
    def q(self) -> np.ndarray:
        return self.data.qpos[self.joints_q]

    @property
    def v(self) -> np.ndarray:
        v, turn = self.data.qvel[self.joints_v], self.q[2]
        c, s = np.cos(turn), np.sin(turn)
        v[:2] = [[c, -s], [s, c]] @ v[:2]
        return v

    def _tick(self, count: int) -> None:
        """Until the next one."""
        controller, data = self.case.controller, self.data
        for _ in range(count):
            data.qfrc_applied[self.joints_v] = controller.torque(
                data.time, data.qvel[self.joints_v]
            )
            mujoco.mj_step(self.model, data)

    def walk(self) -> Gait:
        """Until all steps are done, or it has fallen."""
        controller = self.case.controller
        tick = controller.options["tick"]
        touches, forces = [True] * len(self.case.points), np.zeros((len(self.case.points), 3))
        rows, landings = [], []
        while len(landings) < STEPS and self.q[1] > 0.6:
            controller.tick(len(rows) * tick, self.q, self.v, touches, forces)
            if controller.state.landings > len(landings):
                landings.append((len(rows) * tick, controller.state.sole))
            self._tick(round(tick / self.model.opt.timestep))
            forces = np.array(list(self.forces().values()))
            touches = forces[:, 2] > 0.0
            rows.append((self.data.time, self.q, forces))
        return Gait(*map(np.array, zip(*rows)), *np.array(landings).T)


@cache
def _theirs(friction: float, softness: Softness = STIFF) -> Gait:
    return Walker(_case(friction), softness).walk()


def _landings(walk: atemi.Walk) -> tuple[np.ndarray, np.ndarray]:
    """When a foot that has swung touches the floor, and where."""
    found = []
    for foot, side in enumerate(("left", "right")):
        down = np.flatnonzero(walk.feet[:, foot])
        rows = down[1:][np.diff(down) > 150]  # ticks
        heel, toe = (walk.recording[f"contact.{side}_{end}.position_x"] for end in ("heel", "toe"))
        found += [(walk.motion.t[i], 0.5 * (heel[i] + toe[i])) for i in rows]
    times, soles = np.array(sorted(found)).T
    return times, soles


@cache
def _ours(friction: float) -> Gait:
    recording = _case(friction).recording
    walk = atemi.Walk(recording)
    forces = [
        np.column_stack([recording[f"contact.{name}.force_{axis}"] for axis in "xyz"])
        for name in _case(friction).points
    ]
    return Gait(walk.motion.t, walk.motion.q, np.stack(forces, axis=1), *_landings(walk))


def _apart(ours: Gait, theirs: Gait, start: float, end: float) -> float:
    """The largest difference of a coordinate between two times, m or rad."""
    rows = [(gait.t > start - 1e-6) & (gait.t < end + 1e-6) for gait in (ours, theirs)]
    return np.abs(ours.q[rows[0]] - theirs.q[rows[1]]).max()


def test_the_first_swing_is_the_same():
    """No foot has landed yet. Measured: 0.5 mrad, by which MuJoCo's soft toe lets the foot tilt."""
    ours, theirs = _ours(0.7), _theirs(0.7)
    assert _apart(ours, theirs, 0.2, ours.landings[0] - 0.01) < 1e-3


def test_twenty_steps_go_as_far_in_the_same_time():
    """7.850 m with us. Measured: 5 mm and 16 ms off at the end, after 20 landings."""
    ours, theirs = _ours(0.7), _theirs(0.7)
    print(f"\nin MuJoCo {theirs.distance:.4f} m in {theirs.landings[-1]:.3f} s,", end=" ")
    print(f"with us {ours.distance:.4f} m in {ours.landings[-1]:.3f} s")
    assert len(ours.landings) == len(theirs.landings) == STEPS
    np.testing.assert_allclose(theirs.soles, ours.soles, atol=0.01)
    np.testing.assert_allclose(theirs.landings, ours.landings, atol=0.03)


def test_the_floor_pushes_the_same_over_a_step():
    """In parts of the weight, from 0.12 s after a landing until the next one: on one foot.

    Measured: 0.6 % of it vertically, 0.12 % along the floor, where the force goes from -8 to 17 %.
    Before, MuJoCo's heel takes up in some ms what with us is an impulse at an instant.
    """
    weight = 9.81 * _case(0.7).robot.mass
    ours, theirs = _ours(0.7).step_forces() / weight, _theirs(0.7).step_forces() / weight
    alone = slice(60, None)
    np.testing.assert_allclose(theirs[alone, 2], ours[alone, 2], atol=0.012)
    np.testing.assert_allclose(theirs[alone, 0], ours[alone, 0], atol=0.003)
    assert np.ptp(ours[alone, 0]) > 0.1 and np.ptp(ours[alone, 2]) > 0.1
    assert theirs[:, 2].mean() == pytest.approx(1.0, abs=0.005)


def test_a_soft_floor_is_walked_too():
    """MuJoCo's default, T = 20 ms. Measured: 6 cm less of 7.85 m."""
    theirs = _theirs(0.7, USUAL)
    assert len(theirs.landings) == STEPS
    assert theirs.distance == pytest.approx(_ours(0.7).distance, abs=0.12)


def test_ice_makes_the_same_steps_short():
    """Friction 0.1 costs a third of the way. Measured: 8 mm apart, of 5.23 m; 0.11 s of 14.3 s."""
    ours, theirs = _ours(0.1), _theirs(0.1)
    assert len(theirs.landings) == STEPS
    assert theirs.distance == pytest.approx(ours.distance, abs=0.02)
    assert theirs.landings[-1] == pytest.approx(ours.landings[-1], abs=0.25)
    assert theirs.distance < 0.7 * _theirs(0.7).distance
