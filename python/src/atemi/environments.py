# SPDX-License-Identifier: Apache-2.0
"""Environments of gymnasium for humanoids that stand, walk and strike: ``pip install
'atemi[gymnasium]'``.

>>> import gymnasium
>>> import atemi.environments
>>> environment = gymnasium.make("atemi/Stand-v0")
>>> observation, info = environment.reset(seed=1)
>>> action = environment.action_space.sample()
>>> observation, reward, terminated, truncated, info = environment.step(action)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .contact_point import ContactPoint
from .robot import Robot
from .simulation_batch import SimulationBatch
from .surfaces import Plane

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import EnvironmentOptions

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError:
    raise ImportError(
        "atemi.environments needs gymnasium, which is not installed: pip install 'atemi[gymnasium]'"
    ) from None

Array = NDArray[np.float64]
Info = dict[str, Any]

TASKS = ("stand", "walk", "strike")

# A world has fallen where its base is lower than this part of its height at the start, or leans by
# more than this angle, rad.
_LOWEST, _LEAN = 0.7, 1.0

# How far joints, rad, and joint velocities, rad/s, are from the posture at the start, at most.
_NOISE = 0.01


class HumanoidVectorEnv(VectorEnv[Array, Array, Array]):
    """n humanoids that learn at once, on a `SimulationBatch`.

    An **action** is a number from -1 to 1 for every joint: where servos hold it, `reach` radians
    around the posture at the start. An **observation** is, in this order: the height of the base, m;
    the direction of gravity in the base's axes; the velocity of the base in its own axes, m/s and
    rad/s; joint positions less those of the posture; joint velocities; the force of the floor on
    each foot, and on the fist, upwards or backwards, in weights of the robot.

    An **episode** is terminated where the robot falls or the simulation cannot go on, and truncated
    after `duration`. The **reward** of a step is 1 while it stands, less 0.01 for the mean square of
    the action; less, to stand, the square of the base's speed; with exp(-4 (v - speed)^2) added, to
    walk; with the impulse on the wall in N s divided by the robot's mass in kg added, to strike.

    Parameters
    ----------
    num_envs : int
    task : {"stand", "walk", "strike"}
    robot : Robot, optional
        With a floating base; the shipped hrp2_like if missing.
    posture : str, optional
        Of the robot, at the start; its first one if missing.
    feet : sequence of str
        Sites that stand on the floor.
    fist : str
        The site that strikes the wall.
    wall : float
        How far in front of the fist the wall is at the start, m.
    speed : float
        To walk with, forwards, m/s.
    step, substeps
        A step of the simulation, s, and how many of them make one of the environment.
    duration : float
        Of an episode, s.
    reach, stiffness, damping
        Of the servos, rad, N m/rad, N m s/rad.
    threads : int or None
        As of `SimulationBatch`.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        task: str = "stand",
        *,
        robot: Robot | None = None,
        posture: str | None = None,
        feet: Sequence[str] = ("right_sole", "left_sole"),
        fist: str = "right_fist",
        wall: float = 0.1,
        speed: float = 0.3,
        step: float = 2e-3,
        substeps: int = 10,
        duration: float = 10.0,
        reach: float = 0.5,
        stiffness: float = 4000.0,
        damping: float = 40.0,
        threads: int | None = None,
    ) -> None:
        if task not in TASKS:
            raise ValueError(f"task must be one of {', '.join(TASKS)}, got {task!r}")
        robot = Robot.shipped("hrp2_like") if robot is None else robot
        if robot.base != "floating" or not robot.posture_names:
            raise ValueError("the robot must have a floating base and a posture to start from")
        self.task, self.robot, self.num_envs = task, robot, num_envs
        self._feet, self._fist = tuple(feet), fist
        self._speed, self._reach, self._gains = speed, reach, (stiffness, damping)
        self._substeps, self._ticks = substeps, round(duration / (step * substeps))
        self._batch = self._make_batch(wall, step, posture, threads)
        self._weight = robot.mass * float(np.linalg.norm(robot.gravity))
        self._finished = np.zeros(num_envs, dtype=bool)
        self._tick = np.zeros(num_envs, dtype=int)
        self._name_spaces()

    def _make_batch(
        self, wall: float, step: float, posture: str | None, threads: int | None
    ) -> SimulationBatch:
        robot = self.robot
        self._q0 = robot.posture(robot.posture_names[0] if posture is None else posture)
        single = [joint for _, joint in robot._joints if joint.v_count == 1]
        self._joint_q = np.array([joint.first_q for joint in single], dtype=int)
        self._joint_v = np.array([joint.first_v for joint in single], dtype=int)
        contacts: list[str | ContactPoint] = list(self._feet)
        surfaces = [Plane()]
        if self.task == "strike":
            sites = {site.name: site for site in robot.sites}
            if self._fist not in sites:
                raise ValueError(f"the robot has no site {self._fist!r}; it has {sorted(sites)}")
            site = sites[self._fist]
            rotation, origin = robot.link_pose(self._q0, site.link)
            front = origin + rotation @ site.position
            surfaces.append(Plane(position=(front[0] + wall, 0.0, 0.0), normal=(-1.0, 0.0, 0.0)))
            contacts.append(ContactPoint(site.link, site.position, surface=1, name="fist"))
        batch = SimulationBatch(
            robot, self.num_envs, contacts, step=step, surfaces=surfaces, threads=threads
        )
        self._q0 = batch.placed(self._q0)
        return batch

    def _name_spaces(self) -> None:
        joints = len(self._joint_q)
        count = 10 + 2 * joints + len(self._feet) + (self.task == "strike")
        self.single_action_space = gymnasium.spaces.Box(-1.0, 1.0, (joints,), np.float64)
        self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (count,), np.float64)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)

    # ---- What gymnasium calls

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, Info]:
        """All worlds near the posture, each in its own way."""
        super().reset(seed=seed if not isinstance(seed, list) else seed[0])
        self._hold(np.zeros((self.num_envs, len(self._joint_q))))
        self._begin(np.ones(self.num_envs, dtype=bool))
        return self._observe(), {}

    def step(self, actions: Array) -> tuple[Array, Any, Any, Any, Info]:
        """`substeps` of the simulation with servos at the joints that the actions ask for. Worlds
        that ended in the last step begin anew in this one, whatever their action."""
        anew = self._finished.copy()
        actions = np.clip(np.asarray(actions, dtype=float), -1.0, 1.0)
        actions[anew] = 0.0
        self._hold(actions)
        if anew.any():
            self._begin(anew)
        impulse = self._advance(~anew)
        self._tick[~anew] += 1
        fallen = self._fallen() & ~anew
        late = (self._tick >= self._ticks) & ~anew
        self._finished = fallen | late
        reward = np.where(anew, 0.0, self._reward(actions, impulse, fallen))
        return self._observe(), reward, fallen, late, {"impulse": impulse}

    # ---- What happens

    def _begin(self, which: NDArray[np.bool_]) -> None:
        q = np.tile(self._q0, (self.num_envs, 1))
        v = np.zeros((self.num_envs, self.robot.nv))
        for i in np.flatnonzero(which):
            q[i, self._joint_q] += self.np_random.uniform(-_NOISE, _NOISE, len(self._joint_q))
            v[i, self._joint_v] = self.np_random.uniform(-_NOISE, _NOISE, len(self._joint_v))
            q[i] = self._batch.placed(q[i])
        self._batch.reset(q, v, which)
        self._tick[which] = 0
        self._finished[which] = False

    def _hold(self, actions: Array) -> None:
        q = np.tile(self._q0, (self.num_envs, 1))
        q[:, self._joint_q] += self._reach * actions
        self._batch.hold(q, *self._gains)

    def _advance(self, which: NDArray[np.bool_]) -> Array:
        """@return the impulse of each fist on the wall in this step, N s"""
        impulse = np.zeros(self.num_envs)
        if self.task != "strike":
            self._batch.step(count=self._substeps, which=which)
            return impulse
        for _ in range(self._substeps):
            self._batch.step(which=which)
            impulse += self._fist_force() * self._batch.timestep
        return np.where(which, impulse, 0.0)

    def _fist_force(self) -> Array:
        return -self._batch.contacts.forces[:, -1, 0]

    def _gravity(self) -> Array:
        """(n, 3) the direction of gravity in the axes of the bases."""
        x, y, z, w = self._batch.q[:, 3:7].T
        return -np.array([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]).T

    def _fallen(self) -> NDArray[np.bool_]:
        batch = self._batch
        low = batch.q[:, 2] < _LOWEST * self._q0[2]
        leans = self._gravity()[:, 2] > -np.cos(_LEAN)
        fallen: NDArray[np.bool_] = low | leans | ~batch.running
        return fallen

    def _reward(self, actions: Array, impulse: Array, fallen: NDArray[np.bool_]) -> Array:
        velocity = self._batch.v[:, :3]
        reward = np.where(fallen, 0.0, 1.0) - 0.01 * np.square(actions).mean(axis=1)
        if self.task == "stand":
            reward -= np.square(velocity).sum(axis=1)
        elif self.task == "walk":
            reward += np.exp(-4.0 * np.square(velocity[:, 0] - self._speed))
        else:
            reward += impulse / self.robot.mass
        return np.asarray(reward)

    def _observe(self) -> Array:
        batch = self._batch
        feet = [batch.site_force(foot)[:, 2] / self._weight for foot in self._feet]
        if self.task == "strike":
            feet.append(self._fist_force() / self._weight)
        return np.column_stack(
            [
                batch.q[:, 2],
                self._gravity(),
                batch.v[:, :6],
                batch.q[:, self._joint_q] - self._q0[self._joint_q],
                batch.v[:, self._joint_v],
                *feet,
            ]
        )


