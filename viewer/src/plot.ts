// SPDX-License-Identifier: Apache-2.0
//
// A plot: lines over time by uPlot, with the time cursor and the limits behind them.

import uPlot from "uplot";
import { decimate, visibleRows } from "./decimate";
import { numberText } from "./format";
import type { Theme } from "./theme";
import type { Timeline } from "./timeline";
import { handleTimePointer } from "./time_pointer";

export interface Line {
    label: string;
    unit: string;
    color: number; // index into the palette's series
    values: Float64Array;
    faint?: boolean;
}

/// What lies outside is shaded.
export interface Limits {
    lower: number | null;
    upper: number | null;
}

export interface PlotContent {
    lines: Line[];
    band?: [Float64Array, Float64Array]; // filled between them
    limits?: Limits;
}

export const gutter = 62; // px left of the plots, for the numbers of the axis
export const rightMargin = 10;
const plotHeight = 168;

/// The pixels over which a plot in this element spreads its time.
export const plotWidth = (host: HTMLElement): number =>
    Math.max(50, host.clientWidth - gutter - rightMargin);

const font = "11px system-ui, sans-serif";

/// The range of y: the data and the limits, with a little room; one value alone is centred.
function yRange(low: number | null, high: number | null, limits?: Limits): [number, number] {
    const known = [low, high, limits?.lower, limits?.upper].filter(
        (value): value is number => typeof value === "number" && Number.isFinite(value),
    );
    if (known.length === 0) return [-1, 1];
    const least = Math.min(...known);
    const greatest = Math.max(...known);
    const flat = greatest - least < 1e-9 * Math.max(Math.abs(least), Math.abs(greatest), 1e-6);
    const room = flat ? Math.max(1e-3, 0.1 * Math.abs(least)) : 0.06 * (greatest - least);
    return [least - room, greatest + room];
}

export class Plot {
    private plot: uPlot;
    private readonly cursor = document.createElement("div");
    private readonly columns: Float64Array[];

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
        handleTimePointer(plot.over, this.timeline);
        this.plot = plot;
        this.showRange();
        return plot;
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
                y: { range: (_, low, high) => yRange(low, high, limits) },
            },
            axes: [this.axis(26), this.axis(gutter)],
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

    private axis(size: number): uPlot.Axis {
        const grid = () => `${this.theme.palette.line}66`;
        return {
            size,
            font,
            stroke: () => this.theme.palette.dim,
            values: (_, splits) => splits.map((value) => numberText(value, 5)),
            grid: { stroke: grid, width: 1 },
            ticks: { stroke: grid, width: 1, size: 4 },
        };
    }

    private lineSeries(): uPlot.Series[] {
        return this.content.lines.map((line) => ({
            label: line.label,
            stroke: () => this.theme.palette.series[line.color] + (line.faint ? "90" : ""),
            width: line.faint ? 1 : 1.75,
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
