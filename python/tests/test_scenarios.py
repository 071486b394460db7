# SPDX-License-Identifier: Apache-2.0
"""Scenarios as text."""

from __future__ import annotations

import pytest
import robots

import atemi


def test_an_explained_scenario_says_the_same():
    path = robots.CHECKOUT / "scenarios/slide.yaml"
    explained = atemi.explain(path)
    assert "# " in explained and "duration:" in explained
    first, again = atemi.simulate(path), atemi.simulate(text=explained, name=str(path))
    assert first.time.tobytes() == again.time.tobytes()
    assert first["v.base.linear_x"].tobytes() == again["v.base.linear_x"].tobytes()


def test_the_shipped_scenarios_come_with_the_package():
    """All of the checkout, with the robots that they name, so that they run from anywhere."""
    shipped = atemi.scenarios()
    folder = robots.CHECKOUT / "scenarios"
    assert {name: path.read_bytes() for name, path in shipped.items()} == {
        path.stem: path.read_bytes() for path in folder.glob("*.yaml")
    }
    assert atemi.simulate(shipped["slide"]).outcome == "simulated 1 s"  # its robot is a file


@pytest.mark.parametrize("job", list(atemi.jobs()))
def test_every_job_is_explained(job):
    assert len(atemi.explain(job=job).splitlines()) > 10


def test_a_scenario_is_written_for_a_robot():
    text = atemi.init("hrp2_like", hand="left_fist", target_mass=3.0)
    assert "robot: hrp2_like" in text and "left_fist" in text and "mass: 3" in text
    walk = atemi.init("hrp2_like", "walk", sole=(0.2, 0.1))
    assert "job: walk" in walk and "\nsole: [0.2, 0.1]" in walk


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="give a scenario, or the name of a job"):
        atemi.explain()
    with pytest.raises(atemi.NotFoundError, match="jmp"):
        atemi.explain(job="jmp")
    with pytest.raises(atemi.FileMissingError):
        atemi.explain("no_such.yaml")
    with pytest.raises(atemi.Error, match="a scenario of simulate has no use for --target"):
        atemi.init("hrp2_like", "simulate", target_mass=3.0)
    with pytest.raises(atemi.Error, match="there is no job 'jmp'"):
        atemi.init("hrp2_like", "jmp")
