// SPDX-License-Identifier: Apache-2.0
//
// The robot and the moment of first touch as numbers, in the order that viewer/whatif/whatif.c reads
// them.

import type { Joint, RecordedTable, Robot } from "./report";

const bases = ["fixed", "planar", "sagittal", "floating"];
const jointTypes = ["fixed", "revolute", "continuous", "prismatic", "planar", "floating"];
const heavy = 1; // atemi_grounding

/// The values of the table first_touch by their names; what is absent is NaN.
export class FirstTouch {
    private readonly values = new Map<string, number[]>();

    constructor(table: RecordedTable) {
        (table.labels ?? []).forEach((label, i) => {
            const [name, index] = label.split(" ");
            const list = this.values.get(name) ?? [];
            if (Number(index) === list.length) list.push(table.rows[i][0] ?? NaN);
            this.values.set(name, list);
        });
    }

    all(name: string): number[] {
        return this.values.get(name) ?? [];
    }

    one(name: string, index = 0): number {
        return this.all(name)[index] ?? NaN;
    }

    /// 1 and the values, or 0 where there are none. What is absent is infinite: limits alone are.
    optional(name: string): number[] {
        const list = this.all(name).map((value) => (Number.isNaN(value) ? Infinity : value));
        return list.length > 0 ? [1, ...list] : [0];
    }
}

const numbersOfJoint = (joint: Joint): number[] => [
    jointTypes.indexOf(joint.type),
    joint.parent,
    joint.child,
    ...joint.position,
    ...joint.quaternion,
    ...joint.axis,
    joint.armature,
    joint.damping,
    joint.friction,
    joint.mimic?.joint ?? -1,
    joint.mimic?.multiplier ?? 1,
    joint.mimic?.offset ?? 0,
    joint.lower ?? -Infinity,
    joint.upper ?? Infinity,
];

function numbersOfRobot(robot: Robot, touch: FirstTouch): number[] {
    return [
        robot.links.length,
        robot.joints.length,
        touch.all("q").length,
        touch.all("rate").length,
        bases.indexOf(robot.base),
        ...robot.gravity,
        ...robot.links.flatMap(({ mass, com, inertia }) => [mass ?? 0, ...com, ...inertia]),
        ...robot.joints.flatMap(numbersOfJoint),
    ];
}

function numbersOfTouch(touch: FirstTouch): number[] {
    const ground = touch.all("ground");
    const corners = touch.all("corner");
    const plane = touch.all("plane");
    const hands = touch.all("hand");
    const points = touch.all("hand_point");
    const isHeavy = touch.one("grounding") === heavy;
    return [
        touch.one("speed"),
        touch.one("duration"),
        touch.one("every"),
        touch.one("rests") === 1 ? 1 : 0,
        isHeavy ? heavy : 0,
        touch.one("grounding", 1),
        touch.one("grounding", 2),
        ground.length,
        ...ground,
        ...touch.optional("rotor"),
        ...touch.optional("locked"),
        corners.length / 3,
        ...(plane.length === 6 ? plane : [0, 0, 0, 0, 0, 1]),
        ...corners,
        ...touch.all("direction"),
        hands.length,
        ...hands.flatMap((link, i) => [link, ...points.slice(3 * i, 3 * i + 3)]),
        touch.one("law"),
        touch.one("spring"),
        touch.one("spring", 1),
        touch.one("target"),
        touch.one("target", 1),
        touch.one("drift"),
        ...touch.all("q"),
        ...touch.optional("rate"),
        ...touch.optional("acceleration"),
        ...["stiffness", "damping", "limit", "viscous", "coulomb", "held"].flatMap((name) =>
            touch.optional(name),
        ),
    ];
}

export const whatIfInput = (robot: Robot, touch: FirstTouch): number[] => [
    ...numbersOfRobot(robot, touch),
    ...numbersOfTouch(touch),
];
