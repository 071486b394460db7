// SPDX-License-Identifier: Apache-2.0
//
// What a plot of so many pixels needs of a long column: in each bucket of rows the least and the
// greatest value, in the order in which they come. Peaks of a single row stay visible.

import { rowAt } from "./moment";

export type Sparse = Array<number | null>;

/// The rows [first, last] that a range of time shows, one more at each side.
export function visibleRows(t: Float64Array, from: number, to: number): [number, number] {
    return [Math.max(0, rowAt(t, from) - 1), Math.min(t.length - 1, rowAt(t, to) + 1)];
}

const present = (value: number): number | null => (Number.isNaN(value) ? null : value);

/// The extremes of the rows [first, end) as a pair; null where all are absent.
function extremes(values: Float64Array, first: number, end: number): Sparse {
    let low = -1;
    let high = -1;
    for (let i = first; i < end; ++i) {
        if (Number.isNaN(values[i])) continue;
        if (low < 0 || values[i] < values[low]) low = i;
        if (high < 0 || values[i] > values[high]) high = i;
    }
    if (low < 0) return [null, null];
    return low < high ? [values[low], values[high]] : [values[high], values[low]];
}

/// Time and values for a plot of `pixels` width; all columns share the buckets.
export function decimate(
    t: Float64Array,
    columns: readonly Float64Array[],
    [first, last]: [number, number],
    pixels: number,
): [number[], ...Sparse[]] {
    const rows = last - first + 1;
    if (rows <= 2 * pixels) {
        const slice = (values: Float64Array): Sparse =>
            Array.from(values.subarray(first, last + 1), present);
        return [Array.from(t.subarray(first, last + 1)), ...columns.map(slice)];
    }
    const edge = (k: number): number => first + Math.floor((k * rows) / pixels);
    const times: number[] = [];
    const sparse: Sparse[] = columns.map(() => []);
    for (let k = 0; k < pixels; ++k) {
        times.push(t[edge(k)], t[(edge(k) + edge(k + 1)) >> 1]);
        columns.forEach((values, i) => sparse[i].push(...extremes(values, edge(k), edge(k + 1))));
    }
    return [times, ...sparse];
}
