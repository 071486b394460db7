# SPDX-License-Identifier: Apache-2.0
"""Simulations and their recordings."""

from __future__ import annotations

import doctest
import gc
import importlib
import pathlib
import time

import numpy as np
import pytest
import robots

import atemi

SCENARIOS = robots.CHECKOUT / "scenarios"
PENDULUM = "robot: two_link\ncontacts: []\nduration: 0.1 s\n"


def test_a_file_is_simulated():
    recording = atemi.simulate(SCENARIOS / "bounce.yaml")
    assert recording.job == "simulate" and recording.robot == "ball"
    assert recording.outcome == "simulated 2 s"
    assert recording.results["completed"] == 1
    assert recording.results["duration"].unit == "s"
    assert recording.scenario == (SCENARIOS / "bounce.yaml").read_bytes()
    assert atemi.Robot.from_string(recording.urdf).name == "ball"


def test_columns_are_views_that_keep_the_recording_alive():
    recording = atemi.simulate(SCENARIOS / "slide.yaml")
    x, again, t = recording["q.base.x"], recording["q.base.x"], recording.time
    assert np.shares_memory(x, again) and not x.flags.writeable and x.dtype == np.float64
    assert x.shape == t.shape == (len(recording),)
    assert recording.unit("v.base.linear_x") == "m/s" and recording.unit("t") == "s"
    expected = x.copy()
    del recording, again
    gc.collect()
    np.testing.assert_array_equal(x, expected)


def test_columns_cannot_be_made_writable():
    recording = atemi.simulate(SCENARIOS / "slide.yaml")
    for array in (recording.time, *recording.motion, recording["q.base.x"][1:]):
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.setflags(write=True)
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0


def test_a_slide_is_that_of_the_textbook():
    recording = atemi.simulate(SCENARIOS / "slide.yaml")
    a = 9.81 * (0.6 - 0.4 * 0.8)
    np.testing.assert_allclose(recording["v.base.linear_x"], a * recording.time, atol=1e-9)


def test_events_have_speed_and_impulse():
    events = atemi.simulate(SCENARIOS / "bounce.yaml").events
    assert [event.kind for event in events] == 3 * ["touchdown"]
    assert events[0].what == "centre.0"
    speed = np.sqrt(2 * 9.81)
    assert events[0].values["speed"] == pytest.approx(speed, rel=1e-9)
    assert events[0].values["impulse_z"] == pytest.approx(1.8 * speed, rel=1e-9)


def test_a_recording_reads_like_a_dictionary():
    recording = atemi.simulate(text=PENDULUM)
    assert list(recording) == list(recording.columns) == list(recording.keys())
    assert "q.joint1" in recording and "q.joint9" not in recording
    assert len(dict(recording)["tau.joint2"]) == len(recording) == 11
    assert "2 s" not in repr(recording) and "simulated 0.1 s" in repr(recording)
    with pytest.raises(KeyError, match="the recording has no column 'q.joint9'.*'q.joint1'"):
        recording["q.joint9"]


def test_what_is_written_is_loaded_bit_for_bit(tmp_path):
    recording = atemi.simulate(SCENARIOS / "height_field.yaml")
    recording.write(tmp_path / "run")
    loaded = atemi.Recording.load(tmp_path / "run")
    assert loaded.columns == recording.columns
    for column in recording:
        np.testing.assert_array_equal(loaded[column], recording[column])
    assert loaded.events == recording.events and loaded.outcome == recording.outcome
    assert dict(loaded.results, least_zmp_margin=0) == dict(recording.results, least_zmp_margin=0)


def test_text_finds_robots_beside_its_name():
    text = (SCENARIOS / "bounce.yaml").read_text()
    recording = atemi.simulate(text=text, name=str(SCENARIOS / "x.yaml"))
    assert len(recording.events) == 3


