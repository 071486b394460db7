// SPDX-License-Identifier: Apache-2.0
//
// States over time: a bar for each of several things, in the colours of its states, which stand in
// it by name where there is room.

import { gutter, plotWidth, rightMargin } from "./axis";
import { element, sharpContext } from "./dom";
import type { TimeDrawing } from "./panel";
import type { Palette, Theme } from "./theme";
import { Hover } from "./hover";
import { handleTimePointer } from "./time_pointer";
import type { Timeline } from "./timeline";

const barStep = 3; // between bars
const titleHeight = 17;

/// What the numbers of a column mean.
export interface States<Name extends string> {
    nameOf: (value: number) => Name;
    colorOf: (name: Name, palette: Palette) => string;
    barHeight: number;
    named: boolean; // names stand in the bars
}

/// A bar, below a title where it is the first of its kind.
export interface BarRow {
    title?: string;
    label: string;
    values: Float64Array;
}

interface Run<Name> {
    from: number;
    to: number;
    state: Name;
}

interface Bar<Name> {
    label: string;
    top: number;
    runs: Array<Run<Name>>;
}

/// The times between changes of state.
function runsOf<Name>(
    t: Float64Array,
    values: Float64Array,
    nameOf: (value: number) => Name,
): Array<Run<Name>> {
    const runs: Array<Run<Name>> = [];
    for (let i = 0; i < t.length; ++i) {
        const state = nameOf(values[i]);
        const last = runs[runs.length - 1];
        if (last) last.to = t[i];
        if (!last || last.state !== state) runs.push({ from: t[i], to: t[i], state });
    }
    return runs;
}

export class Bars<Name extends string> implements TimeDrawing {
    private readonly canvas = element("canvas");
    private readonly cursor = element("div", { class: "cursor" });
    private readonly over = element("div", { class: "over" });
    private readonly titles: Array<{ text: string; top: number }> = [];
    private readonly bars: Array<Bar<Name>> = [];
    private readonly height: number;
    private readonly hover: Hover;

    constructor(
        private readonly host: HTMLElement,
        rows: readonly BarRow[],
        private readonly states: States<Name>,
        private readonly timeline: Timeline,
        private readonly theme: Theme,
    ) {
        this.height = this.layOut(rows);
        this.over.append(this.cursor);
        host.append(this.canvas, this.over);
        handleTimePointer(this.over, timeline);
        this.hover = new Hover(this.over, timeline, []);
        this.showRange();
    }

    showRange(): void {
        const width = this.host.clientWidth;
        this.canvas.style.height = `${this.height}px`;
        this.host.style.height = `${this.height}px`;
        this.over.style.left = `${gutter}px`;
        this.over.style.right = `${rightMargin}px`;
        const context = sharpContext(this.canvas, width, this.height);
        this.drawLabels(context);
        context.textAlign = "center";
        for (const bar of this.bars) this.drawBar(context, bar, plotWidth(this.host));
        this.showTime();
    }

    showTime(): void {
        const left = this.timeline.fractionInView() * plotWidth(this.host);
        this.cursor.style.transform = `translateX(${left}px)`;
    }

    showHover(): void {
        this.hover.show();
    }

    remake(): void {
        this.showRange();
    }

    destroy(): void {
        this.host.replaceChildren();
    }

    /// Places the bars under their titles; yields the whole height.
    private layOut(rows: readonly BarRow[]): number {
        let top = 0;
        for (const { title, label, values } of rows) {
            if (title !== undefined) {
                this.titles.push({ text: title, top });
                top += titleHeight;
            }
            const runs = runsOf(this.timeline.t, values, this.states.nameOf);
            this.bars.push({ label, top, runs });
            top += this.states.barHeight + barStep;
        }
        return top + 2;
    }

    private drawLabels(context: CanvasRenderingContext2D): void {
        context.font = "11px system-ui, sans-serif";
        context.textBaseline = "middle";
        context.fillStyle = this.theme.palette.text;
        for (const { text, top } of this.titles) {
            context.fillText(text, gutter, top + titleHeight / 2 + 1);
        }
        context.fillStyle = this.theme.palette.dim;
        context.textAlign = "right";
        for (const { label, top } of this.bars) {
            context.fillText(label, gutter - 8, top + this.states.barHeight / 2 + 1);
        }
    }

    private drawBar(context: CanvasRenderingContext2D, bar: Bar<Name>, width: number): void {
        const { from, to } = this.timeline;
        const place = (time: number): number =>
            gutter + Math.min(1, Math.max(0, (time - from) / (to - from || 1))) * width;
        for (const run of bar.runs) {
            if (run.to < from || run.from > to) continue;
            this.drawRun(context, bar.top, run.state, place(run.from), place(run.to));
        }
    }

    private drawRun(
        context: CanvasRenderingContext2D,
        top: number,
        state: Name,
        left: number,
        right: number,
    ): void {
        const { barHeight, colorOf, named } = this.states;
        context.fillStyle = colorOf(state, this.theme.palette);
        context.fillRect(left, top, Math.max(1, right - left), barHeight);
        if (named && right - left > context.measureText(state).width + 6) {
            context.fillStyle = this.theme.palette.text;
            context.fillText(state, (left + right) / 2, top + barHeight / 2 + 1);
        }
    }
}
