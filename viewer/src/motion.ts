// SPDX-License-Identifier: Apache-2.0
//
// The motion: where every link is at a moment. Between rows, coordinates change evenly and
// quaternions are normalized; their signs are made to follow on each other first.

import type { Matrix4 } from "three";
import type { Columns } from "./columns";
import { Moment, valueAt } from "./moment";
import type { Robot } from "./report";
import { kinematics } from "./robot";

/// The four columns of every quaternion in q.
function quaternionColumns(robot: Robot): number[][] {
    const free = [robot.baseColumns, ...robot.joints.map((joint) => joint.columns)];
    return free.filter((columns) => columns.length === 7).map((columns) => columns.slice(3));
}

/// q and -q are the same turn: each row takes the sign that is nearer to the row before.
function followSigns(parts: Float64Array[]): Float64Array[] {
    const made = parts.map((part) => part.slice());
    for (let i = 1; i < made[0].length; ++i) {
        const along = made.reduce((sum, part) => sum + part[i] * part[i - 1], 0);
        if (along < 0) for (const part of made) part[i] = -part[i];
    }
    return made;
}

export class Motion {
    private readonly poses: ReturnType<typeof kinematics>;

    private constructor(
        readonly robot: Robot,
        private readonly q: Map<number, Float64Array>,
    ) {
        this.poses = kinematics(robot);
    }

    /// With other columns in place of some of the coordinates' own.
    static async load(
        robot: Robot,
        columns: Columns,
        replaced: ReadonlyMap<number, number> = new Map(),
    ): Promise<Motion> {
        const indices = [...robot.baseColumns, ...robot.joints.flatMap((joint) => joint.columns)];
        const values = await columns.loadAll(indices.map((index) => replaced.get(index) ?? index));
        const q = new Map(indices.map((index, i) => [index, values[i]]));
        for (const four of quaternionColumns(robot)) {
            const parts = followSigns(four.map((index) => q.get(index) as Float64Array));
            four.forEach((index, i) => q.set(index, parts[i]));
        }
        return new Motion(robot, q);
    }

    at(moment: Moment): Matrix4[] {
        return this.poses((column) => valueAt(this.q.get(column) as Float64Array, moment));
    }
}
