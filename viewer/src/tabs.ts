// SPDX-License-Identifier: Apache-2.0
//
// Tabs: one of several pages at a time.

import { element } from "./dom";

export interface Tab {
    name: string;
    count?: number;
    content: HTMLElement[];
    show?: (on: boolean) => void; // called when it comes in sight or goes
}

export class Tabs {
    private readonly buttons: HTMLButtonElement[];
    private readonly pages: HTMLElement[];
    current = "";

    constructor(
        host: HTMLElement,
        private readonly tabs: readonly Tab[],
    ) {
        this.buttons = tabs.map((tab, i) => this.makeButton(tab, i));
        this.pages = tabs.map(({ name, content }) =>
            element("div", { class: `page ${name.toLowerCase().replaceAll(" ", "-")}`, role: "tabpanel" }, ...content),
        );
        host.append(element("nav", { role: "tablist" }, ...this.buttons), ...this.pages);
        this.show(0);
    }

    show(index: number): void {
        this.current = this.tabs[index]?.name ?? "";
        this.buttons.forEach((made, i) => made.setAttribute("aria-selected", String(i === index)));
        this.pages.forEach((page, i) => (page.hidden = i !== index));
        this.tabs.forEach(({ show }, i) => show?.(i === index));
    }

    showNamed(name: string): void {
        const index = this.tabs.findIndex((tab) => tab.name === name);
        if (index >= 0) this.show(index);
    }

    private makeButton({ name, count }: Tab, index: number): HTMLButtonElement {
        const made = element("button", { type: "button", role: "tab" }, name);
        if (count) made.append(element("small", {}, String(count)));
        made.addEventListener("click", () => this.show(index));
        return made;
    }
}
