// SPDX-License-Identifier: Apache-2.0
//
// A plot: lines over time by uPlot, with the time cursor and the limits behind them.

import uPlot from "uplot";
import { axisOf, gutter, Limits, plotHeight, plotWidth, rightMargin, yRange } from "./axis";
import { decimate, visibleRows } from "./decimate";
import type { Theme } from "./theme";
import type { Timeline } from "./timeline";
import { Hover } from "./hover";
import { handleTimePointer, ValueZoom } from "./time_pointer";

export interface Line {
    label: string;
    unit: string;
    color: number; // index into the palette's series
    values: Float64Array;
    faint?: boolean;
    dashed?: boolean; // what was commanded or planned, or another recording's
}

export interface PlotContent {
    lines: Line[];
    band?: [Float64Array, Float64Array]; // filled between them
    limits?: Limits;
}

export class Plot {
    private plot: uPlot;
    private readonly cursor = document.createElement("div");
    private readonly columns: Float64Array[];
    private range: [number, number] | null = null; // of the values, if somebody chose it
    private hover!: Hover;

    constructor(
        private readonly host: HTMLElement,
        private readonly content: PlotContent,
        private readonly timeline: Timeline,
        private readonly theme: Theme,
    ) {
        this.columns = [...content.lines.map((line) => line.values), ...(content.band ?? [])];
        this.cursor.className = "cursor";
        this.plot = this.make();
    }

    /// Shows the timeline's range.
    showRange(): void {
        const { from, to } = this.timeline;
        this.plot.setData(this.data(), false);
        this.plot.setScale("x", { min: from, max: Math.max(to, from + 1e-9) });
        this.showTime();
    }

    showTime(): void {
        const left = this.timeline.fractionInView() * plotWidth(this.host);
        this.cursor.style.transform = `translateX(${left}px)`;
    }

    showHover(): void {
        this.hover.show();
    }

    /// Takes the host's width and the theme's colours.
    remake(): void {
        this.plot.destroy();
        this.plot = this.make();
    }

    destroy(): void {
        this.plot.destroy();
    }

    private data(): uPlot.AlignedData {
        const { t, from, to } = this.timeline;
        return decimate(t, this.columns, visibleRows(t, from, to), plotWidth(this.host));
    }

    private make(): uPlot {
        const plot = new uPlot(this.options(), this.data(), this.host);
        plot.over.append(this.cursor);
        handleTimePointer(plot.over, this.timeline, undefined, this.valueZoom());
        this.hover = new Hover(plot.over, this.timeline, this.content.lines);
        this.plot = plot;
        this.showRange();
        return plot;
    }

    private setRange(range: [number, number] | null): void {
        this.range = range;
        this.remake();
    }

    private valueZoom(): ValueZoom {
        const at = (fraction: number): number => {
            const { min = 0, max = 1 } = this.plot.scales.y;
            return max - fraction * (max - min);
        };
        return {
            show: (top, bottom) => this.setRange([at(bottom), at(top)]),
            zoom: (factor, about) =>
                this.setRange([
                    at(about + (1 - about) * factor),
                    at(about - about * factor),
                ]),
            showAll: () => this.range && this.setRange(null),
        };
    }

    private options(): uPlot.Options {
        const { limits, band, lines } = this.content;
        return {
            width: Math.max(100, this.host.clientWidth),
            height: plotHeight,
            legend: { show: false },
            cursor: { show: false },
            padding: [6, rightMargin, 0, 0],
            scales: {
                x: { time: false },
                y: { range: (_, low, high) => this.range ?? yRange(low, high, limits) },
            },
            axes: [axisOf(this.theme, 26), axisOf(this.theme, gutter)],
            series: [{}, ...this.lineSeries(), ...(band ? this.bandSeries() : [])],
            bands: band && [
                {
                    series: [lines.length + 2, lines.length + 1],
                    fill: () => `${this.theme.palette.support}26`,
                },
            ],
            hooks: { drawClear: [(plot) => this.drawLimits(plot)] },
        };
    }

    private lineSeries(): uPlot.Series[] {
        return this.content.lines.map((line) => ({
            label: line.label,
            stroke: () => this.theme.palette.series[line.color] + (line.faint ? "90" : ""),
            width: line.faint ? 1 : 1.75,
            dash: line.dashed ? [5, 3] : undefined,
            points: { show: false },
            spanGaps: false,
        }));
    }

    private bandSeries(): uPlot.Series[] {
        const edge = { stroke: () => `${this.theme.palette.support}70`, points: { show: false } };
        return [
            { ...edge, width: 1 },
            { ...edge, width: 1 },
        ];
    }

    private drawLimits(plot: uPlot): void {
        const { limits } = this.content;
        const { left, top, width, height } = plot.bbox;
        const shade = (from: number, to: number): void => {
            const a = Math.max(top, Math.min(from, top + height));
            const b = Math.max(top, Math.min(to, top + height));
            plot.ctx.fillStyle = this.theme.palette.limit;
            plot.ctx.fillRect(left, a, width, b - a);
        };
        if (typeof limits?.upper === "number") shade(top, plot.valToPos(limits.upper, "y", true));
        if (typeof limits?.lower === "number") {
            shade(plot.valToPos(limits.lower, "y", true), top + height);
        }
    }
}
