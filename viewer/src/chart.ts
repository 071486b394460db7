// SPDX-License-Identifier: Apache-2.0
//
// A chart of a table: curves over any x, by uPlot, with a legend. It is drawn when it is first
// seen.

import uPlot from "uplot";
import { axisOf, gutter, plotHeight, rightMargin, yRange } from "./axis";
import type { Chart, Curve } from "./curves";
import { element } from "./dom";
import type { Theme } from "./theme";

const dashes = [[], [6, 4], [2, 3]];
const mostDots = 100; // points of a curve that are marked
const xAir = 0.03; // left and right of the curves, as a part of the range

/// 1, 2, 5, 10, ...: what the axis of rows counts by.
const rowSteps = [1, 10, 100, 1e3, 1e4, 1e5, 1e6].flatMap((step) => [step, 2 * step, 5 * step]);

type Cell = number | null | undefined; // null is a gap, undefined is nothing

/// The curves on one common x; points of a curve at the same x stand behind each other.
function aligned(curves: readonly Curve[]): uPlot.AlignedData {
    const points = curves
        .flatMap((curve, k) => curve.points.map(({ x, y }) => ({ x, y, k })))
        .sort((a, b) => a.x - b.x);
    const xs: number[] = [];
    const columns: Cell[][] = curves.map(() => []);
    for (const { x, y, k } of points) {
        const last = xs.length - 1;
        if (xs[last] !== x || columns[k][last] !== undefined) {
            xs.push(x);
            for (const column of columns) column.push(undefined);
        }
        columns[k][xs.length - 1] = y;
    }
    return [xs, ...columns];
}

function xRange(low: number | null, high: number | null): [number, number] {
    if (low === null || high === null) return [0, 1];
    const room = high > low ? xAir * (high - low) : Math.max(1e-3, 0.1 * Math.abs(low));
    return [low - room, high + room];
}

class ChartDrawing {
    private plot: uPlot | null = null;
    private width = 0;

    constructor(
        private readonly host: HTMLElement,
        private readonly chart: Chart,
        private readonly theme: Theme,
    ) {
        theme.changed.listen(() => this.make());
        new ResizeObserver(() => {
            if (host.clientWidth === this.width) return;
            this.width = host.clientWidth;
            this.make();
        }).observe(host);
    }

    private make(): void {
        if (this.width === 0) return;
        this.plot?.destroy();
        this.plot = new uPlot(this.options(), aligned(this.chart.curves), this.host);
    }

    private options(): uPlot.Options {
        return {
            width: Math.max(100, this.width),
            height: plotHeight + 40,
            legend: { show: false },
            cursor: { show: false },
            padding: [6, rightMargin, 0, 0],
            scales: {
                x: { time: false, range: (_, low, high) => xRange(low, high) },
                y: { range: (_, low, high) => yRange(low, high) },
            },
            axes: [this.xAxis(), axisOf(this.theme, gutter)],
            series: [{}, ...this.chart.curves.map((curve) => this.series(curve))],
        };
    }

    private xAxis(): uPlot.Axis {
        const { xName, xNumbers } = this.chart;
        const axis = { ...axisOf(this.theme, 26), label: xName, labelSize: 18, space: 70 };
        if (!xNumbers) return axis;
        const values: uPlot.Axis.Values = (_, splits) => splits.map(xNumbers);
        return { ...axis, incrs: rowSteps, values };
    }

    private series(curve: Curve): uPlot.Series {
        const color = (): string => this.theme.palette.series[curve.color];
        const { isPath } = this.chart;
        return {
            label: curve.label,
            stroke: color,
            width: 1.75,
            dash: dashes[curve.dash],
            ...(isPath ? { paths: () => null } : {}),
            points: {
                show: isPath || curve.points.length <= mostDots,
                size: isPath ? 3 : 5,
                fill: color,
            },
        };
    }
}

function legendOf({ curves, leftOut }: Chart): HTMLElement {
    const keys = curves.map(({ label, color, dash }) =>
        element(
            "span",
            { class: `key series-${color} dash-${dash}` },
            element("i"),
            element("b", {}, label),
        ),
    );
    const legend = element("div", { class: "legend" }, ...keys);
    if (leftOut > 0) {
        legend.append(element("span", { class: "note" }, `and ${leftOut} more, not drawn`));
    }
    return legend;
}

export function makeChart(chart: Chart, theme: Theme): HTMLElement {
    const host = element("div", { class: "plot" });
    new ChartDrawing(host, chart, theme);
    return element(
        "figure",
        { class: "chart" },
        element("figcaption", {}, chart.title),
        host,
        legendOf(chart),
    );
}
