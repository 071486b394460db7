// SPDX-License-Identifier: Apache-2.0
//
// Columns of the recording as lines of a plot.

import type { Columns } from "./columns";
import type { Line } from "./plot";
import type { Column, Report } from "./report";
import type { Second } from "./second";
import type { Theme } from "./theme";
import type { Timeline } from "./timeline";

export const colors = 8; // in the palette's series

/// What all panels are made from.
export interface PlotSource {
    report: Report;
    columns: Columns;
    timeline: Timeline;
    theme: Theme;
    second: Second | null; // another recording beside this one
}

export async function linesOf(
    source: PlotSource,
    indices: readonly number[],
    label: (column: Column, i: number) => string = (column) => column.name,
): Promise<Line[]> {
    const values = await source.columns.loadAll(indices);
    return indices.map((index, i) => {
        const column = source.report.summary.columns[index];
        return { label: label(column, i), unit: column.unit, color: i % colors, values: values[i] };
    });
}
