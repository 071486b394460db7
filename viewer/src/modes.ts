// SPDX-License-Identifier: Apache-2.0
//
// The time line of contact modes: a bar for each contact, below the name of its site.

import { BarRow, Bars, States } from "./bars";
import type { Columns } from "./columns";
import { ModeName, modeOf, siteOf } from "./contacts";
import { Panel } from "./panel";
import type { Contact, Report } from "./report";
import type { Theme } from "./theme";
import type { Timeline } from "./timeline";

/// Absent values count as open.
const modes: States<ModeName> = {
    nameOf: modeOf,
    colorOf: (mode, palette) => palette.modes[mode] + (mode === "open" ? "50" : ""),
    barHeight: 10,
    named: false,
};

function rowsOf(contacts: readonly Contact[], values: readonly Float64Array[]): BarRow[] {
    return contacts.map((contact, i) => {
        const site = siteOf(contact);
        const isFirst = i === 0 || siteOf(contacts[i - 1]) !== site;
        const label = contact.name.slice(site.length + 1);
        return { title: isFirst ? site : undefined, label, values: values[i] };
    });
}

export class ModePanel extends Panel {
    constructor(report: Report, columns: Columns, timeline: Timeline, theme: Theme) {
        super("Contact modes", timeline, theme);
        this.body.classList.add("modes");
        this.setFill(async () => {
            const { contacts } = report;
            const values = await columns.loadAll(contacts.map((contact) => contact.mode));
            const rows = rowsOf(contacts, values);
            this.setDrawing(new Bars(this.body, rows, modes, timeline, theme));
        });
    }
}
