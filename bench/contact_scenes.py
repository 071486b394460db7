#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Scenes of many contacts, ours beside MuJoCo's in one run: error and speed by the length of steps.

    bench/contact_scenes.py COMMAND [--scenes NAME ...] [--csv FILE] [--plot FILE.svg]

The seven families of the SimBenchmark study (leggedrobotics.github.io/SimBenchmark), rebuilt from
what it publishes of them. Both simulators get the same bodies, from one list; ours runs as a user
runs it, `atemi simulate`, and its processor time is that of the run less that of a run of one step.

    rolling     25 balls on a box that is pulled along the diagonal; error: rms of the speeds of box
                and balls from the closed form, m/s
    bouncing    ten balls of restitution 1; error: of their energy, relative
    666         6 x 6 x 6 frictionless balls collapse; error: deepest overlap of two, m
    elastic666  the same with restitution 1; error: of their energy, relative
    pd          a quadruped with servos drops by 9 cm and stands; error: of a joint, from our exact run, rad
    momentum    a ball of 10 kg hits a quadruped without gravity; error: of the centre of mass from
                its straight line after 2 s, m
    energy      a quadruped whirls in free fall; error: of its energy, relative

MuJoCo has no restitution: an elastic contact is a spring without damping.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import pathlib
import resource
import subprocess
import tempfile
import time
from typing import NamedTuple

import mujoco
import numpy as np

G = 9.81

RUNS = 2  # the fastest counts


class Ball(NamedTuple):
    name: str
    radius: float
    mass: float
    position: tuple[float, float, float]
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    friction: float = 0.0


class Scene(NamedTuple):
    duration: float
    steps: tuple[float, ...]
    balls: list[Ball]
    restitution: float = 0.0
    gravity: float = G
    box: float = 0.0  # mass of a flat box below the balls, which a force of 150 N pulls
    quadruped: bool = False
    joints: float = 0.0  # velocity that its joints start with, rad/s
    servos: bool = False
    touches: bool = True


# ---- Scenes


def grid(n, layers, radius, mass, gap, jitter):
    random, d = np.random.default_rng(1), 2.0 * radius + gap
    return [
        Ball(
            f"b{x}_{y}_{z}",
            radius,
            mass,
            (
                d * (x - n / 2) + jitter * random.standard_normal(),
                d * (y - n / 2) + jitter * random.standard_normal(),
                radius + gap + d * z,
            ),
        )
        for z in range(layers)
        for y in range(n)
        for x in range(n)
    ]


ROLLING = [
    Ball(f"b{x}_{y}", 0.5, 1.0, (2.0 * (x - 2), 2.0 * (y - 2), 1.5), friction=1.6)
    for x in range(5)
    for y in range(5)
]
BOUNCING = [Ball(f"b{i}", 0.1, 5.0, (0.5 * i, 0.0, 0.6 + 0.1 * i)) for i in range(10)]
HIT = [Ball("ball", 0.2, 10.0, (-1.5, 0.1, 0.6), (2.0, 0.0, 0.0))]

SCENES = {
    "rolling": Scene(4.0, (0.01, 0.004, 0.002, 0.001), ROLLING, box=10.0),
    "bouncing": Scene(5.0, (0.01, 0.004, 0.002, 0.001), BOUNCING, restitution=1.0),
    "666": Scene(1.0, (0.01, 0.004), grid(6, 6, 0.5, 10.0, 0.05, 0.01)),
    "elastic666": Scene(1.0, (0.01, 0.004), grid(6, 6, 0.5, 10.0, 0.05, 0.01), restitution=1.0),
    "pd": Scene(2.0, (0.004, 0.002, 0.001, 0.0005), [], quadruped=True, servos=True),
    "momentum": Scene(2.0, (0.004, 0.002, 0.001, 0.0005), HIT, gravity=0.0, quadruped=True),
    "energy": Scene(
        2.0, (0.004, 0.002, 0.001, 0.0005), [], quadruped=True, joints=4.0, touches=False
    ),
}

JOINTS = [f"{leg}_{joint}" for leg in ("lf", "rf", "lh", "rh") for joint in ("haa", "hfe", "kfe")]
BENT = 4 * [0.0, 0.6, -1.2]

K, D = 200.0, 4.0  # of servos, N m/rad and N m s/rad


