# SPDX-License-Identifier: Apache-2.0
"""Defaults and results that the pages of the theory state are those of the command. Those of the
shipped strikes are in test_presets.py, which plans them anyway."""

import pathlib
import re

import pytest

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
UNITS = {"%": 0.01, "cm": 0.01, "mm": 0.001, "ms": 0.001}
NUMBER = r"(\d+(?:\.\d+)?(?:e-?\d+)?)"


def defaults_of(atemi, job):
    """Numbers by the last part of their key, those of one meaning only. `stride` is of another walk
    than `gait`."""
    found = {}
    text = re.sub(r"^stride:.*\n(?: .*\n)*", "", atemi(job, "--explain").out, flags=re.M)
    for key, value in re.findall(rf"^ *(\w+): {NUMBER}(?= |$)", text, re.M):
        found.setdefault(key, set()).add(float(value))
    return {key: values.pop() for key, values in found.items() if len(values) == 1}


# How many defaults a page states as "`key`, 0.95".
@pytest.mark.parametrize("job, count", [("strike", 8), ("walk", 1)])
def test_defaults_that_a_page_states_are_the_commands(atemi, job, count):
    """To the digits that are printed: half of the last one, of a number of two or three digits."""
    page = (CHECKOUT / f"docs/theory/{job}.md").read_text()
    stated = re.findall(rf"`(?:\w+\.)?(\w+)`,\s{NUMBER}(?:\s(%|cm|mm|ms|s)\b|\s?(%))?", page)
    defaults = defaults_of(atemi, job)
    assert len(stated) >= count
    for key, number, unit, percent in stated:
        value = float(number) * UNITS.get(unit or percent, 1.0)
        assert value == pytest.approx(defaults[key], rel=0.01), key


# Cells of the table of gains in docs/theory/walk.md, in the order of the page.
GAINS = {"step length, period": ["step_length", "step_period"], "capture gain k": ["capture_gain"],
         "double support": ["double_support"],
         "last change of the foothold": ["last_change"],
         "pressure's travel": ["pressure_travel"],
         "part of the friction felt": ["felt_part", "forgetting"],
         "hips over ankles": ["hip_height"], "sole, foot": ["sole_rate", "foot_rate"],
         "clearance, landing speed": ["clearance", "landing_speed"],
         "waist, head": ["trunk_rate", "head_rate"],
         "toe up on landing, heel up on leaving": ["heel_strike", "push_off"],
         "joints, arms": ["joint_rate", "arm_rate"]}


def test_gains_of_the_walk_are_the_commands(atemi):
    """Two digits are printed of most: 2 % and less."""
    page = (CHECKOUT / "docs/theory/walk.md").read_text()
    defaults = defaults_of(atemi, "walk")
    for label, keys in GAINS.items():
        cell, = re.findall(rf"\| {label} \| ([^|]*) \|", page)
        numbers = [float(number) for number in re.findall(NUMBER, cell)][:len(keys)]
        assert numbers == pytest.approx([defaults[key] for key in keys], rel=0.02), label


def test_thousand_steps_are_those_of_the_page(atemi, scenario):
    """Ten seconds of computing. Walks agree to 0.1 % on all machines (docs/machines.md)."""
    page = (CHECKOUT / "docs/theory/walk.md").read_text()
    path = scenario("steps: 1000\nfriction: 0.7\nrecord: {every: inf}\n")
    answer = atemi("walk", path, "--json").json
    results = {key: value["value"] for key, value in answer["results"].items()}
    rows = {"distance": results["distance"], "time": results["duration"],
            "step": results["step_length"], "speed": 3.6 * results["speed"],
            r"cost of transport [^|]*": results["cost_of_transport"]}
    for label, value in rows.items():
        figure, = re.findall(rf"^\| {label} \|[^|]*\| {NUMBER}[^|]*\|$", page, re.M)
        digits = len(figure.partition(".")[2])
        assert float(figure) == pytest.approx(value, abs=0.5 * 10**-digits + 1e-3 * value), label
