// SPDX-License-Identifier: Apache-2.0
//
// The keyboard, and the list of what its keys do.

import { button, element } from "./dom";

export interface Key {
    keys: string[]; // as of KeyboardEvent.key; letters in lower case
    name: string; // as the list shows it
    text: string;
    press: (event: KeyboardEvent) => void;
}

const typesText = (target: EventTarget | null): boolean =>
    target instanceof HTMLInputElement || target instanceof HTMLSelectElement;

/// Keys that an element with the focus needs for itself.
const pressesButton = (event: KeyboardEvent): boolean =>
    event.target instanceof HTMLButtonElement && (event.key === "Enter" || event.key === " ");

export function listenToKeys(keys: readonly Key[]): void {
    window.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (typesText(event.target) || pressesButton(event)) return;
        const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
        const found = keys.find((key) => key.keys.includes(pressed));
        if (!found) return;
        event.preventDefault();
        found.press(event);
    });
}

/// The list of keys, as a dialog to open.
export function makeHelp(keys: readonly Key[]): HTMLDialogElement {
    const rows = keys.map(({ name, text }) =>
        element("tr", {}, element("td", {}, element("kbd", {}, name)), element("td", {}, text)),
    );
    const pointer = [
        ["drag", "in the view: orbit; right button or two fingers: pan; wheel: zoom"],
        ["press", "on the robot: pick a link"],
        ["drag", "in plots and the time bar: scrub; with shift: zoom into the range or box"],
        ["pinch", "or ctrl and wheel in plots: zoom time, with shift values; double click: show all"],
    ].map(([name, text]) => element("tr", {}, element("td", {}, name), element("td", {}, text)));
    const dialog = element("dialog", { "aria-label": "Keys" });
    dialog.append(
        element("h2", {}, "Keys"),
        element("table", {}, element("tbody", {}, ...rows, ...pointer)),
        button("Close", "Close", () => dialog.close()),
    );
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    return dialog;
}
