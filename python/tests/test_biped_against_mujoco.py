# SPDX-License-Identifier: Apache-2.0
"""MuJoCo's second opinion on walks in three dimensions: robots walk there, and the controller sees
only MuJoCo's sensors: an accelerometer and a gyroscope, encoders, and the force on each foot.

A thousand times a second: the noise of data sheets is added, the base is estimated, and the torques
that the controller decides arrive two ticks later, with a time constant of 2 ms. Nothing is tuned
for a robot. docs/second_opinion.md has the figures.
"""

from __future__ import annotations

from collections import deque
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from robots import shared
from twin import Softness, _add_points, _set_options, _without_shapes, mujoco

import atemi

STEPS = 20
TICK = 0.001
DELAY = 2  # ticks
LAG = 0.002  # s
FRICTION = 0.8
GROUND = Softness(5e-4, 5e-3)
NOISE = {"encoder": 1e-4, "velocity": 0.01, "gyroscope": 0.002, "accelerometer": 0.05, "load": 0.01}
WALKERS = ("atlas_v5", "g1_29dof", "h1", "hrp4c", "jvrc1", "talos_reduced")


class Plant:
    """A robot in MuJoCo, with its sensors. A quaternion of MuJoCo is w x y z."""

    def __init__(self, biped: atemi.Biped) -> None:
        robot, self.biped = biped.robot, biped
        points = {
            f"{side}.{i}": (sole.link, corner)
            for side, sole in enumerate(biped.soles)
            for i, corner in enumerate(sole.corners)
        }
        case = SimpleNamespace(
            normal=np.array([0.0, 0.0, 1.0]), points=points, friction=FRICTION, gravity=9.81
        )
        spec = mujoco.MjSpec.from_string(_without_shapes(robot.to_urdf().encode()))
        root = spec.body(robot.link_names[0])
        root.add_freejoint()
        root.add_site(name="imu")
        for kind in ("ACCELEROMETER", "GYRO"):
            spec.add_sensor(
                type=getattr(mujoco.mjtSensor, f"mjSENS_{kind}"),
                objtype=mujoco.mjtObj.mjOBJ_SITE,
                objname="imu",
            )
        _add_points(spec, case, GROUND)
        _set_options(spec.option, case, GROUND)
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        self.sides = {self.model.geom(name).id: int(name[0]) for name in points}
        names = [name for name in robot.joint_names if self._moves(name)]
        self.q_of = [self.model.joint(name).qposadr[0] for name in names]
        self.v_of = [self.model.joint(name).dofadr[0] for name in names]
        self.model.dof_armature[self.v_of] = robot.armature[6:]
        mujoco.mj_setConst(self.model, self.data)
        q = biped.posture()
        self.data.qpos[:7] = [*q[:3], q[6], *q[3:6]]
        self.data.qpos[self.q_of] = q[7:]
        mujoco.mj_forward(self.model, self.data)
        self.height = q[2]

    def _moves(self, name: str) -> bool:
        return mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_JOINT, name) >= 0

    def forces(self) -> np.ndarray:
        """Of the floor on the right and the left foot, along its normal."""
        sums, wrench = np.zeros(2), np.empty(6)
        for i, geom in enumerate(self.data.contact.geom[:, 1].tolist()):
            mujoco.mj_contactForce(self.model, self.data, i, wrench)
            sums[self.sides[geom]] += wrench[0]
        return sums

    def run(self, tau: np.ndarray) -> np.ndarray:
        """A tick; what the inertial measurement unit measured meanwhile, on average."""
        self.data.qfrc_applied[self.v_of] = tau[6:]
        count, sum_of = round(TICK / GROUND.step), np.zeros(6)
        for _ in range(count):
            mujoco.mj_step(self.model, self.data)
            sum_of += self.data.sensordata
        return sum_of / count

    @property
    def fallen(self) -> bool:
        up = 1.0 - 2.0 * (self.data.qpos[4] ** 2 + self.data.qpos[5] ** 2)
        return bool(self.data.qpos[2] < 0.6 * self.height or up < 0.6)


def _limits(robot: atemi.Robot) -> np.ndarray:
    limits = np.array(robot.effort_limits, dtype=float)
    return np.where(limits > 0.0, limits, np.inf)


def _walk(robot: atemi.Robot) -> tuple[Plant, atemi.BipedState]:
    biped = atemi.Biped(robot, tick=TICK)
    plant, q, v = Plant(biped), biped.posture(), np.zeros(robot.nv)
    estimator, noise = atemi.BaseEstimator(biped, q), np.random.default_rng(1)
    weight, limits = 9.81 * robot.mass, _limits(robot)
    imu, state = np.array([0.0, 0.0, 9.81, 0.0, 0.0, 0.0]), biped.state
    held = biped.tick(q, v, [0.5 * weight] * 2)  # until the first torques arrive
    late = deque([held] * DELAY)
    while not plant.fallen and plant.data.time < 40.0:
        q[7:] = plant.data.qpos[plant.q_of] + NOISE["encoder"] * noise.standard_normal(len(q) - 7)
        v[6:] = plant.data.qvel[plant.v_of] + NOISE["velocity"] * noise.standard_normal(len(v) - 6)
        loads = plant.forces() + NOISE["load"] * weight * noise.standard_normal(2)
        force = imu[:3] + NOISE["accelerometer"] * noise.standard_normal(3)
        spin = imu[3:] + NOISE["gyroscope"] * noise.standard_normal(3)
        late.append(biped.tick(*estimator.update(TICK, q, v, force, spin, loads), loads))
        held = held + (1.0 - np.exp(-TICK / LAG)) * (late.popleft() - held)
        imu = plant.run(np.clip(held, -limits, limits))
        state = biped.state
        biped.walk(state.landings + 3 < STEPS)
        if state.landings >= STEPS and state.phase == "stands":
            break
    return plant, state


def _files() -> dict[str, Path]:
    return {path.stem: path for path in shared() if path.stem in WALKERS}


@pytest.mark.parametrize("name", ["hrp2_like", *WALKERS])
def test_twenty_steps_by_sensors_alone(name):
    """From rest to rest; in 20 steps of 0.3 legs a robot comes at least 2 legs far."""
    if name != "hrp2_like" and name not in _files():
        pytest.skip("needs the robots beside the checkout")
    robot = atemi.Robot.shipped(name) if name == "hrp2_like" else atemi.Robot(_files()[name])
    plant, state = _walk(robot)
    print(f"\n{name}: {state.landings} steps, {plant.data.qpos[0]:.2f} m, {plant.data.time:.1f} s")
    assert not plant.fallen
    assert state.landings >= STEPS and state.phase == "stands"
    assert plant.data.qpos[0] > 1.0
