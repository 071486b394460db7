# SPDX-License-Identifier: Apache-2.0
"""What calls from Python cost, beside Pinocchio's binding: one state, and many.

    python bench/python_calls.py [--robot URDF] [--states 10000] [--rounds 30] [--library LIBATEMI.A]
    python bench/python_calls.py --blows 1000000

Needs the package atemi, and pin from PyPI. Contenders are timed in turn; the table has the least time
of all rounds, and the median of the rounds' ratios, which says little on a busy machine. With --library, a loop in C over the same arrays
is compiled and linked with that static library, which must be built with the package's own flags
(build folder of the wheel, or cmake -DATEMI_NATIVE=OFF). --blows times so many blows instead, of as
many postures of hrp2_like, on one thread and on all.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
import pinocchio

import atemi

ROBOT = Path(__file__).resolve().parent.parent / "robots/hrp2_like.urdf"


LOOP = """
#include <atemi/dynamics.h>
void loop(atemi_data *data, long n, long nq, long nv, const double *q, const double *v,
          const double *a, double *tau)
{
    for (long i = 0; i < n; ++i) {
        atemi_inverse_dynamics(data, q + i * nq, v + i * nv, a + i * nv, 0, tau + i * nv);
    }
}
"""


def loop_in_c(library: str, robot_file: str):
    """The loop above with a data of its own, as a function of arrays."""
    folder = tempfile.mkdtemp()
    Path(folder, "loop.c").write_text(LOOP)
    made = Path(folder, "loop.so")
    command = ["cc", "-O3", "-shared", "-fPIC", "-I", str(ROBOT.parent.parent / "include")]
    needs = ["-Wl,-u,atemi_urdf_load", "-Wl,-u,atemi_data_create", library, "-lexpat", "-lm"]
    subprocess.run([*command, f"{folder}/loop.c", "-o", made, *needs], check=True)
    native = ctypes.CDLL(str(made))
    model, data = ctypes.c_void_p(), ctypes.c_void_p()
    if native.atemi_urdf_load(robot_file.encode(), None, ctypes.byref(model), None):
        raise SystemExit(f"{robot_file}: cannot be read")
    native.atemi_data_create(model, None, ctypes.byref(data), None)

    def loop(q, v, a, tau):
        arrays = [ctypes.c_void_p(x.ctypes.data) for x in (q, v, a, tau)]
        native.loop(data, ctypes.c_long(len(q)), *map(ctypes.c_long, (q.shape[1], v.shape[1])), *arrays)

    return loop


def seconds(function, count: int) -> float:
    start = time.perf_counter()
    for _ in range(count):
        function()
    return (time.perf_counter() - start) / count


def processor_seconds(function) -> float:
    """Of one call, on a machine that is busy with other things as well."""
    start = time.process_time()
    function()
    return time.process_time() - start


def in_turn(contenders: dict, count: int, rounds: int) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, function in contenders.items():
            times[name].append(seconds(function, count))
    return times


def ratio(ours: list[float], theirs: list[float]) -> float:
    return statistics.median(a / b for a, b in zip(ours, theirs))


def single_calls(robot, model, q, v, a, rounds: int) -> None:
    data, world = model.createData(), pinocchio.LOCAL_WORLD_ALIGNED
    p, u, b = robot.q_to_pinocchio(model, q), *(robot.v_to_pinocchio(model, x) for x in (v, a))
    link = "right_sole" if "right_sole" in robot.link_names else robot.link_names[-1]
    frame = model.getFrameId(link)
    pairs = {
        "inverse dynamics": (
            lambda: robot.inverse_dynamics(q, v, a),
            lambda: pinocchio.rnea(model, data, p, u, b),
        ),
        "forward dynamics": (
            lambda: robot.forward_dynamics(q, v, a),
            lambda: pinocchio.aba(model, data, p, u, b),
        ),
        "mass matrix": (lambda: robot.mass_matrix(q), lambda: pinocchio.crba(model, data, p)),
        "Jacobian of a link": (
            lambda: robot.jacobian(q, link),
            lambda: pinocchio.computeFrameJacobian(model, data, p, frame, world),
        ),
        "centre of mass": (
            lambda: robot.center_of_mass(q),
            lambda: pinocchio.centerOfMass(model, data, p),
        ),
        "integrate": (
            lambda: robot.integrate(q, v, 0.1),
            lambda: pinocchio.integrate(model, p, 0.1 * u),
        ),
        "derivatives of inverse dynamics": (
            lambda: robot.inverse_dynamics_derivatives(q, v, a),
            lambda: pinocchio.computeRNEADerivatives(model, data, p, u, b),
        ),
    }
    print("one call, us                     atemi  Pinocchio  ratio")
    for name, (ours, theirs) in pairs.items():
        times = in_turn({"ours": ours, "theirs": theirs}, 300, rounds)
        least = {key: 1e6 * min(value) for key, value in times.items()}
        print(
            f"{name:32} {least['ours']:6.2f}  {least['theirs']:9.2f}  "
            f"{ratio(times['ours'], times['theirs']):5.2f}"
        )


def many_states(robot, model, count: int, rounds: int, loop) -> None:
    rng = np.random.default_rng(1)
    q = np.array([robot.random(rng) for _ in range(count)])
    v, a = rng.uniform(-1, 1, (2, count, robot.nv))
    tau, data = np.empty_like(v), model.createData()

    theirs = robot.q_to_pinocchio(model, q), *(robot.v_to_pinocchio(model, x) for x in (v, a))

    def each():
        for row in zip(*theirs):
            pinocchio.rnea(model, data, *row)

    times = in_turn(
        {
            "c": lambda: loop(q, v, a, tau) if loop else None,
            "all": lambda: robot.inverse_dynamics(q, v, a, out=tau),
            "two": lambda: robot.inverse_dynamics(q, v, a, out=tau, threads=2),
            "loop": lambda: [robot.inverse_dynamics(*row) for row in zip(q, v, a)],
            "each": each,
        },
        1,
        rounds,
    )
    print(f"\ninverse dynamics of {count} states, us a state, and beside one call")
    rows = {
        "a loop in C": times["c"],
        "atemi, one call": times["all"],
        "atemi, one call, two threads": times["two"],
        "atemi, a loop in Python": times["loop"],
        "Pinocchio, a loop in Python": times["each"],
    }
    for name, taken in list(rows.items())[0 if loop else 1 :]:
        print(f"{name:32} {1e6 * min(taken) / count:6.3f}  {ratio(taken, times['all']):6.2f}")
    if loop:
        calls = [lambda: robot.inverse_dynamics(q, v, a, out=tau), lambda: loop(q, v, a, tau)]
        spent = [[processor_seconds(call) for call in calls] for _ in range(3 * rounds)]
        ours, theirs = (statistics.median(column) for column in zip(*spent))
        print(f"processor time of one call beside that of a loop in C: {ours / theirs:.3f}")


SERVO = {"stiffness": 8000.0, "damping": 400.0}
BLOWS = {
    "a bare robot": {},
    "with servos": SERVO,
    "with servos that saturate": {**SERVO, "torque_limits": 100.0},
    "with servos and the ZMP at 20 instants": {**SERVO, "samples": 20},
}


def blows(count: int) -> None:
    robot = atemi.Robot.shipped("hrp2_like")
    rng = np.random.default_rng(1)
    q = np.repeat(robot.posture("punch_4kg")[None], count, axis=0)
    q[:, 7:] += rng.uniform(-0.05, 0.05, (count, q.shape[1] - 7))
    soles = ["right_sole", "left_sole"]
    cores = os.cpu_count()
    print(f"{count} blows of as many postures, s: one thread, {cores} threads")
    for name, options in BLOWS.items():
        taken = []
        for threads in (1, cores):
            start = time.perf_counter()
            hit = atemi.blow(robot, q, "right_fist", stand=soles, threads=threads, **options)
            taken.append(time.perf_counter() - start)
            assert np.isfinite(hit.peak_force).all()
        print(f"{name:40} {taken[0]:8.1f} {taken[1]:8.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--robot", default=str(ROBOT), help="a URDF file")
    parser.add_argument("--states", type=int, default=10000)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--library", help="our static library, for the loop in C")
    parser.add_argument("--blows", type=int, help="time so many blows instead")
    options = parser.parse_args()
    if options.blows:
        blows(options.blows)
        return
    robot = atemi.Robot(options.robot)
    model = pinocchio.buildModelFromUrdf(options.robot, pinocchio.JointModelFreeFlyer())
    model.armature = robot.v_to_pinocchio(model, robot.armature)  # its reader knows none
    rng = np.random.default_rng(0)
    q = robot.random(rng)
    v, a = rng.uniform(-1, 1, (2, robot.nv))
    theirs = [robot.q_to_pinocchio(model, q), *(robot.v_to_pinocchio(model, x) for x in (v, a))]
    tau = robot.v_from_pinocchio(model, pinocchio.rnea(model, model.createData(), *theirs))
    difference = abs(robot.inverse_dynamics(q, v, a) - tau).max()
    print(f"{robot.name}: {robot.nv} velocities; the two agree to {difference:.1e} N m")
    loop = loop_in_c(options.library, options.robot) if options.library else None
    single_calls(robot, model, q, v, a, options.rounds)
    many_states(robot, model, options.states, options.rounds, loop)


if __name__ == "__main__":
    main()
