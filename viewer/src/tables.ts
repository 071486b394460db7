// SPDX-License-Identifier: Apache-2.0
//
// Tables of the recording: sorted by a press on a column's head, charts below; those of many rows
// that have charts are folded up below these.

import { makeChart } from "./chart";
import { chartsOf } from "./curves";
import { button, element } from "./dom";
import { numberText, unitText } from "./format";
import { makeMaps } from "./map";
import type { RecordedTable } from "./report";
import type { Theme } from "./theme";

const mostCells = 4000; // shown at first
const mostColumns = 200;
const mostOpenRows = 40; // of a table with charts

const labelColumn = -1;

interface Order {
    column: number;
    sign: 1 | -1;
}

const collator = new Intl.Collator("en", { numeric: true });

function compareNumbers(a: number | null, b: number | null, sign: number): number {
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * (a - b);
}

/// The rows in this order; what is absent comes last, what is equal stays as it is.
function sortedRows(table: RecordedTable, order: Order | null): number[] {
    const rows = table.rows.map((_, i) => i);
    if (!order) return rows;
    const { column, sign } = order;
    const { labels } = table;
    if (column === labelColumn) {
        return rows.sort((a, b) => sign * collator.compare(labels?.[a] ?? "", labels?.[b] ?? ""));
    }
    return rows.sort((a, b) => compareNumbers(table.rows[a][column], table.rows[b][column], sign));
}

/// Ascending, descending, as recorded.
function nextOrder(order: Order | null, column: number): Order | null {
    if (order?.column !== column) return { column, sign: 1 };
    return order.sign === 1 ? { column, sign: -1 } : null;
}

class TableView {
    readonly root = element("div", { class: "table" });
    private readonly heads = new Map<number, HTMLElement>();
    private readonly body = element("tbody");
    private readonly more = button("", "Show all rows", () => this.showAll());
    private order: Order | null = null;
    private shown: number;

    constructor(private readonly table: RecordedTable) {
        this.shown = Math.max(20, Math.floor(mostCells / table.columns.length));
        const scroll = element("div", { class: "scroll" });
        scroll.append(element("table", {}, element("thead", {}, this.makeHead()), this.body));
        this.root.append(scroll, this.more);
        const hidden = table.columns.length - this.columns.length;
        if (hidden > 0) {
            const note = `and ${hidden} more columns, not shown`;
            this.root.append(element("p", { class: "note" }, note));
        }
        this.show();
    }

    private get columns() {
        return this.table.columns.slice(0, mostColumns);
    }

    private makeHead(): HTMLElement {
        const heads = this.columns.map(({ name, unit }, i) => this.headOf(i, name, unit));
        const label = this.table.labels ? [this.headOf(labelColumn, "", "-")] : [];
        return element("tr", {}, ...label, ...heads);
    }

    private headOf(column: number, name: string, unit: string): HTMLElement {
        const press = button(name, `Sort by ${name || "label"}`, () => this.sort(column));
        if (unitText(unit) !== "") press.append(element("small", {}, ` [${unit}]`));
        const kind = column === labelColumn ? "label" : "number";
        const head = element("th", { scope: "col", class: kind, "aria-sort": "none" }, press);
        this.heads.set(column, head);
        return head;
    }

    private sort(column: number): void {
        this.order = nextOrder(this.order, column);
        const word = this.order?.sign === -1 ? "descending" : "ascending";
        for (const [one, head] of this.heads) {
            head.setAttribute("aria-sort", one === this.order?.column ? word : "none");
        }
        this.show();
    }

    private showAll(): void {
        this.shown = this.table.rows.length;
        this.show();
    }

    private show(): void {
        const rows = sortedRows(this.table, this.order).slice(0, this.shown);
        this.body.replaceChildren(...rows.map((row) => this.rowOf(row)));
        const total = this.table.rows.length;
        this.more.hidden = total <= this.shown;
        this.more.textContent = `show all ${total} rows`;
    }

    private rowOf(row: number): HTMLElement {
        const { labels, rows } = this.table;
        const label = labels ? [element("th", { scope: "row", class: "label" }, labels[row])] : [];
        const cells = rows[row]
            .slice(0, mostColumns)
            .map((value) => element("td", { class: "number" }, numberText(value)));
        return element("tr", {}, ...label, ...cells);
    }
}

function fold(table: RecordedTable, view: HTMLElement): HTMLElement {
    return element("details", {}, element("summary", {}, `${table.rows.length} rows`), view);
}

function makeTable(table: RecordedTable, theme: Theme): HTMLElement {
    const title = table.title === "" ? [] : [element("p", { class: "note" }, table.title)];
    const charts = table.plot?.isMap
        ? makeMaps(table, table.plot)
        : chartsOf(table).map((chart) => makeChart(chart, theme));
    const view = new TableView(table).root;
    const isLong = charts.length > 0 && table.rows.length > mostOpenRows;
    return element(
        "section",
        {},
        element("h2", {}, table.name.replaceAll("_", " ")),
        ...title,
        ...(isLong ? [...charts, fold(table, view)] : [view, ...charts]),
    );
}

/// All tables from top to bottom.
export function makeTables(tables: readonly RecordedTable[], theme: Theme): HTMLElement[] {
    return tables.map((table) => makeTable(table, theme));
}
