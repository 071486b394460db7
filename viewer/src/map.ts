// SPDX-License-Identifier: Apache-2.0
//
// Maps of a table: cells in the colour of a value over two columns, a picture for each value of a
// third. What is absent is an empty cell.

import { columnText } from "./curves";
import { element } from "./dom";
import { numberText, unitText } from "./format";
import type { RecordedTable, TablePlot } from "./report";

const side = 22; // px, of a cell
const left = 44; // px, for the numbers beside and below
const below = 30;
const above = 16;
const mostTiles = 40;
const scaleCells = 12; // of the legend

// Viridis: even to the eye, for any colour vision.
const stops = ["#440154", "#3b528b", "#21918c", "#5ec962", "#fde725"].map((color) =>
    [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16)),
);

type Row = ReadonlyArray<number | null>;

interface Range {
    least: number;
    largest: number;
}

export function colorAt(fraction: number): string {
    const at = Math.min(1, Math.max(0, fraction)) * (stops.length - 1);
    const i = Math.min(stops.length - 2, Math.floor(at));
    const mixed = stops[i].map((low, k) => Math.round(low + (at - i) * (stops[i + 1][k] - low)));
    return `rgb(${mixed.join(", ")})`;
}

const fractionOf = (value: number, { least, largest }: Range): number =>
    largest > least ? (value - least) / (largest - least) : 0.5;

const isNumber = (value: number | null): value is number => value !== null;

/// The values of a column, each once, ascending.
const valuesOf = (rows: readonly Row[], column: number): number[] =>
    [...new Set(rows.map((row) => row[column]).filter(isNumber))].sort((a, b) => a - b);

function svg(name: string, attributes: Record<string, string | number>, ...inside: Array<Node | string>) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
    made.append(...inside);
    return made;
}

const withUnit = (value: number | null, unit: string): string =>
    `${numberText(value, 4)} ${unitText(unit)}`.trimEnd();

class MapPicture {
    private readonly xs: number[];
    private readonly ys: number[];

    constructor(
        private readonly table: RecordedTable,
        private readonly x: number,
        private readonly y: number,
        private readonly value: number,
        private readonly range: Range,
    ) {
        this.xs = valuesOf(table.rows, x);
        this.ys = valuesOf(table.rows, y);
    }

    /// Of these rows.
    draw(rows: readonly Row[], title: string): SVGElement {
        const width = left + side * this.xs.length + 8;
        const height = above + side * this.ys.length + below;
        const cells = rows.map((row) => this.cell(row)).filter((cell) => cell !== null);
        return svg(
            "svg",
            { width, height, class: "map", role: "img", "aria-label": title || "map" },
            svg("text", { x: left, y: 11 }, title),
            ...cells,
            ...this.marks(),
        );
    }

    private placeOf(row: Row): [number, number] | null {
        const i = this.xs.indexOf(row[this.x] ?? NaN);
        const j = this.ys.indexOf(row[this.y] ?? NaN);
        if (i < 0 || j < 0) return null;
        return [left + side * i, above + side * (this.ys.length - 1 - j)];
    }

    private cell(row: Row): SVGElement | null {
        const place = this.placeOf(row);
        if (!place) return null;
        const value = row[this.value];
        const shown = value === null ? "none" : colorAt(fractionOf(value, this.range));
        const box = { x: place[0] + 1, y: place[1] + 1, width: side - 2, height: side - 2 };
        const kind = value === null ? "absent" : "cell";
        return svg("rect", { ...box, fill: shown, class: kind }, svg("title", {}, this.textOf(row)));
    }

    private textOf(row: Row): string {
        const of = (k: number): string =>
            `${this.table.columns[k].name} ${withUnit(row[k], this.table.columns[k].unit)}`;
        return `${of(this.x)}, ${of(this.y)}: ${of(this.value)}`;
    }

    /// The first and the last number of both axes, and their names.
    private marks(): SVGElement[] {
        const { columns } = this.table;
        const bottom = above + side * this.ys.length;
        const right = left + side * this.xs.length;
        const text = (x: number, y: number, anchor: string, words: string): SVGElement =>
            svg("text", { x, y, "text-anchor": anchor }, words);
        const marks = [
            text(left, bottom + 12, "start", numberText(this.xs[0], 3)),
            text((left + right) / 2, bottom + 26, "middle", columnText(columns[this.x])),
            text(left - 4, bottom - 6, "end", numberText(this.ys[0], 3)),
            text(left - 4, above - 4, "end", columnText(columns[this.y])),
        ];
        if (this.xs.length > 1) {
            marks.push(text(right, bottom + 12, "end", numberText(this.xs[this.xs.length - 1], 3)));
        }
        if (this.ys.length > 1) {
            marks.push(text(left - 4, above + 14, "end", numberText(this.ys[this.ys.length - 1], 3)));
        }
        return marks;
    }
}

function legendOf({ least, largest }: Range, unit: string): HTMLElement {
    const bar = svg("svg", { width: 10 * scaleCells, height: 10 });
    for (let i = 0; i < scaleCells; ++i) {
        const fill = colorAt(i / (scaleCells - 1));
        bar.append(svg("rect", { x: 10 * i, y: 0, width: 10, height: 10, fill }));
    }
    const legend = element("div", { class: "legend" }, withUnit(least, unit));
    legend.append(bar, withUnit(largest, unit));
    return legend;
}

function makeMap(table: RecordedTable, plot: TablePlot, value: number): HTMLElement | null {
    const numbers = table.rows.map((row) => row[value]).filter(isNumber);
    if (plot.x === null || plot.series === null || numbers.length === 0) return null;
    const range = {
        least: numbers.reduce((a, b) => Math.min(a, b)),
        largest: numbers.reduce((a, b) => Math.max(a, b)),
    };
    const { tile } = plot;
    const picture = new MapPicture(table, plot.x, plot.series, value, range);
    const tiles = tile === null ? [null] : valuesOf(table.rows, tile);
    const pictures = tiles.slice(0, mostTiles).map((at) => {
        const rows = at === null ? table.rows : table.rows.filter((row) => row[tile ?? 0] === at);
        const column = at === null || tiles.length === 1 ? null : table.columns[tile ?? 0];
        return picture.draw(rows, column ? `${column.name} = ${withUnit(at, column.unit)}` : "");
    });
    return element(
        "figure",
        { class: "chart" },
        element("figcaption", {}, columnText(table.columns[value])),
        element("div", { class: "maps" }, ...pictures),
        legendOf(range, table.columns[value].unit),
    );
}

/// A map for each y of the plot.
export function makeMaps(table: RecordedTable, plot: TablePlot): HTMLElement[] {
    return plot.y.map((y) => makeMap(table, plot, y)).filter((map) => map !== null);
}
