# SPDX-License-Identifier: Apache-2.0
"""A robot in MuJoCo that hits a box which slides freely along x.

MuJoCo has the laws

    f   = k d + c max(0, d'),  d >= 0                 of what strikes, d deep in the box
    tau = limited(order - K_p q - K_d v)              of the servos

The limits are those of the URDF, and so are the joints' stops, which are as hard as its feet.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from twin import Case, Softness, Twin, mujoco

K_P, K_D = 8000.0, 400.0
MASS, STIFFNESS, DAMPING = 5.0, 1e4, 300.0  # of the box: kg, N/m, N s/m


@dataclass(frozen=True)
class Fist:
    """What strikes: a point of a link."""

    link: str = "right_fist"
    point: tuple[float, float, float] = (0.0, 0.0, 0.0)


class Hitter(Twin):
    """The robot of a case in MuJoCo, and a box."""

    def __init__(
        self,
        case: Case,
        softness: Softness,
        fist: Fist = Fist(),  # noqa: B008
        mass: float = MASS,
    ) -> None:
        self.fist, self.mass = fist, mass
        super().__init__(case, softness)
        self._stop_joints(softness)
        self.box = self.model.joint("box")
        self.touch = self.data.site("hand").xpos[0]  # where the box begins

    def _add_more(self, spec) -> None:
        spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        spec.body(self.fist.link).add_site(name="hand", pos=self.fist.point)
        box = spec.worldbody.add_body(mass=self.mass, inertia=[1, 1, 1], explicitinertial=True)
        box.add_joint(name="box", type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[1, 0, 0])
        for name in self.case.robot.joint_names:
            _add_servo(spec, name, self.case)

    def _hold(self, q: np.ndarray) -> None:
        """The servos are actuators."""

    def _stop_joints(self, softness: Softness) -> None:
        """At their limits, or where they start if that is beyond; without rebound."""
        model, q = self.model, self.data.qpos[self.joints_q]
        model.opt.disableflags &= ~int(mujoco.mjtDisableBit.mjDSBL_LIMIT)
        lower, upper = model.jnt_range[self.joints].T
        model.jnt_range[self.joints] = np.column_stack([np.minimum(lower, q), np.maximum(upper, q)])
        model.jnt_solref[self.joints] = [softness.time_constant, softness.ratio]
        model.jnt_solimp[self.joints] = [softness.impedance, softness.impedance, 1e-3, 0.5, 2]

    def _hand_row(self) -> np.ndarray:
        J = np.empty((3, self.model.nv))
        mujoco.mj_jacSite(self.model, self.data, J, None, self.data.site("hand").id)
        return J[0]

    def depth(self) -> tuple[np.ndarray, float]:
        """How deep the hand is in the box, and that depth's Jacobian; after mj_step1."""
        row = self._hand_row()
        row[self.box.dofadr] -= 1.0
        travel = self.data.qpos[self.box.qposadr[0]]
        return row, self.data.site("hand").xpos[0] - self.touch - travel

    def push(self, order: np.ndarray) -> float:
        """The rest of a step after mj_step1: the force between hand and box."""
        row, depth = self.depth()
        speed = max(0.0, row @ self.data.qvel)
        force = STIFFNESS * depth + DAMPING * speed if depth >= 0.0 else 0.0
        self.data.qfrc_applied[:] = -force * row
        self.data.ctrl[:] = order
        mujoco.mj_step2(self.model, self.data)
        return force

    @property
    def impulse(self) -> float:
        """What the box has got, N s."""
        return self.mass * self.data.qvel[self.box.dofadr[0]]

    def zmp(self) -> np.ndarray:
        """x and y, of the last step; NaN where nothing presses."""
        forces = self.forces()
        loads = np.array([force[2] for force in forces.values()])
        places = np.array([self.data.geom(name).xpos[:2] for name in forces])
        return loads @ places / loads.sum() if loads.any() else np.full(2, np.nan)


def _add_servo(spec, joint: str, case: Case) -> None:
    """What it is told, less K_p q and K_d v; MuJoCo limits it by the effort in the URDF."""
    servo = spec.add_actuator(target=joint, trntype=mujoco.mjtTrn.mjTRN_JOINT)
    servo.gainprm[0] = 1.0
    servo.biastype = mujoco.mjtBias.mjBIAS_AFFINE
    servo.biasprm[1:3] = [-case.stiffness, -case.damping]
