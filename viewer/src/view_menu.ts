// SPDX-License-Identifier: Apache-2.0
//
// What the 3D view shows: switches, the length of force arrows, trails, and the colours' meaning.

import { ModeName, modeNames } from "./contacts";
import { button, element, toggle } from "./dom";
import type { Report } from "./report";
import { Film, savePicture } from "./save";
import { CameraView, cameraViews, Scene, Visibility } from "./scene";
import type { Theme } from "./theme";
import type { Timeline } from "./timeline";

/// The whole page, or back.
export function toggleFullScreen(): void {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void document.documentElement.requestFullscreen().catch(() => {});
}

export class ViewMenu {
    readonly root: HTMLElement;
    readonly film: Film;
    private readonly filmButton = button("Film", "Keep a film, WebM (W)", () => this.film.press());
    private readonly switches = new Map<keyof Visibility, HTMLButtonElement>();

    constructor(
        private readonly report: Report,
        private readonly scene: Scene,
        private readonly theme: Theme,
        timeline: Timeline,
    ) {
        this.film = new Film(scene, timeline, (runs) => {
            this.filmButton.textContent = runs ? "End film" : "Film";
        });
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
        if (scene.ghost) {
            const { name } = scene.ghost;
            items.push(this.makeSwitch("ghost", `Ghost: ${name}`, `${name}, seen through (K)`));
        }
        items.push(
            ...this.makeMore(),
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

    /// Looks, pictures, and a list of links with a switch for each one's trail.
    private makeMore(): HTMLElement[] {
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
            element("h4", {}, "Show"),
            element("div", { class: "row" }, ...this.makeLooks()),
            element("h4", {}, "Look from"),
            element("div", { class: "row" }, ...this.makeViews()),
            element("h4", {}, "Keep"),
            element("div", { class: "row" }, ...this.makeKeeps()),
            ...this.makeArrowLength(),
            element("h4", {}, "Trails of"),
            ...boxes,
        );
        return [
            element(
                "details",
                {},
                element("summary", { title: "Looks, camera, pictures, trails" }, "More"),
                list,
            ),
        ];
    }

    private makeLooks(): HTMLElement[] {
        const shapes = this.scene.hasShapes
            ? [this.makeSwitch("shapes", "Shapes", "Shapes that touch (X)")]
            : [];
        return [this.makeSwitch("frames", "Frames", "Frames of the links (A)"), ...shapes];
    }

    private makeViews(): HTMLElement[] {
        const views = Object.keys(cameraViews) as CameraView[];
        return views.map((view) => button(view, `Look from ${view}`, () => this.scene.look(view)));
    }

    private makeKeeps(): HTMLElement[] {
        const picture = button("Picture", "Keep a picture, PNG (S)", () => savePicture(this.scene));
        const whole = button("Full screen", "Full screen (G)", () => toggleFullScreen());
        return Film.isPossible ? [picture, this.filmButton, whole] : [picture, whole];
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
