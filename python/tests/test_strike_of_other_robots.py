# SPDX-License-Identifier: Apache-2.0
"""The punch of scenarios/strike.yaml with other humanoids: only names and ranges differ.

Their URDF files name no soles, so the scenario does: sizes and heights are ours. Nor do they know
of rotors: the lightest joints would follow their servos within 0.2 us.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import pytest
import robots

import atemi

FOLDER = robots.CHECKOUT.parent / "shared" / "robots"


def _degrees(start: float, lower: float, upper: float) -> list[str]:
    return [f"{angle} deg" for angle in (start, lower, upper)]


@dataclass(frozen=True)
class Other:
    """What a scenario calls it, and what it can do."""

    feet: tuple[str, str]  # links, the right one first
    sole: float  # m, below them
    sole_size: tuple[float, float]  # m
    hips: float  # m, between their feet at the least
    height: tuple[float, float, float]  # m, of the base: start, lower, upper
    fist: str
    hit: float  # m, the height of the target
    start: dict[str, float]  # degrees
    joints: dict[str, tuple[float, float, float]]  # degrees

    def soles(self) -> list[dict[str, object]]:
        """As sites."""
        return [
            {
                "name": f"{link}_SOLE",
                "link": link,
                "point": [0, 0, -self.sole],
                "size": list(self.sole_size),
            }
            for link in self.feet
        ]

    def scenario(self, robot: Path) -> dict[str, object]:
        """The punch."""
        start, lower, upper = (-height for height in self.height)
        free = [0, -math.inf, math.inf]
        return {
            "robot": robot,
            "sites": self.soles(),
            "start": {"joints": {name: f"{angle} deg" for name, angle in self.start.items()}},
            "feet": [f"{link}_SOLE" for link in self.feet],
            "hand": {"link": self.fist, "point": [0, 0, -0.12], "axis": [0, 0, -1]},
            "hit": {"z": self.hit, "tolerance": 0.01},
            "target": {"mass": 5, "stiffness": "10 kN/m", "damping": 300},
            "servo": {"stiffness": 8000, "damping": 400},
            "decide": {
                "foot_x": [0, -0.15, 0.15],
                "foot_y": [-self.hips / 2, -0.25, -self.hips / 2],
                "foot_z": [start, lower, upper],
                "foot_about_y": _degrees(0, -10, 10),
                "second_foot_x": [0, -0.3, 0.3],
                "second_foot_y": [self.hips, self.hips, 0.45],
                "joints": {name: _degrees(*range_) for name, range_ in self.joints.items()},
                "speed": [2, 0, math.inf],
                "momentum_z": [0, -3, 3],
                "angular_x": [0, -3, 3],
                "angular_y": [0, -3, 3],
                "com_x": free,
                "com_y": free,
            },
            "constraints": {"friction": 0.7},
            "search": {"starts": 4},
            "verify": {"friction": 1.0, "attempts": 4},
        }


def _knees_bent(*names: str) -> dict[str, float]:
    """Pitch of hip, knee and ankle of both legs, by names with a place for the side."""
    sides = ("right", "left") if "leg" in names[0] else "RL"
    return {name.format(s): q for s in sides for name, q in zip(names, (-26, 50, -24))}


ARM = {"L_SHOULDER_P": 18.4, "L_SHOULDER_R": 45, "L_ELBOW_P": -27.5}
SHOULDER = {
    "R_SHOULDER_P": (-50, -130, 40),
    "R_SHOULDER_R": (-18, -70, 0),
    "R_SHOULDER_Y": (0, -72, 72),
}
OTHERS = {
    "jvrc1": Other(
        feet=("R_ANKLE_P_S", "L_ANKLE_P_S"),
        sole=0.1,
        sole_size=(0.22, 0.14),
        hips=0.192,
        height=(0.6, 0.75, 0.4),
        fist="R_WRIST_Y_S",
        hit=0.7,
        start={**_knees_bent("{}_HIP_P", "{}_KNEE", "{}_ANKLE_P"), **ARM},
        joints={
            "WAIST_Y": (0, -25, 25),
            "WAIST_P": (17, 0, 40),
            **SHOULDER,
            "R_ELBOW_P": (-74, -125, -10),
            "R_ELBOW_Y": (0, -90, 90),
            "R_WRIST_R": (0, -90, 90),
        },
    ),
    "hrp4c": Other(
        feet=("R_ANKLE_R_LINK", "L_ANKLE_R_LINK"),
        sole=0.093,
        sole_size=(0.22, 0.12),
        hips=0.137,
        height=(0.6, 0.72, 0.45),
        fist="R_WRIST_R_LINK",
        hit=0.7,
        start={**_knees_bent("{}_HIP_P", "{}_KNEE_P", "{}_ANKLE_P"), **ARM},
        joints={
            "CHEST_Y": (0, -25, 25),
            "CHEST_P": (10, 0, 25),
            **SHOULDER,
            "R_ELBOW_P": (-74, -103, -10),
            "R_WRIST_Y": (0, -72, 72),
            "R_WRIST_R": (0, -64, 64),
        },
    ),
    "talos_reduced": Other(
        feet=("leg_right_6_link", "leg_left_6_link"),
        sole=0.107,
        sole_size=(0.2, 0.13),
        hips=0.17,
        height=(0.95, 1.0, 0.8),
        fist="gripper_right_base_link",
        hit=1.1,
        start={
            **_knees_bent("leg_{}_3_joint", "leg_{}_4_joint", "leg_{}_5_joint"),
            "arm_left_2_joint": 35,
            "arm_left_4_joint": -80,
        },
        joints={
            "torso_1_joint": (0, -40, 40),
            "torso_2_joint": (15, 0, 40),
            "arm_right_1_joint": (60, -28, 85),
            "arm_right_2_joint": (-25, -120, -5),
            "arm_right_3_joint": (-15, -90, 90),
            "arm_right_4_joint": (-95, -130, -5),
            "arm_right_5_joint": (-40, -100, 100),
            "arm_right_6_joint": (-50, -75, 75),
            "arm_right_7_joint": (-15, -38, 38),
        },
    ),
}


@pytest.mark.filterwarnings("ignore::atemi.Warning")
@pytest.mark.parametrize("name", OTHERS)
def test_another_humanoid_strikes_and_stands(name):
    """Measured: hrp4c 299 N, 6.1 N s; its feet hold it back."""
    source = FOLDER / f"{name}.urdf"
    if not source.exists():
        pytest.skip(f"there is no {source.name} beside this checkout")
    strike = atemi.plan_strike(OTHERS[name].scenario(source))
    seen = strike.verify()
    print(f"\n{name}: {strike.outcome}; {seen.peak_force:.4g} N, {seen.impulse:.4g} N s verified")
    assert strike.feasible and seen.stands
    assert strike.estimate.speed > 0.9
    assert seen.peak_force == pytest.approx(strike.estimate.peak_force, rel=0.02)
    assert seen.impulse == pytest.approx(strike.estimate.impulse, rel=0.126)