def quadruped_bodies(touches):
    """Trunk and four legs of three joints, which start bent; a ball for each foot."""
    mask = "" if touches else 'contype="0" conaffinity="0"'
    legs = ""
    for name, x, y in (("lf", 1, 1), ("rf", 1, -1), ("lh", -1, 1), ("rh", -1, -1)):
        legs += f"""<body name="{name}_hip" pos="{0.28 * x} {0.12 * y} 0">
  <joint name="{name}_haa" axis="1 0 0"/>
  <geom type="sphere" size="0.05" mass="1.5" contype="0" conaffinity="0"/>
  <body name="{name}_thigh" pos="0 {0.1 * y} 0"><joint name="{name}_hfe" axis="0 1 0"/>
   <geom type="capsule" fromto="0 0 0 0 0 -0.25" size="0.03" mass="2" contype="0" conaffinity="0"/>
   <body name="{name}_shank" pos="0 0 -0.25"><joint name="{name}_kfe" axis="0 1 0"/>
    <geom type="capsule" fromto="0 0 0 0 0 -0.25" size="0.02" mass="0.4" contype="0" conaffinity="0"/>
    <geom type="sphere" pos="0 0 -0.3" size="0.03" mass="0.1" {mask}/>
   </body></body></body>"""
    return f"""<body name="trunk" pos="0 0 0.6"><freejoint name="base"/>
  <geom type="box" size="0.3 0.12 0.08" mass="16" {mask}/>{legs}</body>"""


# ---- MuJoCo's side


def mjcf(scene, step):
    soft = 'solref="-100000 0"' if scene.restitution else ""
    bodies = "".join(
        f'<body name="{b.name}" pos="{b.position[0]} {b.position[1]} {b.position[2]}"><freejoint/>'
        f'<geom type="sphere" size="{b.radius}" mass="{b.mass}" '
        f'friction="{0.8 if scene.box else 0.0} 0 0" {soft}/></body>'
        for b in scene.balls
    )
    if scene.box:
        bodies += f"""<body name="box" pos="0 0 0.5"><freejoint/>
          <geom type="box" size="10 10 0.5" mass="{scene.box}" friction="0.4 0 0"/></body>"""
    if scene.quadruped:
        bodies += quadruped_bodies(scene.touches)
    floor = f'<geom type="plane" size="0 0 1" friction="{0.4 if scene.box else 0.8 * scene.servos} 0 0" {soft}/>'
    return f"""<mujoco><compiler angle="radian"/>
      <option timestep="{step}" gravity="0 0 {-scene.gravity}" cone="elliptic"/>
      <size memory="400M"/>
      <default><geom condim="3"/></default>
      <worldbody>{floor if scene.gravity and scene.touches else ""}{bodies}</worldbody></mujoco>"""


