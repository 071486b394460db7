// SPDX-License-Identifier: Apache-2.0
//
// The moment under the pointer: a thin line in every plot, and the values there in the one that is
// pointed at.

import { element } from "./dom";
import { runningText, timeText, unitText } from "./format";
import { momentAt, valueAt } from "./moment";
import type { Timeline } from "./timeline";

export interface HoverValue {
    label: string;
    unit: string;
    color: number;
    values: Float64Array;
}

const tipWidth = 190; // px, about

export class Hover {
    private readonly line = element("div", { class: "hover-line" });
    private readonly tip = element("div", { class: "tip" });
    private isHere = false;

    constructor(
        private readonly over: HTMLElement,
        private readonly timeline: Timeline,
        private readonly values: readonly HoverValue[],
    ) {
        this.line.hidden = true;
        this.tip.hidden = true;
        over.append(this.line, this.tip);
        over.addEventListener("pointermove", (event) => this.move(event));
        over.addEventListener("pointerleave", () => {
            this.isHere = false;
            timeline.setHover(null);
        });
    }

    show(): void {
        const { hover, from, to } = this.timeline;
        this.line.hidden = hover === null;
        this.tip.hidden = hover === null || !this.isHere || this.values.length === 0;
        if (hover === null) return;
        const width = this.over.clientWidth;
        const left = ((hover - from) / (to - from || 1)) * width;
        this.line.style.transform = `translateX(${left}px)`;
        if (!this.tip.hidden) this.fill(hover, left, width);
    }

    private move(event: PointerEvent): void {
        if (event.pointerType === "touch" || event.buttons !== 0) return;
        const box = this.over.getBoundingClientRect();
        const { from, to } = this.timeline;
        this.isHere = true;
        this.timeline.setHover(from + ((event.clientX - box.left) / (box.width || 1)) * (to - from));
    }

    private fill(time: number, left: number, width: number): void {
        const moment = momentAt(this.timeline.t, time);
        const rows = this.values.map(({ label, unit, color, values }) =>
            element(
                "span",
                { class: `key series-${color}` },
                element("i"),
                element("b", {}, label),
                element("output", {}, runningText(valueAt(values, moment))),
                element("small", {}, unitText(unit)),
            ),
        );
        this.tip.replaceChildren(element("time", {}, timeText(time)), ...rows);
        const isRight = left + tipWidth > width;
        this.tip.style.left = isRight ? "" : `${left + 10}px`;
        this.tip.style.right = isRight ? `${width - left + 10}px` : "";
    }
}
