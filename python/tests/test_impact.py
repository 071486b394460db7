# SPDX-License-Identifier: Apache-2.0
"""Blows."""

from __future__ import annotations

import doctest
import importlib

import numpy as np
import pytest
import robots

import atemi

SCENARIOS = robots.CHECKOUT / "scenarios"
PUNCH = (SCENARIOS / "punch.yaml").read_text()


def test_a_file_is_struck():
    recording = atemi.impact(SCENARIOS / "punch.yaml")
    assert recording.job == "impact" and recording.robot == "hrp2_like"
    assert recording.results["completed"] == 1
    assert recording.results["virtual_mass"].unit == "kg"
    assert list(recording.tables) == ["ways", "joints", "first_touch"]
    assert "force.full" not in recording
    assert recording["force.estimate"][0] == pytest.approx(300 * 0.7)


def test_momentum_of_the_target_is_the_impulse():
    recording = atemi.impact(text=PUNCH, full=True)
    for way in "estimate", "full":
        force, speed = recording[f"force.{way}"], recording[f"target_speed.{way}"]
        known = np.isfinite(speed)
        impulse = np.trapezoid(force[known], recording.time[known])
        assert impulse == pytest.approx(5 * speed[known][-1], rel=1e-2)


def test_full_dynamics_is_beside_the_estimate():
    recording = atemi.impact(text=PUNCH, full=True)
    assert abs(recording.results["impulse_error"]) < 0.01
    assert recording.tables["ways"].labels[-1] == "full dynamics"


def test_a_sweep_has_every_case():
    sweep = atemi.impact(text=PUNCH, sweep=True).tables["sweep"]
    assert sweep.values.shape[0] == 9
    np.testing.assert_allclose(sweep.values[:, 0], 3 * [0.4, 0.7, 1.0])


def test_progress_is_told_and_can_stop_a_sweep():
    heard = []
    whole = atemi.impact(text=PUNCH, sweep=True, progress=heard.append).tables["sweep"].values
    assert heard == sorted(heard) and heard[-1] == 1
    recording = atemi.impact(text=PUNCH, sweep=True, progress=lambda done: done < 0.5)
    assert recording.results["completed"] == 0
    some = recording.tables["sweep"].values  # how many is up to the threads; they are the first
    np.testing.assert_array_equal(some, whole[: len(some)])


def test_what_progress_raises_comes_out():
    def fail(done):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        atemi.impact(text=PUNCH, sweep=True, progress=fail)


def test_errors_name_line_and_column():
    with pytest.raises(atemi.Error, match="no site 'fist'") as caught:
        atemi.impact(text="robot: hrp2_like\nhand: {site: fist}\n", name="x.yaml")
    assert (caught.value.file, caught.value.line, caught.value.column) == ("x.yaml", 2, 14)
    with pytest.raises(atemi.Error, match="no key 'sweep'"):
        atemi.impact(text=PUNCH.partition("sweep:")[0], sweep=True)
    with pytest.raises(atemi.Error, match="cannot move"):
        atemi.impact(text=PUNCH.replace("site: right_fist", "site: right_sole"))
    with pytest.raises(atemi.FileMissingError):
        atemi.impact("no_such.yaml")
    with pytest.raises(ValueError, match="one of them"):
        atemi.impact()


@pytest.mark.parametrize("name, options", [("wall", {"full": True}), ("punch", {"sweep": True})])
def test_what_is_written_is_loaded_bit_for_bit(name, options, tmp_path):
    recording = atemi.impact(SCENARIOS / f"{name}.yaml", **options)
    recording.write(tmp_path / "run")
    loaded = atemi.Recording.load(tmp_path / "run")
    for column in recording:
        np.testing.assert_array_equal(loaded[column], recording[column])
    for name, table in recording.tables.items():
        np.testing.assert_array_equal(loaded.tables[name].values, table.values)


def test_docstrings(monkeypatch):
    monkeypatch.chdir(robots.CHECKOUT)
    failures, tests = doctest.testmod(importlib.import_module("atemi._impact"))
    assert failures == 0 and tests > 0
