# SPDX-License-Identifier: Apache-2.0
"""Recordings in other packages, compared, and in notebooks."""

from __future__ import annotations

import sys
from html.parser import HTMLParser

import numpy as np
import pytest
import robots

import atemi


@pytest.fixture(scope="module")
def recording():
    return atemi.simulate(robots.CHECKOUT / "scenarios/slide.yaml")


def test_pandas_has_all_columns(recording):
    pytest.importorskip("pandas")
    frame = recording.to_pandas()
    assert list(frame.columns) == [name for name in recording if name != "t"]
    np.testing.assert_array_equal(frame.index, recording.time)
    np.testing.assert_array_equal(frame["v.base.linear_x"], recording["v.base.linear_x"])
    assert frame.attrs["units"]["v.base.linear_x"] == "m/s"
    assert frame.attrs["outcome"] == recording.outcome and frame.attrs["result.duration"] == 1.0


def test_xarray_has_all_columns_and_can_be_saved(recording):
    pytest.importorskip("xarray")
    data = recording.to_xarray()
    assert set(data) == {name for name in recording if name != "t"}
    speed = data["v.base.linear_x"]
    assert speed.attrs["units"] == "m/s"
    at = float(speed.interp(t=0.5)) if "scipy" in sys.modules else float(speed.sel(t=0.5, method="nearest"))
    np.testing.assert_allclose(at, 9.81 * (0.6 - 0.4 * 0.8) * 0.5, rtol=0.05)


def test_a_plot_has_one_picture_a_unit(recording):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    figure = recording.plot("v.base.linear_x", "q.base.*")
    assert [axis.get_ylabel() for axis in figure.axes] == ["m/s", "m", "-"]
    assert figure.axes[0].lines[0].get_label() == "v.base.linear_x"
    with pytest.raises(KeyError, match="the recording has no column 'v.bas'; did you mean"):
        recording.plot("v.bas")


@pytest.mark.parametrize("package", ["pandas", "xarray", "matplotlib"])
def test_without_the_package_the_message_has_the_cure(recording, monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setitem(sys.modules, package + ".pyplot", None)
    method = {"pandas": "to_pandas", "xarray": "to_xarray", "matplotlib": "plot"}[package]
    with pytest.raises(ImportError, match=rf"needs {package}, which is not installed: pip install"):
        getattr(recording, method)()


# ---- Compared


def _falling(height: float, duration: float = 0.2) -> atemi.Recording:
    scenario = {
        "job": "simulate",
        "robot": "hrp2_like",
        "start": {"position": [0, 0, height]},
        "contacts": [],
        "duration": duration,
    }
    return atemi.run(scenario)


def test_a_recording_does_not_differ_from_itself(recording):
    seen = recording.compare(recording)
    assert seen.equal and seen.same_times and "no difference" in seen._repr_html_()


def test_differences_are_found_where_they_are():
    one, other = _falling(2.0), _falling(2.5)
    seen = one.compare(other)
    assert not seen.equal
    height = seen.columns["q.base.z"]
    assert height.largest == pytest.approx(0.5) and height.rms == pytest.approx(0.5)
    moved = {name for name, difference in seen.columns.items() if difference.largest > 1e-9}
    assert "q.base.z" in moved and "q.right_elbow" not in moved


def test_other_times_are_interpolated():
    one, longer = _falling(2.0), _falling(2.0, 0.4)
    seen = one.compare(longer)
    assert not seen.same_times
    assert all(not d.largest > 1e-9 for d in seen.columns.values())
    assert seen.results["duration"] == (0.2, 0.4)
    with pytest.raises(ValueError, match="must be an atemi.Recording"):
        one.compare(3)


# ---- Notebooks


class _Checker(HTMLParser):
    """Every element that is opened is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_notebooks_show_robots_recordings_and_sweeps(recording):
    robot = atemi.Robot.shipped("hrp2_like")
    swept = atemi.sweep(lambda x: x * x, {"x": [1.0, 2.0]})
    for thing, words in (
        (robot, ("hrp2_like", "right_elbow", "right_sole")),
        (recording, ("simulated 1 s", "v.base.linear_x", "duration")),
        (recording.compare(recording), ("no difference",)),
        (swept, ("2 points", "4")),
    ):
        text = thing._repr_html_()
        _Checker(text)
        assert all(word in text for word in words)


def test_what_is_not_ours_is_escaped():
    robot = atemi.Robot.from_string(
        """<robot name="&lt;b&gt;"><link name="&lt;i&gt;"><inertial><mass value="1"/><inertia
        ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"""
    )
    text = robot._repr_html_()
    assert "<b>&lt;b&gt;" in text and "<i>" not in text