def test_progress_is_told_and_can_stop_it():
    heard = []
    atemi.simulate(text=PENDULUM, progress=heard.append)
    assert heard == sorted(heard) and heard[0] >= 0 and heard[-1] == 1
    recording = atemi.simulate(text=PENDULUM, progress=lambda done: done < 0.5)
    assert recording.outcome.startswith("interrupted at 0.05")
    assert recording.results["completed"] == 0


def test_ctrl_c_ends_it_between_rows(ctrl_c):
    """With error control all steps until the next row are one call of the simulation."""
    endless = "robot: hrp2_like\ncontacts: []\nduration: 1e5 s\nrecord: {every: 1000 s}\n"
    ctrl_c.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        atemi.simulate(text=endless + "integrator: {method: adaptive}")
    assert time.monotonic() - begin < 10  # 0.5 s, on a machine that has nothing else to do


def test_what_progress_raises_comes_out():
    def fail(done):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        atemi.simulate(text=PENDULUM, progress=fail)


def test_errors_name_line_and_column():
    with pytest.raises(atemi.Error, match="'5 kg' is not a time") as caught:
        atemi.simulate(text="robot: two_link\nduration: 5 kg\n", name="x.yaml")
    assert (caught.value.file, caught.value.line, caught.value.column) == ("x.yaml", 2, 11)
    with pytest.raises(atemi.FileMissingError):
        atemi.simulate("no_such.yaml")
    with pytest.raises(FileNotFoundError):
        atemi.Recording.load("no_such_folder")
    with pytest.raises(ValueError, match="one of them"):
        atemi.simulate()
    with pytest.raises(ValueError, match="one of them"):
        atemi.simulate("a.yaml", text="robot: two_link")
    with pytest.raises(TypeError, match=r"atemi\.simulate"):
        atemi.Recording()


def test_every_shipped_scenario_says_what_it_is():
    for path in pathlib.Path(SCENARIOS).glob("*.yaml"):
        assert path.read_text().startswith("# ")


@pytest.mark.parametrize("module", ["atemi.recording", "atemi._simulate"])
def test_docstrings(module):
    failures, tests = doctest.testmod(importlib.import_module(module))
    assert failures == 0 and tests > 0


# ---- Warnings and numbers that are none


def test_what_is_hardly_meant_is_a_warning_and_stays_in_the_recording(tmp_path):
    """The line and column are those of the 3 in the text."""
    text = "robot: hrp2_like\ncontacts: []\nduration: 1 ms\nstart: {joints: {right_knee: 3}}\n"
    with pytest.warns(atemi.Warning, match="a.yaml:4:30: start.joints.right_knee: 3 rad") as heard:
        recording = atemi.simulate(text=text, name="a.yaml")
    assert len(heard) == 1 and heard[0].filename == __file__
    (warning,) = recording.warnings
    assert warning[:3] == ("a.yaml", 4, 30)
    assert warning.message.endswith("did you mean 3 deg?")
    recording.write(tmp_path / "run")
    assert atemi.Recording.load(tmp_path / "run").warnings == recording.warnings


# ---- Any job

def test_run_goes_by_the_key_job_or_by_the_job_that_is_named():
    keys = {"robot": "two_link", "contacts": [], "duration": 0.01}
    assert atemi.run({"job": "simulate", **keys}).job == "simulate"
    assert atemi.run(keys, job="simulate").job == "simulate"
    with pytest.raises(atemi.Error, match="2 jobs take this scenario"):
        atemi.run(keys)
    with pytest.raises(atemi.Error, match="the scenario is for the job walk, not for simulate"):
        atemi.run({"job": "walk"}, job="simulate")
    with pytest.raises(atemi.NotFoundError, match="did you mean 'simulate'"):
        atemi.run(keys, job="simulat")


def test_jobs_are_those_of_the_registry():
    assert {"simulate", "impact", "strike", "control", "walk"} <= set(atemi.jobs())
    assert all(summary for summary in atemi.jobs().values())
