#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Falls of whole robots, ours beside stiff MuJoCo with its joint limits on, for one second.

    bench/falls.py FOLDER [--csv FILE]

FOLDER has the URDF files of public robots, as tests take them from ../shared/robots; those that are
not there are left out, hrp2_like is always there. Needs the packages atemi and mujoco.

Every link of half a kilogram or more has a ball of 4 cm at its centre of mass, which may touch the
floor (friction 0.8, no restitution). The robot starts 2 cm above it and rotates by 0.3 and 0.5
rad/s about x and y, so that its feet come down one by one; `limp` with the joint friction of its file and 1 N m s/rad more, `held` with servos of 300 N m/rad
and 10 N m s/rad where it starts. MuJoCo's contacts and limits have a time constant of 0.25 ms, five
times the critical damping and an impedance of 0.999, with steps of 0.025 ms. (With critical damping,
its default, everything bounces off with 0.135 of its speed, however stiff: a critically damped
spring pushes until it is left with exp(-2) of that.)

    com     how far the centres of mass are apart after 0.5 s and 1 s, m
    beyond  how far a joint was beyond its stop, rad or m
    s/s     simulated seconds in one of processor time
"""

from __future__ import annotations

import argparse
import csv
import pathlib
import time
from xml.etree import ElementTree

import mujoco
import numpy as np

import atemi

RADIUS, FRICTION, STEP = 0.04, 0.8, 2.5e-5
SOLREF, SOLIMP = [2.5e-4, 5.0], [0.999, 0.999, 1e-3, 0.5, 2]  # s, of critical damping
FILES = {
    "hrp2_like": None,
    "talos": "talos_reduced.urdf",
    "g1": "g1_29dof.urdf",
    "h1": "h1.urdf",
    "atlas": "atlas_v5.urdf",
}
SPIN = (0.3, 0.5)  # rad/s about x and y: feet touch down one by one
WAYS = {"limp": (0.0, 1.0), "held": (300.0, 10.0)}  # N m/rad, N m s/rad
TIMES = (0.5, 1.0)


class Case:
    """A robot, where it starts, and its balls."""

    def __init__(self, path):
        text = f"robot: {path or 'hrp2_like'}\nbase: floating\nmimic: independent\n"
        recording = atemi.simulate(text=text + "contacts: []\nduration: 1e-3\n")
        self.urdf = recording.urdf
        self.robot = robot = atemi.Robot.from_string(self.urdf, base="floating")
        tree = ElementTree.fromstring(self.urdf)
        self.limits = np.array([self._range(tree, name) for name in robot.joint_names])
        self.q = robot.neutral()
        self.q[7:] = np.clip(0.0, *self.limits.T)
        self.balls = {}
        for link in tree.findall("link"):
            inertial = link.find("inertial")
            if inertial is not None and float(inertial.find("mass").get("value")) >= 0.5:
                origin = inertial.find("origin")
                place = origin.get("xyz") if origin is not None else "0 0 0"
                self.balls[link.get("name")] = [float(x) for x in place.split()]
        points = [atemi.ContactPoint(n, p, RADIUS, friction=FRICTION) for n, p in self.balls.items()]
        self.points = points
        self.q = atemi.Simulation(robot, points).placed(self.q)
        self.q[2] += 0.02
        self.v = np.zeros(robot.nv)
        self.v[3:5] = SPIN

    @staticmethod
    def _range(tree, name):
        joint = tree.find(f"joint[@name='{name}']")
        limit = joint.find("limit")
        if joint.get("type") == "continuous" or limit is None or limit.get("lower") is None:
            return (-np.inf, np.inf)
        return (float(limit.get("lower")), float(limit.get("upper")))

    def beyond(self, q):
        return float(np.max([self.limits[:, 0] - q[7:], q[7:] - self.limits[:, 1], 0.0 * q[7:]]))


def run_ours(case, method, stiffness, damping):
    sim = atemi.Simulation(case.robot, case.points, method=method, step=1e-3)
    sim.reset(case.q, case.v)
    sim.hold(case.q, stiffness=np.r_[np.zeros(6), np.full(case.robot.nv - 6, stiffness)],
             damping=np.r_[np.zeros(6), np.full(case.robot.nv - 6, damping)])
    coms, beyond, began = [], 0.0, time.process_time()
    for until in np.arange(1, 101) / 100:
        sim.run(until)
        beyond = max(beyond, case.beyond(sim.q))
        if until in TIMES:
            coms.append(case.robot.center_of_mass(sim.q))
    return coms, beyond, time.process_time() - began


def twin_of(case, stiffness, damping):
    root = ElementTree.fromstring(case.urdf)
    for link in root.findall("link"):
        for shape in link.findall("visual") + link.findall("collision"):
            link.remove(shape)
    for settings in root.findall("mujoco"):
        root.remove(settings)
    settings = ElementTree.SubElement(root, "mujoco")
    ElementTree.SubElement(settings, "compiler", fusestatic="false", balanceinertia="true")
    spec = mujoco.MjSpec.from_string(ElementTree.tostring(root, encoding="unicode"))
    spec.body(case.robot.link_names[0]).add_freejoint()
    option = spec.option
    option.timestep, option.cone, option.impratio = STEP, mujoco.mjtCone.mjCONE_ELLIPTIC, 100
    option.gravity, option.iterations, option.tolerance = [0, 0, -9.81], 200, 1e-12
    spec.worldbody.add_geom(
        name="floor", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[9, 9, 1], contype=0, conaffinity=0
    )
    for link, place in case.balls.items():
        spec.body(link).add_geom(
            name="ball " + link, type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[RADIUS, 0, 0],
            pos=place, mass=0, contype=0, conaffinity=0,
        )
        pair = spec.add_pair(geomname1="floor", geomname2="ball " + link, condim=3)
        pair.friction = [FRICTION, FRICTION, 0, 0, 0]
        pair.solref, pair.solimp = SOLREF, SOLIMP
    model = spec.compile()
    data = mujoco.MjData(model)
    joints = [model.joint(name) for name in case.robot.joint_names]
    ids, at, dofs = ([j.id for j in joints], [j.qposadr[0] for j in joints],
                     [j.dofadr[0] for j in joints])
    model.dof_armature[dofs] = case.robot.armature[6:]
    model.dof_damping[dofs] += damping
    model.jnt_stiffness[ids] = stiffness
    model.qpos_spring[at] = case.q[7:]
    model.jnt_solref[ids], model.jnt_solimp[ids] = SOLREF, SOLIMP
    mujoco.mj_setConst(model, data)
    data.qpos[:7] = [*case.q[:3], case.q[6], *case.q[3:6]]
    data.qpos[at] = case.q[7:]
    data.qvel[3:5] = SPIN
    return model, data, at


def run_mujoco(case, stiffness, damping):
    model, data, at = twin_of(case, stiffness, damping)
    coms, beyond, began = [], 0.0, time.process_time()
    for i in range(1, 101):
        mujoco.mj_step(model, data, round(0.01 / STEP))
        beyond = max(beyond, case.beyond(np.r_[data.qpos[:7], data.qpos[at]]))
        if i / 100 in TIMES:
            mujoco.mj_forward(model, data)
            coms.append(data.subtree_com[0].copy())
    return coms, beyond, time.process_time() - began


def falls(folder):
    for name, file in FILES.items():
        path = folder / file if file else None
        if path and not path.is_file():
            print(f"{name:10} is not in {folder}")
            continue
        case = Case(path)
        for way, gains in WAYS.items():
            theirs, their_beyond, spent = run_mujoco(case, *gains)
            yield name, way, "mujoco", 0.0, 0.0, their_beyond, 1.0 / spent
            for method in ("events", "steps"):
                ours, beyond, spent = run_ours(case, method, *gains)
                apart = [float(np.linalg.norm(a - b)) for a, b in zip(ours, theirs)]
                yield name, way, method, *apart, beyond, 1.0 / spent


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--csv", type=pathlib.Path, help="keep the figures")
    given = parser.parse_args()
    rows = []
    print(f"{'robot':10}{'joints':6}{'method':8}{'com .5 s':>10}{'com 1 s':>10}{'beyond':>10}{'s/s':>8}")
    for row in falls(given.folder):
        rows.append(row)
        print(f"{row[0]:10}{row[1]:6}{row[2]:8}" + "".join(f"{x:10.1e}" for x in row[3:6])
              + f"{row[6]:8.2f}", flush=True)
    if given.csv:
        with given.csv.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(("robot", "joints", "method", "com_half", "com_one", "beyond", "speed"))
            writer.writerows(rows)


if __name__ == "__main__":
    main()
