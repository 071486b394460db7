# SPDX-License-Identifier: Apache-2.0
"""Writes a URDF file as Pinocchio's own parser understands it, as a plain table for the driver.

    robot_table.py ROBOT.urdf TABLE STRIPPED.urdf

Pinocchio's parser comes in the wheel, compiled for any x86-64, and Eigen's types are laid out
otherwise under -march=native: no C++ object may pass from one to the other, numbers may.

TABLE has one line for the base, one for each joint with one coordinate, in Pinocchio's order, and one
for each link, as what it is fixed to:

    base <mass> <com: 3> <inertia: 9>
    joint <kind> <parent> <axis: 3> <rotation: 9> <translation: 3> <lower> <upper> <armature>
          <mass> <com: 3> <inertia: 9> <name>
    link <joint> <rotation: 9> <translation: 3> <name>

(a joint as one line; see bench.h for the meaning). STRIPPED.urdf is the file without shapes, for MuJoCo,
which would otherwise look for meshes. Rotor inertia is not part of URDF: `armature` of `<dynamics>`
is read here, since neither peer does.
"""

import math
import sys
import xml.etree.ElementTree as ElementTree

import numpy
import pinocchio

BASE = 1  # joint 0 is the world


def flat(*parts):
    return " ".join("%.17g" % x for part in parts for x in numpy.ravel(part))


def body(inertia):
    return flat(inertia.mass, inertia.lever, inertia.inertia)


def motion(model, index):
    """The kind and axis: the motion along the joint is the first column of its subspace."""
    joint = model.joints[index]
    if joint.nv != 1:
        sys.exit(f"{model.names[index]}: only joints with one coordinate can be compared")
    data = joint.createData()
    q = pinocchio.neutral(model)[joint.idx_q : joint.idx_q + joint.nq]
    joint.setIndexes(joint.id, 0, 0)
    joint.calc(data, q)
    subspace = numpy.asarray(data.S).ravel()
    if numpy.linalg.norm(subspace[3:]) < 0.5:
        return "prismatic", subspace[:3]
    return ("continuous" if joint.nq == 2 else "revolute"), subspace[3:]


def limits(model, kind, index):
    if kind == "continuous":
        return -math.pi, math.pi
    q = model.idx_qs[index]
    return model.lowerPositionLimit[q], model.upperPositionLimit[q]


def armatures(robot):
    found = {}
    for joint in robot.findall("joint"):
        dynamics = joint.find("dynamics")
        if dynamics is not None:
            found[joint.get("name")] = float(dynamics.get("armature", 0))
    return found


def strip(robot):
    for link in robot.findall("link"):
        for shape in link.findall("visual") + link.findall("collision"):
            link.remove(shape)
    for element in list(robot):
        if element.tag not in ("link", "joint"):
            robot.remove(element)


def write_table(model, armature, out):
    print("base", body(model.inertias[BASE]), file=out)
    for index in range(BASE + 1, model.njoints):
        name = model.names[index]
        placement = model.jointPlacements[index]
        kind, axis = motion(model, index)
        print("joint", kind, model.parents[index] - BASE - 1,
              flat(axis, placement.rotation, placement.translation, limits(model, kind, index),
                   armature.get(name, 0)),
              body(model.inertias[index]), name, file=out)
    for frame in model.frames:
        if frame.type == pinocchio.BODY:
            print("link", frame.parentJoint - BASE - 1,
                  flat(frame.placement.rotation, frame.placement.translation), frame.name, file=out)


def main(path, table, stripped):
    model = pinocchio.buildModelFromUrdf(path, pinocchio.JointModelFreeFlyer())
    robot = ElementTree.parse(path).getroot()
    with open(table, "w") as out:
        write_table(model, armatures(robot), out)
    strip(robot)
    ElementTree.ElementTree(robot).write(stripped)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
