// SPDX-License-Identifier: Apache-2.0
//
// The list of events; a click jumps to one.

import { element } from "./dom";
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

export function makeEvents(timeline: Timeline): HTMLElement[] {
    const { events } = timeline;
    if (events.length === 0) return [element("p", { class: "note" }, "Nothing happened.")];
    const rows = events.slice(0, mostShown).map((event) => eventRow(event, timeline));
    const left = events.length - mostShown;
    const note = `${left} more events are not listed; jump to them with N.`;
    return left > 0 ? [...rows, element("p", { class: "note" }, note)] : rows;
}
