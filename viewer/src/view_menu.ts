// SPDX-License-Identifier: Apache-2.0
//
// What the 3D view shows: switches, the length of force arrows, trails, and the colours' meaning.

import { ModeName, modeNames } from "./contacts";
import { button, element, toggle } from "./dom";
import type { Report } from "./report";
import type { Scene, Visibility } from "./scene";
import type { Theme } from "./theme";

export class ViewMenu {
    readonly root: HTMLElement;
    private readonly switches = new Map<keyof Visibility, HTMLButtonElement>();

    constructor(
        private readonly report: Report,
        private readonly scene: Scene,
        private readonly theme: Theme,
    ) {
        const items: HTMLElement[] = [];
        if (report.contacts.length > 0) {
            items.push(this.makeSwitch("contacts", "Contacts", "Contact points (C)"));
            items.push(this.makeSwitch("forces", "Forces", "Contact forces (V)"));
        }
        if (report.com) items.push(this.makeSwitch("com", "CoM", "Centre of mass (M)"));
        if (report.zmp) items.push(this.makeSwitch("zmp", "ZMP", "ZMP and support polygon (Z)"));
        if (scene.canFollow) {
            items.push(this.makeSwitch("follow", "Follow", "Follow the robot (F)"));
        }
        items.push(
            ...this.makeTrails(),
            button("Reset", "Reset the camera (R)", () => scene.resetCamera()),
        );
        this.root = element("div", { class: "view-menu" }, ...items);
    }

    press(name: keyof Visibility): void {
        this.switches.get(name)?.click();
    }

    private makeSwitch(name: keyof Visibility, text: string, title: string): HTMLElement {
        const made = toggle(text, title, this.scene.visible[name], (on) => {
            this.scene.visible[name] = on;
            this.scene.refresh();
        });
        this.switches.set(name, made);
        return made;
    }

    /// A list of links with a switch for each one's trail, and the length of the arrows.
    private makeTrails(): HTMLElement[] {
        const { trails } = this.scene;
        if (!trails || !this.report.robot) return [];
        const boxes = this.report.robot.links.map(({ name }, link) => {
            const box = element("input", { type: "checkbox" });
            box.addEventListener("change", () => {
                trails.set(link, box.checked, this.theme.palette);
                this.scene.refresh();
            });
            return element("label", {}, box, name);
        });
        const list = element(
            "div",
            { class: "menu" },
            ...this.makeArrowLength(),
            element("h4", {}, "Trails of"),
            ...boxes,
        );
        return [
            element(
                "details",
                {},
                element("summary", { title: "Trails and arrows" }, "More"),
                list,
            ),
        ];
    }

    private makeArrowLength(): HTMLElement[] {
        if (this.report.contacts.length === 0) return [];
        const slider = element("input", {
            type: "range",
            min: "-2",
            max: "2",
            step: "0.05",
            value: "0",
            "aria-label": "Length of force arrows",
        });
        slider.addEventListener("input", () => {
            this.scene.forceFactor = 10 ** Number(slider.value);
            this.scene.refresh();
        });
        return [element("h4", {}, "Length of arrows"), slider];
    }
}

/// What the colours of the modes mean.
export function makeModeLegend(modes: ReadonlySet<ModeName>): HTMLElement {
    const keys = modeNames
        .filter((mode) => modes.has(mode))
        .map((mode) => element("span", { class: `mode-${mode}` }, element("i"), mode));
    return element("div", { class: "mode-legend", "aria-label": "Contact modes" }, ...keys);
}
