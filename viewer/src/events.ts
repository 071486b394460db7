// SPDX-License-Identifier: Apache-2.0
//
// The list of events with a filter of their kinds and texts; a click jumps to one.

import { element, toggle } from "./dom";
import { numberText, timeText, unitText } from "./format";
import type { RecordedEvent } from "./report";
import type { Timeline } from "./timeline";

const mostShown = 2000;

const valueText = (event: RecordedEvent): string =>
    event.values
        .map(({ name, value, unit }) => `${name} ${numberText(value, 4)} ${unitText(unit)}`.trim())
        .join(", ");

function eventRow(event: RecordedEvent, timeline: Timeline): HTMLElement {
    const row = element(
        "button",
        { type: "button", class: "event", title: event.text },
        element("time", {}, timeText(event.t)),
        element("b", {}, event.kind),
        element("span", {}, event.what),
        element("small", {}, valueText(event)),
    );
    row.addEventListener("click", () => {
        timeline.setPlaying(false);
        timeline.seek(event.t);
    });
    return row;
}

const fits = (event: RecordedEvent, wanted: string): boolean =>
    `${event.kind} ${event.what} ${event.text}`.toLowerCase().includes(wanted);

export function makeEvents(timeline: Timeline): HTMLElement[] {
    const { filter } = timeline;
    if (filter.all.length === 0) return [element("p", { class: "note" }, "Nothing happened.")];
    const list = element("div", { class: "event-list" });
    const search = element("input", {
        type: "search",
        placeholder: "search",
        "aria-label": "Search the events",
    });
    const show = (): void => {
        const wanted = search.value.trim().toLowerCase();
        const shown = filter.shown.filter((event) => fits(event, wanted));
        const rows = shown.slice(0, mostShown).map((event) => eventRow(event, timeline));
        const left = shown.length - mostShown;
        const note = `${left} more events are not listed; jump to them with N.`;
        list.replaceChildren(...rows, ...(left > 0 ? [element("p", { class: "note" }, note)] : []));
    };
    const kinds = [...filter.kinds].map(([kind, count]) =>
        toggle(`${kind} ${count}`, `Show ${kind}`, true, (on) => filter.show(kind, on)),
    );
    search.addEventListener("input", show);
    filter.changed.listen(show);
    show();
    const chips = element(
        "div",
        { class: "filters", role: "group", "aria-label": "Kinds of events" },
        ...kinds,
        search,
    );
    return [chips, list];
}
