// SPDX-License-Identifier: Apache-2.0
//
// The choice of joints that the plots show. One of them has the focus: its line is strong and its
// limits are shaded.

import { element } from "./dom";
import type { Joint } from "./report";
import { Signal } from "./signal";

const firstChoice = 4;
const mostChosen = 8;
const listId = "joint-names";

export class JointChoice {
    readonly root = element("section", { class: "joints", "aria-label": "Joints shown" });
    readonly changed = new Signal();
    chosen: Joint[];
    focus: Joint | null;
    private readonly input = element("input", {
        list: listId,
        placeholder: "search a joint",
        "aria-label": "Add a joint by its name",
    });
    private readonly names = element("datalist", { id: listId });

    /// At first those that matter most are chosen; the others are found by their names.
    constructor(
        readonly all: readonly Joint[],
        weightOf: (joint: Joint) => number,
    ) {
        const ranked = [...all].sort((a, b) => weightOf(b) - weightOf(a));
        this.chosen = ranked.slice(0, firstChoice);
        this.focus = this.chosen[0] ?? null;
        this.names.append(...all.map(({ name }) => element("option", { value: name })));
        this.input.addEventListener("change", () => {
            const found = all.find(({ name }) => name === this.input.value);
            if (!found) return;
            this.input.value = "";
            this.add(found);
        });
        this.show();
    }

    /// Shows a joint, with the focus.
    add(joint: Joint): void {
        this.chosen = [...this.chosen.filter((one) => one !== joint), joint].slice(-mostChosen);
        this.focus = joint;
        this.change();
    }

    private remove(joint: Joint): void {
        this.chosen = this.chosen.filter((one) => one !== joint);
        if (this.focus === joint) this.focus = this.chosen[0] ?? null;
        this.change();
    }

    private change(): void {
        this.show();
        this.changed.emit();
    }

    private show(): void {
        const chips = this.chosen.map((joint, i) => this.chip(joint, i));
        this.root.replaceChildren(element("h2", {}, "Joints"), ...chips, this.input, this.names);
    }

    private chip(joint: Joint, color: number): HTMLElement {
        const focused = joint === this.focus;
        const name = element(
            "button",
            {
                type: "button",
                "aria-pressed": String(focused),
                title: `Show the limits of ${joint.name}`,
            },
            element("i"),
            joint.name,
        );
        name.addEventListener("click", () => {
            this.focus = joint;
            this.change();
        });
        const away = element(
            "button",
            { type: "button", "aria-label": `Remove ${joint.name}` },
            "×",
        );
        away.addEventListener("click", () => this.remove(joint));
        return element("span", { class: `chip series-${color}` }, name, away);
    }
}
