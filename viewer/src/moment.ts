// SPDX-License-Identifier: Apache-2.0
//
// A moment of a recording: between which rows a time lies. Of rows with one time, before and after
// a collision, the last counts.

export interface Moment {
    row: number;
    next: number;
    fraction: number; // of the way from row to next
}

/// The last row whose time is not after `time`; 0 where there is none.
export function rowAt(t: Float64Array, time: number): number {
    let low = 0;
    let high = t.length - 1;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (t[middle] <= time) low = middle;
        else high = middle - 1;
    }
    return low;
}

export function momentAt(t: Float64Array, time: number): Moment {
    const row = rowAt(t, time);
    const next = Math.min(row + 1, t.length - 1);
    const span = t[next] - t[row];
    const fraction = span > 0 ? Math.min(1, Math.max(0, (time - t[row]) / span)) : 0;
    return { row, next, fraction };
}

/// The value between the rows; where the next one is absent, that of the row.
export function valueAt(values: Float64Array, moment: Moment): number {
    const here = values[moment.row];
    const there = values[moment.next];
    return Number.isNaN(there) ? here : here + moment.fraction * (there - here);
}
