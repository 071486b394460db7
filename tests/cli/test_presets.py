# SPDX-License-Identifier: Apache-2.0
"""Strikes that ship: each stands, slips nowhere and hits as it was planned."""

import pathlib

import pytest

SCENARIOS = pathlib.Path(__file__).resolve().parents[2] / "scenarios"
# Damping of the target, N s/m, and the least speed of the hand, m/s.
PRESETS = {"strike": (300, 1.5), "hammer": (300, 1.5), "kick": (300, 1.5), "door": (500, 0.25)}


@pytest.mark.parametrize("name", PRESETS)
def test_preset_stands_and_hits_as_planned(atemi, name):
    result = atemi("strike", SCENARIOS / f"{name}.yaml", "--json")
    damping, least_speed = PRESETS[name]
    assert (result.code, result.err) == (0, "")
    results = {key: value["value"] for key, value in result.json["results"].items()}
    assert results["feasible"] == results["stands"] == 1
    assert results["speed"] > least_speed
    assert results["peak_force"] >= 0.999 * damping * results["speed"]
    assert abs(results["peak_force_error"]) < 0.018
    assert abs(results["impulse_error"]) < 0.126
    assert results["verified_lift_offs"] == results["verified_slips"] == 0
    assert results["deepest_overlap"] == 0
    assert results["largest_torque_part"] < 1
    assert results["largest_speed_part"] < 1.05
