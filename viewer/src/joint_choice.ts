// SPDX-License-Identifier: Apache-2.0
//
// The choice of joints that the plots show. One of them has the focus: its line is strong and its
// limits are shaded.

import { element } from "./dom";
import type { Joint } from "./report";
import { Signal } from "./signal";

const firstChoice = 4;
const mostChosen = 8;

export class JointChoice {
    readonly root = element("section", { class: "joints", "aria-label": "Joints shown" });
    readonly changed = new Signal();
    chosen: Joint[];
    focus: Joint | null;
    private readonly select = element("select", { "aria-label": "Add a joint" });

    /// At first those that move most are chosen.
    constructor(
        readonly all: readonly Joint[],
        widthOf: (joint: Joint) => number,
    ) {
        const ranked = [...all].sort((a, b) => widthOf(b) - widthOf(a));
        this.chosen = ranked.slice(0, firstChoice);
        this.focus = this.chosen[0] ?? null;
        this.select.addEventListener("change", () => this.add(Number(this.select.value)));
        this.show();
    }

    private add(index: number): void {
        const joint = this.all[index];
        if (!joint) return;
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
        const options = this.all.map((joint, i) =>
            element("option", { value: String(i) }, joint.name),
        );
        this.select.replaceChildren(element("option", { value: "" }, "add joint …"), ...options);
        const chips = this.chosen.map((joint, i) => this.chip(joint, i));
        this.root.replaceChildren(element("h2", {}, "Joints"), ...chips, this.select);
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
