// SPDX-License-Identifier: Apache-2.0
//
// The colours, light and dark. Those of series are told apart with any colour vision: in the eyes of
// people who lack red, green or blue receptors they differ by 18 or more of CIELAB.
//
// The page's own are in style.css; these are for what is drawn.

import type { ModeName } from "./contacts";
import { Signal } from "./signal";

export interface Palette {
    background: string; // of the 3D view
    floor: string;
    line: string; // of the floor's grid, of axes
    text: string;
    dim: string;
    accent: string;
    robot: string; // of parts without a colour
    surface: string;
    patch: string; // a slippery stretch of the floor
    target: string; // what is hit
    com: string;
    zmp: string;
    support: string;
    force: string;
    limit: string; // what lies beyond a limit
    series: string[];
    modes: Record<ModeName, string>;
}

const shared = {
    com: "#e0b020",
    zmp: "#e5484d",
    force: "#e5484d",
    patch: "#6cc4ee",
    target: "#c08a4a",
};

const light: Palette = {
    ...shared,
    background: "#eceff3",
    floor: "#e3e7ec",
    line: "#b9c1cc",
    text: "#1b2129",
    dim: "#667080",
    accent: "#1769d6",
    robot: "#9aa7b8",
    surface: "#c4ccd6",
    support: "#1769d6",
    limit: "rgba(229, 72, 77, 0.13)",
    series: [
        "#0072b2",
        "#e69f00",
        "#661100",
        "#56b4e9",
        "#332288",
        "#8a5a00",
        "#5f6b7a",
        "#222222",
    ],
    modes: {
        open: "#aab3c0",
        stick: "#1a9a7e",
        slip: "#e8702a",
        surface: "#8250df",
        soft: "#3d8fe0",
    },
};

const dark: Palette = {
    ...shared,
    background: "#12161b",
    floor: "#1a1f26",
    line: "#39424f",
    text: "#e6e9ee",
    dim: "#8b94a3",
    accent: "#58a6ff",
    robot: "#8593a6",
    surface: "#39424f",
    support: "#58a6ff",
    limit: "rgba(229, 72, 77, 0.20)",
    series: [
        "#56b4e9",
        "#ff8c4b",
        "#f0e442",
        "#7b8cff",
        "#9fdf9f",
        "#ffffff",
        "#b0b8c4",
        "#6f7785",
    ],
    modes: {
        open: "#596270",
        stick: "#25b894",
        slip: "#f0883e",
        surface: "#a371f7",
        soft: "#4fa3ff",
    },
};

/// Gives the style sheet the colours that it shares with the drawings.
function publish(palette: Palette): void {
    const { style } = document.documentElement;
    palette.series.forEach((color, i) => style.setProperty(`--series-${i}`, color));
    for (const [mode, color] of Object.entries(palette.modes)) {
        style.setProperty(`--mode-${mode}`, color);
    }
    for (const name of ["com", "zmp", "force", "support"] as const) {
        style.setProperty(`--${name}`, palette[name]);
    }
}

export class Theme {
    readonly changed = new Signal();
    private isDark: boolean;

    constructor() {
        const system = window.matchMedia("(prefers-color-scheme: dark)");
        this.isDark = system.matches;
        system.addEventListener("change", () => this.set(system.matches));
        this.set(this.isDark);
    }

    get palette(): Palette {
        return this.isDark ? dark : light;
    }

    toggle(): void {
        this.set(!this.isDark);
    }

    private set(isDark: boolean): void {
        this.isDark = isDark;
        document.documentElement.dataset.theme = isDark ? "dark" : "light";
        publish(this.palette);
        this.changed.emit();
    }
}
