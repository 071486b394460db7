# SPDX-License-Identifier: Apache-2.0
"""Strikes that ship besides scenarios/strike.yaml, which test_strike.py has."""

import pathlib

import pytest

SCENARIOS = pathlib.Path(__file__).resolve().parents[2] / "scenarios"
PRESETS = {"hammer": 300, "kick": 300}  # damping of the target, N s/m


@pytest.mark.parametrize("name", PRESETS)
def test_preset_stands_and_hits_as_planned(atemi, name):
    result = atemi("strike", SCENARIOS / f"{name}.yaml", "--json")
    assert (result.code, result.err) == (0, "")
    results = {key: value["value"] for key, value in result.json["results"].items()}
    assert results["feasible"] == results["stands"] == 1
    assert results["speed"] > 1.2
    assert results["peak_force"] >= 0.999 * PRESETS[name] * results["speed"]
    assert abs(results["peak_force_error"]) < 0.018
    assert results["largest_torque_part"] < 1