class HumanoidEnv(gymnasium.Env[Array, Array]):
    """One humanoid that learns; everything as of `HumanoidVectorEnv`."""

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(self, task: str = "stand", *, render_mode: None = None, **options: Unpack[EnvironmentOptions]) -> None:
        if render_mode is not None:
            raise ValueError("there are no render modes: make a report of a recording instead")
        self.render_mode = None
        self._worlds = HumanoidVectorEnv(1, task, threads=1, **options)
        self.robot, self.task = self._worlds.robot, task
        self.action_space = self._worlds.single_action_space
        self.observation_space = self._worlds.single_observation_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, Info]:
        """Near the posture."""
        super().reset(seed=seed)
        if seed is None:  # goes on with the numbers of this environment
            self._worlds.np_random = self.np_random
        observations, info = self._worlds.reset(seed=seed)
        return observations[0], info

    def step(self, action: Array) -> tuple[Array, float, bool, bool, Info]:
        """As of `HumanoidVectorEnv`."""
        result = self._worlds.step(np.asarray(action)[None])
        observation, reward, terminated, truncated = (part[0] for part in result[:4])
        self._worlds._finished[:] = False  # the caller resets
        info = {"impulse": float(result[4]["impulse"][0])}
        return observation, float(reward), bool(terminated), bool(truncated), info


for _task in TASKS:
    gymnasium.register(
        f"atemi/{_task.capitalize()}-v0",
        entry_point="atemi.environments:HumanoidEnv",
        vector_entry_point="atemi.environments:HumanoidVectorEnv",
        kwargs={"task": _task},
    )
