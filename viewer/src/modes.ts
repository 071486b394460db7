// SPDX-License-Identifier: Apache-2.0
//
// The time line of contact modes: a bar for each contact, in the colours of its modes, below the
// name of its site.

import { gutter, plotWidth, rightMargin } from "./axis";
import type { Columns } from "./columns";
import { ModeName, modeOf, siteOf } from "./contacts";
import { element, sharpContext } from "./dom";
import { Panel, TimeDrawing } from "./panel";
import type { Contact, Report } from "./report";
import type { Theme } from "./theme";
import { handleTimePointer } from "./time_pointer";
import type { Timeline } from "./timeline";

const barHeight = 10;
const barStep = 13;
const titleHeight = 17;

interface Run {
    from: number;
    to: number;
    mode: ModeName;
}

interface Bar {
    label: string;
    top: number;
    runs: Run[];
}

/// The times between changes of mode. Absent values count as open.
function runsOf(t: Float64Array, mode: Float64Array): Run[] {
    const runs: Run[] = [];
    for (let i = 0; i < t.length; ++i) {
        const name = modeOf(mode[i]);
        const last = runs[runs.length - 1];
        if (last) last.to = t[i];
        if (!last || last.mode !== name) runs.push({ from: t[i], to: t[i], mode: name });
    }
    return runs;
}

class ModeBars implements TimeDrawing {
    private readonly canvas = element("canvas");
    private readonly cursor = element("div", { class: "cursor" });
    private readonly over = element("div", { class: "over" });
    private readonly titles: Array<{ text: string; top: number }> = [];
    private readonly bars: Bar[] = [];
    private readonly height: number;

    constructor(
        private readonly host: HTMLElement,
        contacts: readonly Contact[],
        modes: readonly Float64Array[],
        private readonly timeline: Timeline,
        private readonly theme: Theme,
    ) {
        this.height = this.layOut(contacts, modes);
        this.over.append(this.cursor);
        host.append(this.canvas, this.over);
        handleTimePointer(this.over, timeline);
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
        for (const bar of this.bars) this.drawBar(context, bar, plotWidth(this.host));
        this.showTime();
    }

    showTime(): void {
        const left = this.timeline.fractionInView() * plotWidth(this.host);
        this.cursor.style.transform = `translateX(${left}px)`;
    }

    remake(): void {
        this.showRange();
    }

    destroy(): void {
        this.host.replaceChildren();
    }

    /// Places the bars under their sites' names; yields the whole height.
    private layOut(contacts: readonly Contact[], modes: readonly Float64Array[]): number {
        let top = 0;
        let site = "";
        contacts.forEach((contact, i) => {
            if (i === 0 || siteOf(contact) !== site) {
                site = siteOf(contact);
                this.titles.push({ text: site, top });
                top += titleHeight;
            }
            const label = contact.name.slice(site.length + 1);
            this.bars.push({ label, top, runs: runsOf(this.timeline.t, modes[i]) });
            top += barStep;
        });
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
            context.fillText(label, gutter - 8, top + barHeight / 2 + 1);
        }
    }

    private drawBar(context: CanvasRenderingContext2D, bar: Bar, width: number): void {
        const { from, to } = this.timeline;
        const place = (time: number): number =>
            gutter + Math.min(1, Math.max(0, (time - from) / (to - from || 1))) * width;
        for (const run of bar.runs) {
            if (run.to < from || run.from > to) continue;
            const left = place(run.from);
            const open = run.mode === "open";
            context.fillStyle = this.theme.palette.modes[run.mode] + (open ? "50" : "");
            context.fillRect(left, bar.top, Math.max(1, place(run.to) - left), barHeight);
        }
    }
}

export class ModePanel extends Panel {
    constructor(report: Report, columns: Columns, timeline: Timeline, theme: Theme) {
        super("Contact modes", timeline, theme);
        this.body.classList.add("modes");
        this.setFill(async () => {
            const modes = await columns.loadAll(report.contacts.map((contact) => contact.mode));
            this.setDrawing(new ModeBars(this.body, report.contacts, modes, timeline, theme));
        });
    }
}
