// SPDX-License-Identifier: Apache-2.0
//
// A second body that is seen through: the other recording, or the posture that was commanded.

import type { Group } from "three";
import type { Columns } from "./columns";
import { Moment, momentAt } from "./moment";
import { Motion } from "./motion";
import { Body } from "./parts";
import type { Report } from "./report";
import type { Second } from "./second";
import type { Timeline } from "./timeline";

/// For each coordinate that was commanded or verified, its column.
function commandedColumns(report: Report): Map<number, number> {
    const joints = report.robot?.joints ?? [];
    const replaced = new Map<number, number>();
    const { columns } = report.summary;
    const indices = new Map(columns.map(({ name }, i) => [name, i]));
    for (const { lines } of report.plots) {
        for (const { column, label, isReference } of lines) {
            const joint = joints.find(({ name }) => isReference && name === label);
            const unit = joint && columns[joint.columns[0]]?.unit;
            if (joint?.columns.length === 1 && columns[column].unit === unit) {
                replaced.set(joint.columns[0], column);
            }
        }
    }
    columns.forEach(({ name }, i) => {
        if (!name.startsWith("q.")) return;
        const other = indices.get(`verified.${name}`);
        if (other !== undefined) replaced.set(i, other);
    });
    return replaced;
}

export class Ghost {
    private constructor(
        readonly name: string,
        private readonly body: Body,
        private readonly motion: Motion,
        private readonly times: Float64Array | null, // of its own, or those of the recording
    ) {}

    static async load(
        report: Report,
        columns: Columns,
        second: Second | null,
        color: string,
    ): Promise<Ghost | null> {
        const made = second
            ? await Ghost.ofSecond(second)
            : await Ghost.ofCommands(report, columns);
        made?.body.makeGhost(color);
        return made;
    }

    private static async ofSecond({ report, columns, t }: Second): Promise<Ghost | null> {
        if (!report.robot || t.length === 0) return null;
        const body = await Body.load(report.robot, report.meshes, "-b");
        return new Ghost("B", body, await Motion.load(report.robot, columns), t);
    }

    private static async ofCommands(report: Report, columns: Columns): Promise<Ghost | null> {
        const replaced = commandedColumns(report);
        if (!report.robot || replaced.size === 0) return null;
        const body = await Body.load(report.robot, report.meshes);
        const motion = await Motion.load(report.robot, columns, replaced);
        const isVerified = report.summary.columns.some(({ name }) => name.startsWith("verified.q."));
        return new Ghost(isVerified ? "Verified" : "Commanded", body, motion, null);
    }

    get group(): Group {
        return this.body.group;
    }

    show(timeline: Timeline, moment: Moment, on: boolean): void {
        const poses = this.motion.at(this.times ? momentAt(this.times, timeline.time) : moment);
        const isThere = poses.every((pose) => pose.elements.every(Number.isFinite));
        this.group.visible = on && isThere;
        if (isThere) this.body.setPoses(poses);
    }
}
