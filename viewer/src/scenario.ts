// SPDX-License-Identifier: Apache-2.0
//
// The scenario that made the recording, to copy.

import { button, element } from "./dom";

/// Copies by the clipboard, or where the browser has none for files, by a selection.
async function copyText(text: string, holder: HTMLElement): Promise<void> {
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        window.getSelection()?.selectAllChildren(holder);
        document.execCommand("copy");
    }
}

export function makeScenario(text: string | null): HTMLElement[] {
    if (text === null) {
        return [element("p", { class: "note" }, "This recording was not made from a scenario.")];
    }
    const holder = element("pre", {}, text);
    const copy = button("Copy", "Copy the scenario", () => {
        void copyText(text, holder).then(() => {
            copy.textContent = "Copied";
            window.setTimeout(() => (copy.textContent = "Copy"), 1500);
        });
    });
    return [element("div", { class: "controls" }, copy), holder];
}
