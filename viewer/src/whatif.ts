// SPDX-License-Identifier: Apache-2.0
//
// What if: sliders for target, surface, hand and servos; the blow is estimated anew at once, by the
// same code as the command's, beside the recorded one.

import * as THREE from "three";
import uPlot from "uplot";
import { axisOf, gutter, plotHeight, rightMargin } from "./axis";
import { button, element } from "./dom";
import { numberText } from "./format";
import { Puppet } from "./puppet";
import type { Report } from "./report";
import { posesOf } from "./robot";
import type { Scene } from "./scene";
import type { Theme } from "./theme";
import { hasEngine, WhatIfAnswer, WhatIfCase, WhatIfEngine } from "./whatif_engine";
import { HandPanel, mapPlaces } from "./whatif_hand";
import { FirstTouch, whatIfInput } from "./whatif_input";

const steps = 400; // of a slider
const wide = 10; // times and parts of the recorded value that a slider reaches

interface Slider {
    key: keyof WhatIfCase;
    title: string;
    unit: string;
}

const sliders: Slider[] = [
    { key: "speed", title: "Speed of the hand", unit: "m/s" },
    { key: "mass", title: "Mass of the target", unit: "kg" },
    { key: "stiffness", title: "Stiffness of the surface", unit: "N/m" },
    { key: "damping", title: "Damping of the surface", unit: "N s/m" },
    { key: "gain", title: "Stiffness of the servos", unit: "times" },
    { key: "servoDamping", title: "Damping of the servos", unit: "times" },
];

interface Headline {
    title: string;
    unit: string;
    of: (answer: WhatIfAnswer) => number;
}

const headlines: Headline[] = [
    { title: "Peak force", unit: "N", of: ({ peakForce }) => peakForce },
    { title: "Impulse", unit: "N s", of: ({ impulse }) => impulse },
    { title: "Time in contact", unit: "ms", of: ({ contactTime }) => 1e3 * contactTime },
    { title: "Virtual mass", unit: "kg", of: ({ virtualMass }) => virtualMass },
    { title: "Speed of the target", unit: "m/s", of: ({ targetSpeed }) => targetSpeed },
    { title: "Least ZMP margin", unit: "mm", of: ({ margin }) => 1e3 * margin },
];

function verdictOf({ margin, released }: WhatIfAnswer): string {
    const balance = Number.isNaN(margin)
        ? ""
        : margin >= 0
          ? "The robot stands."
          : "The robot begins to tip.";
    return released ? balance : `${balance} Hand and target still touch at the end.`.trim();
}

class Panel {
    readonly root = element("div", { class: "whatif-panel" });
    private readonly verdict = element("p", { class: "verdict", "aria-live": "polite" });
    private readonly cards = element("ul", { class: "cards" });
    private readonly host = element("div", { class: "plot" });
    private readonly inputs = new Map<keyof WhatIfCase, [HTMLInputElement, HTMLOutputElement]>();
    private readonly recorded: WhatIfAnswer;
    private readonly place = element("div", {}); // of the hand
    private hand: HandPanel | null = null;
    private answer: WhatIfAnswer | null = null;
    private trouble = "";
    private plot: uPlot | null = null;

    constructor(
        private readonly engine: WhatIfEngine,
        private readonly first: WhatIfCase,
        private readonly theme: Theme,
    ) {
        this.recorded = engine.run(first);
        const rows = sliders.filter(({ key }) => Number.isFinite(first[key]) && first[key] > 0);
        const reset = button("As recorded", "Set all sliders back", () => this.reset());
        this.root.append(
            this.verdict,
            this.cards,
            element("div", { class: "sliders" }, ...rows.map((row) => this.makeSlider(row)), reset),
            this.place,
            element("h2", {}, "Force on the target [N] over time [s]; dashed as recorded"),
            this.host,
        );
        new ResizeObserver(() => this.draw()).observe(this.host);
        theme.changed.listen(() => this.draw());
        this.show();
    }

    /// With a hand that can be put elsewhere.
    addHand(make: (blow: () => WhatIfAnswer | null) => HandPanel): HandPanel {
        const hand = make(() => this.blow());
        hand.changed.listen(() => this.show());
        this.place.append(hand.root);
        this.hand = hand;
        return hand;
    }

    private blow(): WhatIfAnswer | null {
        try {
            return this.engine.run(this.now);
        } catch (error) {
            this.trouble = (error as Error).message;
            return null;
        }
    }

    /// What the sliders say.
    get now(): WhatIfCase {
        const now = { ...this.first };
        for (const [key, [input]] of this.inputs) {
            const factor = wide ** (Number(input.value) / steps);
            now[key] = Number(input.value) === 0 ? this.first[key] : this.first[key] * factor;
        }
        return now;
    }

    private reset(): void {
        for (const [input] of this.inputs.values()) input.value = "0";
        this.hand?.moveTo([0, 0, 0]);
        this.change();
    }

    private makeSlider({ key, title, unit }: Slider): HTMLElement {
        const input = element("input", {
            type: "range",
            min: String(-steps),
            max: String(steps),
            step: "1",
            value: "0",
            "aria-label": title,
        });
        const output = element("output", {});
        this.inputs.set(key, [input, output]);
        input.addEventListener("input", () => this.change());
        return element("label", {}, element("span", {}, title), input, output, element("small", {}, unit));
    }

