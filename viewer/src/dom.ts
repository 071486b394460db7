// SPDX-License-Identifier: Apache-2.0
//
// Making elements. Texts of robots and scenarios enter the page here alone, and only as text.

type Attributes = Record<string, string>;

export function element<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes: Attributes = {},
    ...children: Array<Node | string>
): HTMLElementTagNameMap[K] {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
}

export function button(text: string, title: string, press: () => void): HTMLButtonElement {
    const made = element("button", { type: "button", title, "aria-label": title }, text);
    made.addEventListener("click", press);
    return made;
}

/// A button that is on or off.
export function toggle(text: string, title: string, on: boolean, change: (on: boolean) => void) {
    const made = button(text, title, () => {
        const next = made.getAttribute("aria-pressed") !== "true";
        made.setAttribute("aria-pressed", String(next));
        change(next);
    });
    made.setAttribute("aria-pressed", String(on));
    return made;
}

/// Buttons of which exactly one is on.
export function choice<T extends string>(
    label: string,
    options: readonly T[],
    first: T,
    change: (option: T) => void,
): HTMLElement {
    const group = element("span", { class: "choice", role: "group", "aria-label": label });
    const buttons = options.map((option) => {
        const made = button(option, `${label}: ${option}`, () => {
            for (const other of buttons) other.setAttribute("aria-pressed", String(other === made));
            change(option);
        });
        made.setAttribute("aria-pressed", String(option === first));
        return made;
    });
    group.append(...buttons);
    return group;
}

/// The element of the page's own frame.
export function byId(id: string): HTMLElement {
    const found = document.getElementById(id);
    if (!found) throw new Error(`the page has no element '${id}'`);
    return found;
}

/// A canvas' context with its bitmap as sharp as the screen; drawing is in CSS pixels.
export function sharpContext(canvas: HTMLCanvasElement, width: number, height: number) {
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const context = canvas.getContext("2d");
    if (!context) throw new Error("the browser has no 2D canvas");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    return context;
}
