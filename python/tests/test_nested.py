# SPDX-License-Identifier: Apache-2.0
"""A job inside the progress callback of another one: each keeps its exceptions and warnings."""

from __future__ import annotations

import threading
import warnings

import pytest

import atemi

PENDULUM = "robot: two_link\ncontacts: []\nduration: 0.1 s\n"


class Outer(Exception):
    """Raised by the callback of the outer job."""


class Inner(Exception):
    """Raised by the callback of the inner job."""


def raise_after_a_job(done):
    atemi.simulate(text=PENDULUM, progress=lambda done: None)
    raise Outer


def test_the_outer_job_raises_its_own_exception():
    with pytest.raises(Outer):
        atemi.simulate(text=PENDULUM, progress=raise_after_a_job)


def test_what_the_inner_job_raises_goes_through_both():
    def inner(done):
        raise Inner

    def outer(done):
        atemi.simulate(text=PENDULUM, progress=inner)

    with pytest.raises(Inner):
        atemi.simulate(text=PENDULUM, progress=outer)


def test_an_inner_exception_that_is_caught_stays_there():
    caught = []

    def inner(done):
        raise Inner

    def outer(done):
        try:
            atemi.simulate(text=PENDULUM, progress=inner)
        except Inner as raised:
            caught.append(raised)
        if done > 0.5:
            raise Outer

    with pytest.raises(Outer):
        atemi.simulate(text=PENDULUM, progress=outer)
    assert caught


def test_an_inner_scenario_that_is_refused_does_not_take_the_listener_along():
    def outer(done):
        with pytest.raises(atemi.Error):
            atemi.simulate(text="robot: nobody\n")
        raise Outer

    with pytest.raises(Outer):
        atemi.simulate(text=PENDULUM, progress=outer)


def test_three_deep_and_then_one_more():
    def make(depth):
        def progress(done):
            if depth:
                with pytest.raises(Outer):
                    atemi.simulate(text=PENDULUM, progress=make(depth - 1))
            raise Outer

        return progress

    for _ in range(2):
        with pytest.raises(Outer):
            atemi.simulate(text=PENDULUM, progress=make(2))


def test_each_thread_has_its_own():
    barrier, raised = threading.Barrier(4), {}

    def work(i):
        class Mine(Exception):
            pass

        def outer(done):
            barrier.wait(60)
            atemi.simulate(text=PENDULUM, progress=lambda done: None)
            raise Mine(i)

        barrier.wait(60)
        try:
            atemi.simulate(text=PENDULUM, progress=outer)
        except Mine as mine:
            raised[i] = mine.args

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert raised == {i: (i,) for i in range(4)}


# A body whose inertia no rigid body has: a warning when it is loaded, before the job's first row.
ODD = """<robot name="odd"><link name="odd"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="9" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"""


def test_warnings_of_the_outer_job_are_not_those_of_calls_inside_it(tmp_path):
    (tmp_path / "odd.urdf").write_text(ODD)
    (tmp_path / "odd.yaml").write_text("robot: odd.urdf\nbase: floating\nduration: 0.1 s\n")
    robot = atemi.Robot.shipped("two_link")

    def outer(done):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            robot.mass_matrix(robot.neutral())
            atemi.simulate(text=PENDULUM)

    with pytest.warns(atemi.Warning) as heard:
        atemi.simulate(tmp_path / "odd.yaml", progress=outer)
    assert len(heard) >= 1
