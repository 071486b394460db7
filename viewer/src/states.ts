// SPDX-License-Identifier: Apache-2.0
//
// A panel of states over time: a bar for each column, the state of each now in words where there
// are few, and what the colours mean.

import { BarRow, Bars, States } from "./bars";
import { element } from "./dom";
import type { PlotSource } from "./lines";
import { momentAt } from "./moment";
import { Panel } from "./panel";
import type { Plot, PlotLine } from "./report";
import type { Palette } from "./theme";

const mostNamed = 4; // bars that are high enough for names

/// Colours of the palette's series for states that have none of their own, told apart side by side.
const order = [0, 4, 3, 6, 2, 1, 5, 7];

/// By its number, which 16 bits hold only nearly; what is absent is in the first state.
const stateOf = (states: readonly string[], number: number): string =>
    states[Math.round(number)] ?? states[0];

function colorOf(plot: Plot, state: string, { modes, series }: Palette): string {
    const index = plot.states.indexOf(state);
    if (plot.hasIdle && index === 0) return modes.open + "50";
    const mode = (modes as Record<string, string>)[state];
    return mode ?? series[order[(index - (plot.hasIdle ? 1 : 0)) % order.length]] + "a0";
}

/// "left_sole.2" is a bar below the title "left_sole".
function rowsOf(lines: readonly PlotLine[], values: readonly Float64Array[]): BarRow[] {
    const siteOf = (line: PlotLine): string => line.label.replace(/\.\d+$/, "");
    return lines.map((line, i) => {
        const site = siteOf(line);
        const isFirst = i === 0 || siteOf(lines[i - 1]) !== site;
        return {
            title: isFirst ? site : undefined,
            label: line.label.slice(site.length + 1),
            values: values[i],
        };
    });
}

export class StatesPanel extends Panel {
    private readonly now: Text[];
    private values: Float64Array[] = [];

    constructor(
        source: PlotSource,
        private readonly plot: Plot,
    ) {
        super(plot.title, source.timeline, source.theme);
        const named = plot.lines.length <= mostNamed;
        this.now = named ? plot.lines.map(() => document.createTextNode("")) : [];
        this.body.classList.add("modes");
        this.controls.append(...this.now.map((now) => element("span", { class: "note" }, now)));
        const states: States<string> = {
            nameOf: (number) => stateOf(plot.states, number),
            colorOf: (state, palette) => colorOf(plot, state, palette),
            barHeight: named ? 18 : 10,
            named,
        };
        this.setFill(async () => {
            this.values = await source.columns.loadAll(plot.lines.map(({ column }) => column));
            const rows = rowsOf(plot.lines, this.values);
            this.setLegend();
            this.setDrawing(new Bars(this.body, rows, states, source.timeline, source.theme));
        });
        source.theme.changed.listen(() => this.values.length > 0 && this.setLegend());
    }

    protected override showTime(): void {
        super.showTime();
        if (this.values.length === 0) return;
        const { row } = momentAt(this.timeline.t, this.timeline.time);
        this.now.forEach((node, i) => {
            const state = stateOf(this.plot.states, this.values[i][row]);
            node.data = `${this.plot.lines[i].label}: ${state}`;
        });
    }

    /// What the colours mean, of the states that occur.
    private setLegend(): void {
        const { states } = this.plot;
        const seen = new Set(
            this.values.flatMap((one) => [...new Set(one)].map((value) => stateOf(states, value))),
        );
        const keys = states.filter((state) => seen.has(state)).map((state) => this.key(state));
        this.legend.replaceChildren(...keys);
    }

    private key(state: string): HTMLElement {
        const swatch = element("i", { class: "swatch" });
        swatch.style.setProperty("--color", colorOf(this.plot, state, this.theme.palette));
        return element("span", { class: "key" }, swatch, element("b", {}, state));
    }
}
