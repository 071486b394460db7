# SPDX-License-Identifier: Apache-2.0
"""One robot serves several threads at once, and gives each the bits that it would give to one."""

from __future__ import annotations

import threading
import warnings

import numpy as np
import pytest

import atemi

WORKERS, STATES = 4, 40
MODES = ("stick", "slip", "surface")
ODD = """<robot name="odd"><link name="odd"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="9" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"""


@pytest.fixture(scope="module")
def robot():
    return atemi.Robot.shipped("hrp2_like")


def _everything(robot: atemi.Robot, seed: int) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    q, (v, a) = robot.random(rng), rng.uniform(-3.0, 3.0, (2, robot.nv))
    external = rng.uniform(-50.0, 50.0, (len(robot.link_names), 6))
    link = robot.link_names[seed % len(robot.link_names)]
    limbs = ["right_sole", "left_sole", "right_hand", "left_hand"][: seed % 5]
    contacts = [atemi.Contact(limb, mode=MODES[(seed + i) % 3]) for i, limb in enumerate(limbs)]
    return [
        robot.inverse_dynamics(q, v, a, external),
        robot.joint_wrenches(q, v, a),
        robot.mass_matrix(q),
        robot.solve_mass_matrix(q, a),
        robot.forward_dynamics(q, v, a, external),
        robot.center_of_mass(q),
        robot.momentum(q, v),
        robot.momentum_matrix(q),
        np.array([*robot.energy(q, v)]),
        *robot.link_pose(q, link),
        robot.jacobian(q, link),
        robot.jacobian_rate(q, v, link),
        robot.link_acceleration(q, v, a, link),
        robot.integrate(q, v, 0.1),
        *robot.constrained_dynamics(q, v, a, contacts, external)[:3],
        *robot.constrained_dynamics(q, v, a, contacts, method="published")[:3],
        *robot.impulse(q, v, contacts)[:2],
    ]


def _run(work) -> None:
    """`work(i)` on all workers, which start together; raises what one of them raises."""
    barrier, failures = threading.Barrier(WORKERS), []

    def worker(i: int) -> None:
        try:
            barrier.wait()
            work(i)
        except BaseException as failure:  # noqa: BLE001
            failures.append(failure)

    threads = [threading.Thread(target=worker, args=(i,)) for i in range(WORKERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def test_threads_get_the_bits_of_a_serial_run(robot):
    serial = [_everything(robot, seed) for seed in range(STATES)]
    results: list[list] = [[] for _ in range(WORKERS)]

    def work(i: int) -> None:
        for step in range(STATES):  # each in another order
            seed = (step * (2 * i + 1) + i) % STATES
            results[i].append((seed, _everything(robot, seed)))

    _run(work)
    for result in results:
        for seed, arrays in result:
            for parallel, alone in zip(arrays, serial[seed]):
                assert parallel.tobytes() == alone.tobytes()


def test_threads_may_read_robots_at_once_and_hear_their_own_warnings():
    counts = [0] * WORKERS

    def work(i: int) -> None:
        for _ in range(50):
            if i % 2:
                with pytest.raises(atemi.Error):
                    atemi.Robot.from_string("<robot>")
            else:
                atemi.Robot.from_string(ODD)
                counts[i] += 1

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        _run(work)
    assert sum(issubclass(w.category, atemi.Warning) for w in caught) == sum(counts)
