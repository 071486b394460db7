// SPDX-License-Identifier: Apache-2.0
//
// A panel: a title with controls, a plot and the values at the present time. It is filled when it
// first comes into sight; what is out of sight is neither decoded nor drawn.

import { element } from "./dom";
import { numberText, runningText, unitText } from "./format";
import { momentAt, valueAt } from "./moment";
import { Plot, PlotContent } from "./plot";
import type { Theme } from "./theme";
import type { Timeline } from "./timeline";

const readingPause = 100; // ms between values while time runs: faster ones cannot be read

/// Something below a panel's title that shows time.
export interface TimeDrawing {
    showRange(): void;
    showTime(): void;
    showHover(): void;
    remake(): void;
    destroy(): void;
}

export class Panel {
    readonly root: HTMLElement;
    readonly controls = element("div", { class: "controls" });
    readonly body = element("div", { class: "plot" });
    readonly legend = element("div", { class: "legend" });
    private readonly axis = element("span", { class: "axis" });
    private drawing: TimeDrawing | null = null;
    private fill: () => Promise<void> = async () => {};
    private inSight = false;
    private filled = false;
    private stale = false; // something changed out of sight
    private width = 0;

    constructor(
        protected readonly title: string,
        protected readonly timeline: Timeline,
        protected readonly theme: Theme,
    ) {
        const head = element("header", {}, element("h3", {}, title), this.axis, this.controls);
        this.root = element("section", { class: "panel" }, head, this.body, this.legend);
        timeline.moved.listen(() => this.inSight && this.showTime());
        timeline.changed.listen(() => this.inSight && this.showTime());
        timeline.hovered.listen(() => this.inSight && this.drawing?.showHover());
        timeline.viewed.listen(() => this.update(() => this.drawing?.showRange()));
        theme.changed.listen(() => this.update(() => this.drawing?.remake()));
        this.watch();
    }

    /// What y is, with its unit.
    setAxis(text: string): void {
        this.axis.textContent = text;
    }

    /// What fills the panel, now or when it comes into sight.
    setFill(fill: () => Promise<void>): void {
        this.fill = fill;
        this.filled = false;
        if (this.inSight) void this.fillNow();
    }

    protected setDrawing(drawing: TimeDrawing): void {
        this.drawing?.destroy();
        this.drawing = drawing;
        this.showTime();
    }

    protected showTime(): void {
        this.drawing?.showTime();
    }

    private async fillNow(): Promise<void> {
        this.filled = true;
        await this.fill();
    }

    private update(change: () => void): void {
        if (this.inSight) change();
        else this.stale = true;
    }

    private enter(): void {
        this.inSight = true;
        if (!this.filled) void this.fillNow();
        else if (this.stale) this.drawing?.remake();
        this.stale = false;
        this.showTime();
    }

    private watch(): void {
        // Out of sight and back within a frame are two entries: the last one counts.
        new IntersectionObserver(
            (entries) =>
                entries[entries.length - 1].isIntersecting ? this.enter() : (this.inSight = false),
            { rootMargin: "60px" },
        ).observe(this.root);
        new ResizeObserver(() => {
            const width = this.body.clientWidth;
            if (width === 0 || width === this.width) return;
            this.width = width;
            this.update(() => this.drawing?.remake());
        }).observe(this.body);
    }
}

/// A panel with a plot, below it each line's name and value at the present time.
export class PlotPanel extends Panel {
    private readonly values: Array<{ node: Text; series: Float64Array }> = [];
    private shownAt = -readingPause;

    setContent(content: PlotContent, note?: string): void {
        this.body.replaceChildren();
        this.describe(content);
        this.setLegend(content, note);
        this.setDrawing(new Plot(this.body, content, this.timeline, this.theme));
    }

    protected override showTime(): void {
        super.showTime();
        const now = performance.now();
        if (this.timeline.playing && now - this.shownAt < readingPause) return;
        this.shownAt = now;
        const moment = momentAt(this.timeline.t, this.timeline.time);
        for (const { node, series } of this.values) {
            node.data = runningText(valueAt(series, moment));
        }
    }

    /// What the plot shows, for those who do not see it.
    private describe({ lines }: PlotContent): void {
        const texts = lines.map(({ label, unit, values }) => {
            let low = Infinity;
            let high = -Infinity;
            for (const value of values) {
                if (value < low) low = value;
                if (value > high) high = value;
            }
            const range = high < low ? "absent" : `${numberText(low, 4)} to ${numberText(high, 4)}`;
            return `${label} ${range} ${unitText(unit)}`.trim();
        });
        this.body.setAttribute("role", "img");
        this.body.setAttribute("aria-label", `${this.title}: ${texts.join("; ")}`);
    }

    private setLegend(content: PlotContent, note?: string): void {
        this.values.length = 0;
        this.legend.replaceChildren();
        for (const line of content.lines) {
            const node = document.createTextNode("");
            this.values.push({ node, series: line.values });
            this.legend.append(
                element(
                    "span",
                    { class: `key series-${line.color}${line.dashed ? " dash-1" : ""}` },
                    element("i"),
                    element("b", {}, line.label),
                    element("output", {}, node),
                    element("small", {}, unitText(line.unit)),
                ),
            );
        }
        if (note) this.legend.append(element("span", { class: "note" }, note));
    }
}
