// SPDX-License-Identifier: Apache-2.0
//
// Axes of plots by uPlot: their look and the range of y.

import type uPlot from "uplot";
import { numberText } from "./format";
import type { Theme } from "./theme";

export const gutter = 62; // px left of the plots, for the numbers of the axis
export const rightMargin = 10;
export const plotHeight = 168;

/// The pixels over which a plot in this element spreads its x.
export const plotWidth = (host: HTMLElement): number =>
    Math.max(50, host.clientWidth - gutter - rightMargin);

/// What lies outside is shaded.
export interface Limits {
    lower: number | null;
    upper: number | null;
}

const font = "11px system-ui, sans-serif";

/// The range of y: the data and the limits, with a little room; one value alone is centred.
export function yRange(
    low: number | null,
    high: number | null,
    limits?: Limits,
): [number, number] {
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

export function axisOf(theme: Theme, size: number): uPlot.Axis {
    const grid = () => `${theme.palette.line}66`;
    return {
        size,
        font,
        labelFont: font,
        stroke: () => theme.palette.dim,
        values: (_, splits) => splits.map((value) => numberText(value, 5)),
        grid: { stroke: grid, width: 1 },
        ticks: { stroke: grid, width: 1, size: 4 },
    };
}
