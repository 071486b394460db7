// SPDX-License-Identifier: Apache-2.0
//
// The time line of a gait: what each foot does on the floor, and which one supports.

import { Bars, States } from "./bars";
import type { Columns } from "./columns";
import { element } from "./dom";
import { momentAt } from "./moment";
import { Panel } from "./panel";
import type { Report } from "./report";
import type { Palette, Theme } from "./theme";
import type { Timeline } from "./timeline";

/// By their numbers in the recording.
const footStates = [
    "air",
    "heel stick",
    "heel slip",
    "toe stick",
    "toe slip",
    "sole stick",
    "sole slip",
] as const;
type FootState = (typeof footStates)[number];

const feet = ["left", "right"] as const; // by the numbers of the supporting foot

/// 16 bits hold the number only nearly; what is absent is in the air.
const stateOf = (number: number): FootState => footStates[Math.round(number)] ?? "air";

function colorOf(state: FootState, { modes, series }: Palette): string {
    const colors: Record<FootState, string> = {
        air: modes.open + "50",
        "heel stick": series[0] + "a0",
        "heel slip": series[4] + "a0",
        "toe stick": series[3] + "a0",
        "toe slip": series[6] + "a0",
        "sole stick": modes.stick + "a0",
        "sole slip": modes.slip,
    };
    return colors[state];
}

const states: States<FootState> = { nameOf: stateOf, colorOf, barHeight: 18, named: true };

/// The columns of the supporting foot, of the left and of the right one; none without a gait.
export function gaitColumns(report: Report): number[] {
    const names = ["gait.support", "gait.left", "gait.right"];
    const found = names.map((name) =>
        report.summary.columns.findIndex((column) => column.name === name),
    );
    return found.includes(-1) ? [] : found;
}

export class GaitPanel extends Panel {
    private readonly now = feet.map(() => document.createTextNode(""));
    private values: Float64Array[] = [];

    constructor(report: Report, columns: Columns, timeline: Timeline, theme: Theme) {
        super("Gait states", timeline, theme);
        this.body.classList.add("modes");
        this.controls.append(...this.now.map((now) => element("span", { class: "note" }, now)));
        this.setFill(async () => {
            this.values = await columns.loadAll(gaitColumns(report));
            const rows = feet.map((foot, i) => ({
                title: `${foot} foot`,
                label: "",
                values: this.values[i + 1],
            }));
            this.setLegend();
            this.setDrawing(new Bars(this.body, rows, states, timeline, theme));
        });
        theme.changed.listen(() => this.values.length > 0 && this.setLegend());
    }

    protected override showTime(): void {
        super.showTime();
        if (this.values.length === 0) return;
        const { row } = momentAt(this.timeline.t, this.timeline.time);
        const support = Math.round(this.values[0][row]);
        this.now.forEach((node, foot) => {
            const supports = foot === support ? ", supports" : "";
            node.data = `${feet[foot]}: ${stateOf(this.values[foot + 1][row])}${supports}`;
        });
    }

    /// What the colours mean, of those that occur.
    private setLegend(): void {
        const seen = new Set(this.values.slice(1).flatMap((one) => [...new Set(one)].map(stateOf)));
        const keys = footStates.filter((state) => seen.has(state)).map((state) => this.key(state));
        this.legend.replaceChildren(...keys);
    }

    private key(state: FootState): HTMLElement {
        const swatch = element("i", { class: "swatch" });
        swatch.style.setProperty("--color", colorOf(state, this.theme.palette));
        return element("span", { class: "key" }, swatch, element("b", {}, state));
    }
}
