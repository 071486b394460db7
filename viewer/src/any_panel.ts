// SPDX-License-Identifier: Apache-2.0
//
// A panel for any columns of the recording, found by name.

import { button, element } from "./dom";
import { linesOf, PlotSource } from "./lines";
import { PlotPanel } from "./panel";

const mostLines = 8;
const listId = "column-names";

export class AnyPanel extends PlotPanel {
    private chosen: number[] = [];
    private readonly input = element("input", {
        list: listId,
        placeholder: "name of a column",
        "aria-label": "Add a column by its name",
    });

    constructor(private readonly source: PlotSource) {
        super("Any column", source.timeline, source.theme);
        const list = element("datalist", { id: listId });
        this.input.addEventListener("focus", () => list.replaceChildren(...this.names()));
        this.input.addEventListener("change", () => this.add(this.input.value));
        this.controls.append(
            list,
            this.input,
            button("clear", "Remove all lines", () => this.show([])),
        );
        this.show([]);
    }

    private names(): HTMLElement[] {
        return this.source.report.summary.columns.map(({ name }) =>
            element("option", { value: name }),
        );
    }

    private add(name: string): void {
        const index = this.source.report.summary.columns.findIndex(
            (column) => column.name === name,
        );
        if (index < 0) return;
        this.input.value = "";
        this.show([...this.chosen.filter((one) => one !== index), index].slice(-mostLines));
    }

    private show(chosen: number[]): void {
        this.chosen = chosen;
        const note = chosen.length === 0 ? "No column is chosen yet." : undefined;
        this.setFill(async () =>
            this.setContent({ lines: await linesOf(this.source, chosen) }, note),
        );
    }
}
