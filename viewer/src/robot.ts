// SPDX-License-Identifier: Apache-2.0
//
// Forward kinematics: the poses of the links from the coordinates q.
//
//   child = parent origin motion(q)
//
//   revolute, continuous   a turn by q about the axis        prismatic   a shift by q along it
//   planar    a shift (x, y) in the plane normal to the axis, then a turn about it
//   floating  x y z, then the quaternion x y z w
//
// The in-plane axes of a planar joint are those that the shortest turn from z to its axis makes of
// x and y.

import { Matrix4, Quaternion, Vector3 } from "three";
import type { Joint, Robot } from "./report";

/// The value of a coordinate, by its column.
export type Coordinates = (column: number) => number;

const one = new Vector3(1, 1, 1);
const zUp = new Vector3(0, 0, 1);
const yLeft = new Vector3(0, 1, 0);

const vectorOf = (v: readonly number[]): Vector3 => new Vector3(v[0], v[1], v[2]);
const quaternionOf = (q: readonly number[]): Quaternion =>
    new Quaternion(q[0], q[1], q[2], q[3]).normalize();

export function poseOf(position: readonly number[], quaternion: readonly number[]): Matrix4 {
    return new Matrix4().compose(vectorOf(position), quaternionOf(quaternion), one);
}

function planarMotion(axis: Vector3, x: number, y: number, turn: number): Matrix4 {
    const shift = new Vector3(x, y, 0).applyQuaternion(
        new Quaternion().setFromUnitVectors(zUp, axis),
    );
    return new Matrix4().compose(shift, new Quaternion().setFromAxisAngle(axis, turn), one);
}

/// A base whose coordinates were not recorded is at the origin.
function basePose(robot: Robot, q: Coordinates): Matrix4 {
    if (robot.baseColumns.length === 0) return new Matrix4();
    const [a, b, c, ...turn] = robot.baseColumns.map(q);
    switch (robot.base) {
        case "fixed":
            return new Matrix4();
        case "planar":
            return planarMotion(zUp, a, b, c);
        case "sagittal":
            return new Matrix4().makeRotationAxis(yLeft, c).setPosition(a, 0, b);
        case "floating":
            return poseOf([a, b, c], turn);
    }
}

function coordinate(joints: readonly Joint[], joint: Joint, q: Coordinates): number {
    let factor = 1;
    let offset = 0;
    for (let links = 0; joint.mimic && links < joints.length; ++links) {
        offset += factor * joint.mimic.offset;
        factor *= joint.mimic.multiplier;
        joint = joints[joint.mimic.joint];
    }
    return offset + (joint.columns.length > 0 ? factor * q(joint.columns[0]) : 0);
}

function jointMotion(joints: readonly Joint[], joint: Joint, q: Coordinates): Matrix4 {
    if (joint.columns.length === 0 && !joint.mimic) return new Matrix4();
    const axis = vectorOf(joint.axis);
    switch (joint.type) {
        case "fixed":
            return new Matrix4();
        case "revolute":
        case "continuous":
            return new Matrix4().makeRotationAxis(axis, coordinate(joints, joint, q));
        case "prismatic":
            return new Matrix4().setPosition(axis.multiplyScalar(coordinate(joints, joint, q)));
        case "planar": {
            const [x, y, turn] = joint.columns.map(q);
            return planarMotion(axis, x, y, turn);
        }
        case "floating": {
            const values = joint.columns.map(q);
            return poseOf(values.slice(0, 3), values.slice(3));
        }
    }
}

/// The joints in an order in which parents come before children.
function outwards(robot: Robot): Joint[] {
    const ordered: Joint[] = [];
    const leaving = new Map<number, Joint[]>();
    for (const joint of robot.joints) {
        leaving.set(joint.parent, [...(leaving.get(joint.parent) ?? []), joint]);
    }
    const links = [robot.root];
    for (let link = links.pop(); link !== undefined; link = links.pop()) {
        const joints = leaving.get(link) ?? [];
        leaving.delete(link);
        ordered.push(...joints);
        links.push(...joints.map((joint) => joint.child));
    }
    return ordered;
}

/// The links from `root` outwards.
function linksFrom(robot: Robot, root: number): Set<number> {
    const links = new Set([root]);
    for (const joint of outwards(robot)) if (links.has(joint.parent)) links.add(joint.child);
    return links;
}

/// What the camera looks at. In a scene, whose root is the world, that is the largest of the trees
/// that move freely in it; else, and where all of these are single links, it is everything.
export interface Actor {
    root: number;
    links: Set<number>;
    moves: boolean; // about the world
}

export function actorOf(robot: Robot): Actor {
    const free = robot.joints.filter(
        ({ parent, type }) => parent === robot.root && (type === "floating" || type === "planar"),
    );
    if (robot.base !== "fixed" || free.length === 0) {
        const links = new Set(robot.links.map((_, i) => i));
        return { root: robot.root, links, moves: robot.base !== "fixed" };
    }
    const largest = free
        .map(({ child }) => ({ root: child, links: linksFrom(robot, child), moves: true }))
        .reduce((a, b) => (b.links.size > a.links.size ? b : a));
    return largest.links.size > 1 || free.length === 1
        ? largest
        : { root: robot.root, links: new Set(robot.links.map((_, i) => i)), moves: false };
}

/// A function that yields the poses of all links in the world.
export function kinematics(robot: Robot): (q: Coordinates) => Matrix4[] {
    const joints = outwards(robot);
    const origins = joints.map((joint) => poseOf(joint.position, joint.quaternion));
    return (q) => {
        const poses = robot.links.map(() => new Matrix4());
        poses[robot.root] = basePose(robot, q);
        joints.forEach((joint, i) => {
            poses[joint.child]
                .multiplyMatrices(poses[joint.parent], origins[i])
                .multiply(jointMotion(robot.joints, joint, q));
        });
        return poses;
    };
}

/// The poses of all links from q as a list.
export function posesOf(robot: Robot, q: ArrayLike<number>): Matrix4[] {
    const columns = [...robot.baseColumns, ...robot.joints.flatMap((joint) => joint.columns)];
    const places = new Map(columns.sort((a, b) => a - b).map((column, i) => [column, i]));
    return kinematics(robot)((column) => q[places.get(column) ?? NaN]);
}
