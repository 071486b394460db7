# SPDX-License-Identifier: Apache-2.0
"""The punch of scenarios/strike.yaml with other humanoids: other names, ranges and light joints.

Their URDF files name no soles, so the scenario does: sizes and heights are ours.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
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

    ankle: str  # the link of a foot, with its side open
    sole: float  # m, below it
    sole_size: tuple[float, float]  # m
    hips: float  # m, between their feet at the least
    height: tuple[float, float, float]  # m, of the base: start, lower, upper
    fist: str
    leg: tuple[str, str, str]  # pitch of hip, knee, ankle
    joints: dict[str, tuple[float, float, float]]  # degrees
    light: dict[str, tuple[float, float]] = field(default_factory=dict)  # K_p, K_d

    def soles(self) -> list[dict[str, object]]:
        """As sites."""
        return [
            {
                "name": f"{side}_SOLE",
                "link": f"{side}{self.ankle}",
                "point": [0, 0, -self.sole],
                "size": list(self.sole_size),
            }
            for side in "RL"
        ]

    def scenario(self, robot: Path) -> dict[str, object]:
        """The punch."""
        angles = (-26, 50, -24)
        legs = {f"{s}{name}": f"{q} deg" for s in "RL" for name, q in zip(self.leg, angles)}
        arm = {"L_SHOULDER_P": "18.4 deg", "L_SHOULDER_R": "45 deg", "L_ELBOW_P": "-27.5 deg"}
        start, lower, upper = (-height for height in self.height)
        stiffness = {"others": 8000, **{name: K for name, (K, _) in self.light.items()}}
        damping = {"others": 400, **{name: D for name, (_, D) in self.light.items()}}
        free = [0, -math.inf, math.inf]
        return {
            "robot": robot,
            "sites": self.soles(),
            "start": {"joints": {**legs, **arm}},
            "feet": ["R_SOLE", "L_SOLE"],
            "hand": {"link": self.fist, "point": [0, 0, -0.12], "axis": [0, 0, -1]},
            "hit": {"z": 0.7, "tolerance": 0.01},
            "target": {"mass": 5, "stiffness": "10 kN/m", "damping": 300},
            "servo": {"stiffness": stiffness, "damping": damping},
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
            "verify": {"friction": 1.0, "rounds": 1},
        }


SHOULDER = {
    "R_SHOULDER_P": (-50, -130, 40),
    "R_SHOULDER_R": (-18, -70, 0),
    "R_SHOULDER_Y": (0, -72, 72),
}
# Without rotor inertia, 1e-4 kg m^2 behind a damping of 400 N m s/rad would ask for steps of less
# than a microsecond.
FACE = ("CHEEK_P", "EYEBROW_P", "EYELID_P", "EYE_P", "EYE_Y", "MOUTH_P", "LOWERLIP_P", "UPPERLIP_P")
OTHERS = {
    "jvrc1": Other(
        ankle="_ANKLE_P_S",
        sole=0.1,
        sole_size=(0.22, 0.14),
        hips=0.192,
        height=(0.6, 0.75, 0.4),
        fist="R_WRIST_Y_S",
        leg=("_HIP_P", "_KNEE", "_ANKLE_P"),
        joints={
            "WAIST_Y": (0, -25, 25),
            "WAIST_P": (17, 0, 40),
            **SHOULDER,
            "R_ELBOW_P": (-74, -125, -10),
            "R_ELBOW_Y": (0, -90, 90),
            "R_WRIST_R": (0, -90, 90),
        },
        light={
            **{f"{s}_UTHUMB": (200, 4) for s in "RL"},  # which all fingers follow
            **{f"{s}_{name}": (2000, 40) for s in "RL" for name in ("ELBOW_Y", "WRIST_Y")},
        },
    ),
    "hrp4c": Other(
        ankle="_ANKLE_R_LINK",
        sole=0.093,
        sole_size=(0.22, 0.12),
        hips=0.137,
        height=(0.6, 0.72, 0.45),
        fist="R_WRIST_R_LINK",
        leg=("_HIP_P", "_KNEE_P", "_ANKLE_P"),
        joints={
            "CHEST_Y": (0, -25, 25),
            "CHEST_P": (10, 0, 25),
            **SHOULDER,
            "R_ELBOW_P": (-74, -103, -10),
            "R_WRIST_Y": (0, -72, 72),
            "R_WRIST_R": (0, -64, 64),
        },
        light={
            **{name: (200, 4) for name in FACE},
            **{f"{s}_{name}": (200, 4) for s in "RL" for name in ("HAND_J0", "HAND_J1", "WRIST_Y")},
            **{f"{s}_{name}": (2000, 40) for s in "RL" for name in ("SHOULDER_Y", "WRIST_R")},
        },
    ),
}


@pytest.mark.filterwarnings("ignore::atemi.Warning")
@pytest.mark.parametrize("name", OTHERS)
def test_another_humanoid_strikes_and_stands(name):
    """Measured: jvrc1 641 N, 13.4 N s; hrp4c 408 N, 8.6 N s by full dynamics."""
    source = FOLDER / f"{name}.urdf"
    if not source.exists():
        pytest.skip(f"there is no {source.name} beside this checkout")
    strike = atemi.plan_strike(OTHERS[name].scenario(source))
    seen = strike.verify()
    print(f"\n{name}: {strike.outcome}; {seen.peak_force:.4g} N, {seen.impulse:.4g} N s verified")
    assert strike.feasible and seen.stands
    assert strike.estimate.speed > 1.0
    assert seen.peak_force == pytest.approx(strike.estimate.peak_force, rel=0.02)
    assert seen.impulse == pytest.approx(strike.estimate.impulse, rel=0.126)
