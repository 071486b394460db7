// SPDX-License-Identifier: Apache-2.0
//
// The link that was picked: name, mass, place, and what goes on in the joint that carries it.

import { button, element } from "./dom";
import { numberText, runningText, unitText } from "./format";
import type { Columns } from "./columns";
import { momentAt, valueAt } from "./moment";
import type { Joint, Report } from "./report";
import type { Scene } from "./scene";
import type { Timeline } from "./timeline";

interface Reading {
    title: string;
    unit: string;
    scale: number;
    columns: Float64Array[]; // of which the length is shown where there are several
    node: Text;
}

const degrees = 180 / Math.PI;

export class Inspector {
    readonly root = element("aside", { class: "inspector", "aria-live": "polite" });
    private readings: Reading[] = [];
    private link: number | null = null;

    constructor(
        private readonly report: Report,
        private readonly columns: Columns,
        private readonly timeline: Timeline,
        private readonly scene: Scene,
        private readonly showJoint: (joint: Joint) => void,
    ) {
        this.root.hidden = true;
        scene.picked.listen(() => void this.show(scene.pickedLink));
        timeline.moved.listen(() => this.showValues());
    }

    /// The next link, for those without a pointer.
    next(): void {
        const count = this.report.robot?.links.length ?? 0;
        if (count > 0) this.scene.pick(((this.link ?? -1) + 1) % count);
    }

    private async show(link: number | null): Promise<void> {
        this.link = link;
        this.root.hidden = link === null;
        const about = link === null ? undefined : this.report.robot?.links[link];
        if (!about || link === null) return;
        const joint = this.report.robot?.joints.find(({ child }) => child === link);
        this.readings = joint ? await this.readingsOf(joint) : [];
        const facts: Array<[string, Node | string, string]> = [
            ...(about.mass === null
                ? []
                : [["mass", numberText(about.mass, 4), "kg"] as [string, string, string]]),
            ...this.readings.map(({ title, node, unit }): [string, Node, string] => [
                title,
                node,
                unitText(unit),
            ]),
        ];
        const rows = facts.map(([name, value, unit]) =>
            element(
                "tr",
                {},
                element("th", { scope: "row" }, name),
                element("td", { class: "number" }, value),
                element("td", { class: "unit" }, unit),
            ),
        );
        const isOne = joint !== undefined && joint.columns.length === 1;
        this.root.replaceChildren(
            element("h3", {}, about.name),
            joint ? element("p", { class: "note" }, `joint ${joint.name}`) : "",
            element("table", {}, element("tbody", {}, ...rows)),
            ...(isOne && joint
                ? [button("Its plots", "Show this joint in the plots", () => this.showJoint(joint))]
                : []),
            button("×", "Close", () => this.scene.pick(null)),
        );
        this.showValues();
    }

    private async readingsOf(joint: Joint): Promise<Reading[]> {
        const wanted: Array<[string, string[], number]> = [
            ["position", [`q.${joint.name}`], degrees],
            ["velocity", [`v.${joint.name}`], degrees],
            ["torque", [`tau.${joint.name}`], 1],
            ["force in the joint", ["x", "y", "z"].map((k) => `wrench.${joint.name}.force_${k}`), 1],
            ["moment in the joint", ["x", "y", "z"].map((k) => `wrench.${joint.name}.moment_${k}`), 1],
        ];
        const all = this.report.summary.columns;
        const found = wanted.map(async ([title, names, scale]): Promise<Reading[]> => {
            const indices = names.map((name) => all.findIndex((column) => column.name === name));
            if (indices.some((index) => index < 0)) return [];
            const { unit } = all[indices[0]];
            const turns = unit === "rad" || unit === "rad/s";
            return [
                {
                    title,
                    unit: turns ? unit.replace("rad", "°") : unit,
                    scale: turns ? scale : 1,
                    columns: await this.columns.loadAll(indices),
                    node: document.createTextNode(""),
                },
            ];
        });
        return (await Promise.all(found)).flat();
    }

    private showValues(): void {
        if (this.root.hidden) return;
        const moment = momentAt(this.timeline.t, this.timeline.time);
        for (const { columns, scale, node } of this.readings) {
            const values = columns.map((column) => scale * valueAt(column, moment));
            node.data = runningText(values.length === 1 ? values[0] : Math.hypot(...values));
        }
    }
}