def run_mujoco(scene, step, rows):
    model = mujoco.MjModel.from_xml_string(mjcf(scene, step))
    model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
    data = mujoco.MjData(model)
    joints = [i for i in range(model.njnt) if model.jnt_type[i] == mujoco.mjtJoint.mjJNT_HINGE]
    dofs, at = model.jnt_dofadr[joints], model.jnt_qposadr[joints]
    free = {
        model.body(model.jnt_bodyid[i]).name: (model.jnt_qposadr[i], model.jnt_dofadr[i])
        for i in range(model.njnt)
        if model.jnt_type[i] == mujoco.mjtJoint.mjJNT_FREE
    }
    for ball in scene.balls:
        data.qvel[free[ball.name][1] :][:3] = ball.velocity
    if scene.joints:
        data.qvel[dofs] = scene.joints * np.where(np.arange(len(dofs)) % 2, 1.0, -1.0)
    if scene.box:
        data.xfrc_applied[model.body("box").id, :2] = 150.0 / math.sqrt(2.0)
    if scene.servos:
        data.qpos[at] = BENT
    trajectory, spent, count = [], 0.0, round(scene.duration / step)
    mujoco.mj_forward(model, data)
    for i in range(count + 1):
        if i % max(1, count // rows) == 0:
            trajectory.append(
                {
                    "t": data.time,
                    "positions": {n: data.qpos[q : q + 3].copy() for n, (q, _) in free.items()},
                    "speeds": {n: np.linalg.norm(data.qvel[v : v + 3]) for n, (_, v) in free.items()},
                    "joints": data.qpos[at].copy(),
                    "energy": data.energy.sum(),
                    "kinetic": data.energy[1],
                    "com": center_of(model, data),
                }
            )
        if scene.servos:
            data.qfrc_applied[dofs] = K * (BENT - data.qpos[at]) - D * data.qvel[dofs]
        began = time.process_time()
        mujoco.mj_step(model, data)
        spent += time.process_time() - began
    return trajectory, spent


def center_of(model, data):
    mujoco.mj_comPos(model, data)
    return data.subtree_com[0].copy()


# ---- Our side


def scenario(scene, step, method, folder, rows):
    lines = [
        "job: simulate",
        f"method: {method}",
        f"duration: {scene.duration}",
        f"integrator: {{step: {step}, slowest_bounce: 1e-3}}",
        f"record: {{every: {scene.duration / rows}, wrenches: false}}",
        f"gravity: [0, 0, {-scene.gravity}]",
    ]
    if scene.quadruped:
        (folder / "quadruped.xml").write_text(
            '<mujoco><compiler angle="radian"/><option gravity="0 0 -9.81"/><worldbody>'
            f"{quadruped_bodies(scene.touches)}</worldbody></mujoco>"
        )
        lines += ["robot: quadruped.xml", "base: floating"]
    else:
        lines += ["robot: none"]
    if scene.servos:  # feet alone: what both methods know
        feet = ", ".join(
            f"{{name: {n}, link: {n}_shank, points: [[0, 0, -0.3]], radius: 0.03, friction: 0.8}}"
            for n in ("lf", "rf", "lh", "rh")
        )
        lines += [
            f"contacts: [{feet}]",
            f"torques: [{{kind: servo, stiffness: {K}, damping: {D}}}]",
        ]
    elif scene.touches:
        lines += ["contacts: shapes", f"shapes: {{friction: 0, restitution: {scene.restitution}}}"]
        if not scene.gravity:
            lines += ["surfaces: {floor: {position: [0, 0, -100]}}"]
    else:
        lines += ["contacts: []"]
    start = ["position: [0, 0, 0.6]"] if scene.quadruped else []
    if scene.servos:
        start += ["joints: {" + ", ".join(f"{n}: {q}" for n, q in zip(JOINTS, BENT)) + "}"]
    if scene.joints:
        speeds = (f"{n}: {scene.joints * (1 if i % 2 else -1)}" for i, n in enumerate(JOINTS))
        start += ["joint_velocities: {" + ", ".join(speeds) + "}"]
    if start:
        lines += ["start: {" + ", ".join(start) + "}"]
    bodies = [
        f"  - {{name: {b.name}, shape: sphere, size: [{b.radius}], mass: {b.mass}, "
        f"position: {list(b.position)}, velocity: {list(b.velocity)}, friction: {b.friction}}}"
        for b in scene.balls
    ]
    if scene.box:
        bodies += [
            f"  - {{name: box, shape: box, size: [20, 20, 1], mass: {scene.box}, "
            "position: [0, 0, 0.5], friction: 0.4}"
        ]
        pull = 150.0 / math.sqrt(2.0)
        lines += [f"forces: [{{link: box, force: [{pull}, {pull}, 0]}}]"]
    if bodies:
        lines += ["bodies:"] + bodies
    path = folder / f"{method}.yaml"
    path.write_text("\n".join(lines) + "\n")
    return path


def run_command(command, path, out):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [command, "simulate", path, "--out", out], capture_output=True, text=True, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{path}: {done.stdout}{done.stderr}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def run_ours(command, scene, step, method, rows):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        path = scenario(scene._replace(duration=step), step, method, folder, 1)
        short = min(run_command(command, path, folder / "short") for _ in range(RUNS))
        path = scenario(scene, step, method, folder, rows)
        spent = min(run_command(command, path, folder / "out") for _ in range(RUNS)) - short
        table = list(csv.DictReader((folder / "out/recording.csv").open()))
        start = json.loads((folder / "out/summary.json").read_text())
    assert start["results"]["completed"]["value"] == 1.0, start["outcome"]
    return [row_of(scene, {key.split(" ")[0]: value for key, value in row.items()}) for row in table], spent


def row_of(scene, row):
    def vector(prefix):
        return np.array([float(row[f"{prefix}{axis}"]) for axis in "xyz"])

    # A body's coordinates start at zero where it stands.
    starts = {b.name: np.array(b.position) for b in scene.balls}
    if scene.box:
        starts["box"] = np.array([0.0, 0.0, 0.5])
    joints = [float(row[f"q.{name}"]) for name in JOINTS if scene.quadruped]
    kinetic = float(row["energy.kinetic"])
    return {
        "t": float(row["t"]),
        "positions": {n: p + vector(f"q.{n}.") for n, p in starts.items()},
        "speeds": {n: np.linalg.norm(vector(f"v.{n}.linear_")) for n in starts},
        "joints": np.array(joints),
        "energy": kinetic + float(row["energy.potential"]),
        "kinetic": kinetic,
        "com": vector("com."),
    }


# ---- Errors


def rolling_error(scene, trajectory):
    """A ball that rolls on the box has 2/7 of its acceleration, and takes 2/7 of m of it."""
    n = len(scene.balls)
    pulled = 150.0 - 0.4 * (scene.box + n) * G
    box = pulled / (scene.box + 2.0 / 7.0 * n)
    errors = [
        row["speeds"][name] - (box if name == "box" else 2.0 / 7.0 * box) * row["t"]
        for row in trajectory
        for name in row["speeds"]
    ]
    return float(np.sqrt(np.mean(np.square(errors))))


def energy_error(_, trajectory):
    first, last = trajectory[0], trajectory[-1]
    scale = max(row["kinetic"] for row in trajectory)
    return abs(last["energy"] - first["energy"]) / scale


def overlap_error(scene, trajectory):
    deepest = 0.0
    for row in trajectory:
        at = np.array([row["positions"][b.name] for b in scene.balls])
        apart = np.linalg.norm(at[:, None] - at[None], axis=2) + 10.0 * np.eye(len(at))
        radius = scene.balls[0].radius
        deepest = max(deepest, 2.0 * radius - apart.min(), radius - at[:, 2].min())
    return deepest


def line_error(scene, trajectory):
    first, last = trajectory[0], trajectory[-1]
    ball = scene.balls[0]
    mass = ball.mass + 16.0 + 4 * (1.5 + 2.0 + 0.4 + 0.1)
    ideal = first["com"] + last["t"] * ball.mass / mass * np.array(ball.velocity)
    return float(np.linalg.norm(last["com"] - ideal))


ERRORS = {
    "rolling": rolling_error,
    "bouncing": energy_error,
    "666": overlap_error,
    "elastic666": energy_error,
    "momentum": line_error,
    "energy": energy_error,
}


def measure(command, name, rows=50):
    scene = SCENES[name]
    error = ERRORS.get(name)
    if name == "pd":
        exact, _ = run_ours(command, scene, 0.0005, "events", rows)
        error = lambda _, trajectory: float(np.abs(trajectory[-1]["joints"] - exact[-1]["joints"]).max())
    for step in scene.steps:
        for who in ("atemi", "mujoco"):
            if who == "atemi":
                trajectory, spent = run_ours(command, scene, step, "steps", rows)
            else:
                runs = [run_mujoco(scene, step, rows) for _ in range(RUNS)]
                trajectory, spent = runs[0][0], min(run[1] for run in runs)
            yield name, who, step, error(scene, trajectory), scene.duration / max(spent, 1e-6)


def plot(results, path):
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "atemi"})
    from matplotlib import pyplot, ticker

    names = list(dict.fromkeys(row[0] for row in results))
    figure, axes = pyplot.subplots(2, 4, figsize=(13, 6), layout="constrained")
    for axis, name in zip(axes.flat, names):
        for who, marker in (("atemi", "o-"), ("mujoco", "s--")):
            rows = [row for row in results if row[:2] == (name, who)]
            axis.loglog([r[4] for r in rows], [max(r[3], 1e-16) for r in rows], marker, label=who)
        for scale in (axis.xaxis, axis.yaxis):
            scale.set_minor_formatter(ticker.NullFormatter())
        axis.set_title(name)
        axis.set_xlabel("simulated seconds per second")
        axis.set_ylabel("error")
    axes.flat[0].legend()
    for axis in list(axes.flat)[len(names) :]:
        axis.set_visible(False)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", type=pathlib.Path, help="the command atemi")
    parser.add_argument("--scenes", nargs="+", choices=SCENES, default=list(SCENES))
    parser.add_argument("--csv", type=pathlib.Path, help="keep the figures")
    parser.add_argument("--plot", type=pathlib.Path, help="draw error over speed (needs matplotlib)")
    given = parser.parse_args()
    results = []
    print(f"{'scene':12}{'simulator':10}{'step ms':>8}{'error':>12}{'s/s':>10}")
    for name in given.scenes:
        for row in measure(given.command, name):
            results.append(row)
            print(f"{row[0]:12}{row[1]:10}{1e3 * row[2]:8g}{row[3]:12.2e}{row[4]:10.3g}", flush=True)
    if given.csv:
        with given.csv.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(("scene", "simulator", "step", "error", "simulated_seconds_per_second"))
            writer.writerows(results)
    if given.plot:
        plot(results, given.plot)


if __name__ == "__main__":
    main()
