// SPDX-License-Identifier: Apache-2.0
//
// The curves of a table's plot: rows with the same value in the column of the series make one, in
// the order of x. Rows without a value there, or without an x, are in none. A path, whose x goes
// back, is drawn as points.

import { numberText, unitText } from "./format";
import { colors } from "./lines";
import type { RecordedTable, TableColumn, TablePlot } from "./report";

export const mostCurves = 3 * colors; // in a chart; colours repeat, dashed

export interface Point {
    x: number;
    y: number | null;
}

export interface Curve {
    label: string;
    color: number; // index into the palette's series
    dash: number; // 0, 1, 2
    points: Point[];
}

/// Curves that share an axis: those of one unit.
export interface Chart {
    title: string;
    xName: string;
    xNumbers: ((row: number) => string) | null; // of whole numbers, where x counts the rows
    curves: Curve[];
    isPath: boolean;
    leftOut: number;
}

/// name [unit]
export const columnText = ({ name, unit }: TableColumn): string =>
    unitText(unit) === "" ? name : `${name} [${unit}]`;

/// The rows of each curve, by the value of the series in ascending order.
function rowsBySeries(table: RecordedTable, series: number | null): Map<number, number[]> {
    if (series === null) return new Map([[0, table.rows.map((_, i) => i)]]);
    const found = new Map<number, number[]>();
    table.rows.forEach((row, i) => {
        const value = row[series];
        if (value === null) return;
        const rows = found.get(value);
        if (rows) rows.push(i);
        else found.set(value, [i]);
    });
    return new Map([...found].sort(([a], [b]) => a - b));
}

function pointsOf(table: RecordedTable, rows: readonly number[], x: number | null, y: number) {
    const xOf = (row: number): number | null => (x === null ? row + 1 : table.rows[row][x]);
    return rows
        .map((row) => ({ x: xOf(row), y: table.rows[row][y] }))
        .filter((point): point is Point => point.x !== null)
        .sort((a, b) => a.x - b.x);
}

function labelOf({ columns }: RecordedTable, plot: TablePlot, y: number, value: number): string {
    if (plot.series === null) return columns[y].name;
    const { name, unit } = columns[plot.series];
    const series = `${name} = ${numberText(value, 6)} ${unitText(unit)}`.trimEnd();
    return plot.y.length > 1 ? `${columns[y].name}, ${series}` : series;
}

function chartOf(table: RecordedTable, plot: TablePlot, ys: readonly number[]): Chart {
    const groups = [...rowsBySeries(table, plot.series)];
    const drawn = ys
        .flatMap((y) => groups.map(([value, rows]) => ({ y, value, rows })))
        .slice(0, mostCurves);
    const { columns, labels } = table;
    return {
        title: ys.length === 1 ? columnText(columns[ys[0]]) : `[${columns[ys[0]].unit}]`,
        xName: plot.x === null ? (labels ? "" : "row") : columnText(columns[plot.x]),
        xNumbers: plot.x === null ? (row) => labels?.[row - 1] ?? String(row) : null,
        curves: drawn.map(({ y, value, rows }, i) => ({
            label: labelOf(table, plot, y, value),
            color: i % colors,
            dash: Math.floor(i / colors),
            points: pointsOf(table, rows, plot.x, y),
        })),
        isPath: plot.byRows,
        leftOut: ys.length * groups.length - drawn.length,
    };
}

/// A chart for each unit of the plot's y.
export function chartsOf(table: RecordedTable): Chart[] {
    const { plot, columns } = table;
    if (!plot) return [];
    const units = [...new Set(plot.y.map((y) => columns[y].unit))];
    return units.map((unit) =>
        chartOf(
            table,
            plot,
            plot.y.filter((y) => columns[y].unit === unit),
        ),
    );
}
