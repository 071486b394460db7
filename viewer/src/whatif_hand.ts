// SPDX-License-Identifier: Apache-2.0
//
// What if the hand struck elsewhere: it is put to another place by sliders, or dragged in the view;
// inverse kinematics finds the posture, and the blow is that of this posture. The map shows, on the
// plane across the blow, where the hand reaches and what the blow gives there.

import * as THREE from "three";
import { button, element, toggle } from "./dom";
import { numberText } from "./format";
import type { Dot, Puppet } from "./puppet";
import { Signal } from "./signal";
import type { Theme } from "./theme";
import type { Reach, WhatIfAnswer, WhatIfEngine } from "./whatif_engine";

export const farthest = 40; // cm, of a slider
const mapSteps = 6; // places of the map to each side
const mapWidth = 0.4; // m, to each side
export const mapPlaces = (2 * mapSteps + 1) ** 2;
const frameTime = 10; // ms of the map in a frame

const axes = ["x", "y", "z"] as const;

const reachTexts: Record<Reach, string> = {
    "with its aim": "The hand reaches this place with its aim.",
    "without its aim": "The hand reaches this place, but not with its aim.",
    "out of reach": "The hand does not reach this place; this is the nearest posture.",
};

/// Two directions across the blow.
function across(direction: THREE.Vector3): [THREE.Vector3, THREE.Vector3] {
    const up = new THREE.Vector3(0, 0, 1);
    if (Math.abs(direction.z) > 0.9) up.set(1, 0, 0);
    const side = new THREE.Vector3().crossVectors(up, direction).normalize();
    return [side, new THREE.Vector3().crossVectors(direction, side).normalize()];
}

export class HandPanel {
    readonly root = element("div", { class: "hand" });
    readonly changed = new Signal();
    private readonly by = new THREE.Vector3(); // m, from the place of first touch
    private readonly inputs: Array<[HTMLInputElement, HTMLOutputElement]>;
    private readonly note = element("p", { class: "note", "aria-live": "polite" });
    private readonly legend = element("p", { class: "note", hidden: "" });
    private readonly mapButton: HTMLButtonElement;
    private isShown = false;
    private mapped: Array<{ at: THREE.Vector3; impulse: number }> = [];
    private waiting: THREE.Vector3[] = [];

    constructor(
        private readonly engine: WhatIfEngine,
        private readonly first: THREE.Vector3, // of the hand
        private readonly direction: THREE.Vector3,
        private readonly puppet: Puppet | null,
        private readonly theme: Theme,
        private readonly blow: () => WhatIfAnswer | null, // of the sliders, where the hand is
    ) {
        this.inputs = axes.map((axis, i) => this.makeInput(axis, i));
        const rows = this.inputs.map(([input, output], i) =>
            element(
                "label",
                {},
                element("span", {}, `Hand along ${axes[i]}`),
                input,
                output,
                element("small", {}, "cm"),
            ),
        );
        this.mapButton = toggle("Reach map", "Where the hand reaches, and the impulse there", false, () =>
            this.remap(),
        );
        const hint = puppet ? "Or drag the ball at the hand in the view." : "";
        this.root.append(
            element("h2", {}, "Strike elsewhere"),
            element("div", { class: "sliders" }, ...rows),
            element("p", {}, this.mapButton, " ", button("Back", "The hand where it was", () => this.moveTo([0, 0, 0]))),
            this.note,
            this.legend,
            element("p", { class: "note" }, hint),
        );
        puppet?.dragged.listen(() => this.moveTo(puppet.hand.clone().sub(first).toArray()));
        this.moveTo([0, 0, 0]);
    }

    /// Puts the hand elsewhere, by a vector in m.
    moveTo(by: readonly number[]): void {
        const most = farthest / 100;
        this.by.fromArray(by.map((value) => Math.min(most, Math.max(-most, value))));
        this.inputs.forEach(([input, output], i) => {
            input.value = (100 * this.by.getComponent(i)).toFixed(1);
            output.textContent = numberText(Number(input.value), 3);
            input.setAttribute("aria-valuetext", `${output.textContent} cm`);
        });
        this.note.textContent = reachTexts[this.engine.place(this.by.toArray())];
        this.draw();
        this.changed.emit();
    }

    /// While the panel is in sight, the robot in the view is the puppet.
    show(on: boolean): void {
        this.isShown = on;
        if (on) this.draw();
        else this.puppet?.hide();
    }

    /// The map anew, after other settings as well.
    remap(): void {
        const on = this.mapButton.getAttribute("aria-pressed") === "true";
        const [side, up] = across(this.direction);
        const depth = this.direction.clone().multiplyScalar(this.by.dot(this.direction));
        const steps = Array.from({ length: 2 * mapSteps + 1 }, (_, i) => (mapWidth * (i - mapSteps)) / mapSteps);
        const idle = this.waiting.length === 0;
        this.mapped = [];
        this.legend.hidden = !on;
        this.waiting = !on
            ? []
            : steps.flatMap((u) =>
                  steps.map((v) => depth.clone().addScaledVector(side, u).addScaledVector(up, v)),
              );
        this.puppet?.setDots([]);
        if (on && idle) requestAnimationFrame(() => this.mapMore());
    }

    private makeInput(axis: string, index: number): [HTMLInputElement, HTMLOutputElement] {
        const input = element("input", {
            type: "range",
            min: String(-farthest),
            max: String(farthest),
            step: "0.1",
            "aria-label": `Hand along ${axis}`,
        });
        input.addEventListener("input", () => {
            const by = this.by.toArray();
            by[index] = Number(input.value) / 100;
            this.moveTo(by);
        });
        return [input, element("output", {})];
    }

    private draw(): void {
        if (!this.isShown) return;
        const hand = this.first.clone().add(this.by);
        this.puppet?.show(this.engine.posture, hand, this.by, this.theme.palette.accent);
    }

    /// As many places as a frame has time for; the hand then is again where it was put.
    private mapMore(): void {
        const end = performance.now() + frameTime;
        while (this.waiting.length > 0 && performance.now() < end) {
            const at = this.waiting.pop() as THREE.Vector3;
            if (this.engine.place(at.toArray()) === "out of reach") continue;
            const answer = this.blow();
            if (answer) this.mapped.push({ at, impulse: answer.impulse });
        }
        this.engine.place(this.by.toArray());
        this.drawMap();
        if (this.waiting.length > 0) requestAnimationFrame(() => this.mapMore());
    }

    private drawMap(): void {
        const impulses = this.mapped.map(({ impulse }) => impulse);
        const [least, most] = [Math.min(...impulses), Math.max(...impulses)];
        const dots = this.mapped.map(({ at, impulse }): Dot => ({
            at: this.first.clone().add(at),
            level: most > least ? (impulse - least) / (most - least) : 1,
        }));
        this.puppet?.setDots(dots);
        this.legend.textContent =
            `The hand reaches ${dots.length} of ${mapPlaces} places on the plane across the blow. Impulse there: ` +
            `${numberText(least, 3)} N s (dark) to ${numberText(most, 3)} N s (bright).`;
    }
}