    private show(): void {
        const now = this.now;
        for (const [key, [input, output]] of this.inputs) {
            output.textContent = numberText(now[key], 4);
            input.setAttribute("aria-valuetext", output.textContent);
        }
        this.answer = this.blow();
        if (this.answer) {
            const answer = this.answer;
            this.verdict.textContent = verdictOf(answer);
            this.cards.replaceChildren(...headlines.map((headline) => this.card(headline, answer)));
        } else {
            this.verdict.textContent = `There is no such blow: ${this.trouble}`;
        }
        this.draw();
    }

    private change(): void {
        this.show();
        this.hand?.remap();
    }

    private card({ title, unit, of }: Headline, answer: WhatIfAnswer): HTMLElement {
        const state = title === "Least ZMP margin" ? (of(answer) >= 0 ? " pass" : " fail") : "";
        return element(
            "li",
            { class: `card${Number.isNaN(of(answer)) ? "" : state}` },
            element("h3", {}, title),
            element("p", {}, element("b", {}, numberText(of(answer), 4)), element("small", {}, unit)),
            element("small", { class: "below" }, `recorded: ${numberText(of(this.recorded), 4)}`),
        );
    }

    private draw(): void {
        const width = this.host.clientWidth;
        this.plot?.destroy();
        this.plot = null;
        if (width === 0) return;
        const color = (i: number) => (): string => this.theme.palette.series[i];
        this.plot = new uPlot(
            {
                width: Math.max(100, width),
                height: plotHeight + 30,
                legend: { show: false },
                cursor: { show: false },
                padding: [6, rightMargin, 0, 0],
                scales: { x: { time: false } },
                axes: [axisOf(this.theme, 26), axisOf(this.theme, gutter)],
                series: [
                    {},
                    { label: "now", stroke: color(0), width: 2, points: { show: false } },
                    { label: "recorded", stroke: color(1), width: 1.5, dash: [5, 3], points: { show: false } },
                ],
            },
            this.data(),
            this.host,
        );
    }

    private data(): uPlot.AlignedData {
        const now = this.answer?.samples ?? [];
        const before = this.recorded.samples;
        const longer = now.length > before.length ? now : before;
        const forces = (samples: WhatIfAnswer["samples"]) =>
            longer.map((_, i) => samples[i]?.force ?? null);
        return [longer.map(({ t }) => t), forces(now), forces(before)];
    }
}

const tableName = "first_touch";

/// Whether there is a blow to change.
export function hasWhatIf({ robot, summary }: Report): boolean {
    const known = summary.tables.some(({ name }) => name === tableName);
    return hasEngine() && known && robot !== null && robot.loops === 0;
}

export interface WhatIf {
    content: HTMLElement[];
    engine: Promise<WhatIfEngine>;
    first: WhatIfCase;
    show: (on: boolean) => void;
}

/// Where the hand is at first touch; null where several strike at once.
function makeHand(report: Report, touch: FirstTouch, theme: Theme, scene: Scene | null) {
    const { robot } = report;
    const [link] = touch.all("hand");
    if (!robot || touch.all("hand").length !== 1) return null;
    const point = new THREE.Vector3().fromArray(touch.all("hand_point"));
    const direction = new THREE.Vector3().fromArray(touch.all("direction"));
    return (engine: WhatIfEngine) => {
        const hand = point.clone().applyMatrix4(posesOf(robot, engine.posture)[link]);
        const puppet = scene && new Puppet(scene, robot, mapPlaces);
        return (blow: () => WhatIfAnswer | null) =>
            new HandPanel(engine, hand, direction, puppet, theme, blow);
    };
}

export function makeWhatIf(report: Report, theme: Theme, scene: Scene | null): WhatIf {
    const table = report.summary.tables.find(({ name }) => name === tableName);
    if (!report.robot || !table) throw new Error("there is no blow in this recording");
    const touch = new FirstTouch(table);
    const mass = touch.one("target");
    const first: WhatIfCase = {
        speed: NaN,
        mass: Number.isNaN(mass) ? Infinity : mass,
        stiffness: touch.one("spring"),
        damping: touch.one("spring", 1),
        gain: 1,
        servoDamping: 1,
    };
    const host = element("div", {});
    const engine = WhatIfEngine.load(whatIfInput(report.robot, touch), touch.all("q").length);
    const makeOf = makeHand(report, touch, theme, scene);
    let hand: HandPanel | null = null;
    let isShown = false;
    engine.then(
        (loaded) => {
            const speed = loaded.run(first).speed;
            const panel = new Panel(loaded, { ...first, speed }, theme);
            hand = makeOf && panel.addHand(makeOf(loaded));
            hand?.show(isShown);
            host.replaceChildren(panel.root);
        },
        (error) => host.replaceChildren(element("p", { class: "note" }, String(error))),
    );
    const show = (on: boolean): void => {
        isShown = on;
        hand?.show(on);
    };
    return { content: [host], engine, first, show };
}
