// SPDX-License-Identifier: Apache-2.0
//
// The pointer over something that shows time from left to right: dragging scrubs, with shift it
// chooses a range to zoom into; ctrl and the wheel (a pinch on a touchpad) zoom; a double click
// shows all. Where a plot says how, ranges of values are zoomed as well: by a range that is dragged in
// height too, and by ctrl, shift and the wheel.

import type { Timeline } from "./timeline";

const leastDrag = 5; // px; a shorter one is a click
const leastHeight = 24; // px; one that is less high is of time alone

/// What zooms the values of a plot; fractions of its height, from the top.
export interface ValueZoom {
    show(top: number, bottom: number): void;
    zoom(factor: number, about: number): void;
    showAll(): void;
}

export function handleTimePointer(
    target: HTMLElement,
    timeline: Timeline,
    range: () => [number, number] = () => [timeline.from, timeline.to],
    values: ValueZoom | null = null,
): void {
    const timeAt = (event: MouseEvent): number => {
        const box = target.getBoundingClientRect();
        const [from, to] = range();
        return from + ((event.clientX - box.left) / Math.max(1, box.width)) * (to - from);
    };
    target.style.touchAction = "pan-y";
    target.addEventListener("pointerdown", (down) => {
        if (down.button !== 0) return;
        target.setPointerCapture(down.pointerId);
        if (down.shiftKey) dragRange(target, timeline, down, timeAt, values);
        else dragTime(target, timeline, down, timeAt);
    });
    target.addEventListener("dblclick", () => {
        timeline.showAll();
        values?.showAll();
    });
    target.addEventListener(
        "wheel",
        (event) => {
            if (!event.ctrlKey) return;
            event.preventDefault();
            const box = target.getBoundingClientRect();
            const turned = event.deltaY || event.deltaX; // some turn the wheel with shift aside
            if (event.shiftKey && values) {
                values.zoom(Math.exp(0.01 * turned), (event.clientY - box.top) / box.height);
                return;
            }
            timeline.zoom(Math.exp(0.01 * event.deltaY), timeAt(event));
        },
        { passive: false },
    );
}

type TimeAt = (event: MouseEvent) => number;

/// Calls `move` until the pointer is released, then `end`.
function whileDown(
    target: HTMLElement,
    move: (event: PointerEvent) => void,
    end: (event: PointerEvent) => void,
): void {
    const stop = new AbortController();
    const { signal } = stop;
    target.addEventListener("pointermove", move, { signal });
    for (const kind of ["pointerup", "pointercancel"] as const) {
        target.addEventListener(
            kind,
            (event) => {
                stop.abort();
                end(event);
            },
            { signal },
        );
    }
}

function dragTime(target: HTMLElement, timeline: Timeline, down: PointerEvent, timeAt: TimeAt) {
    const resume = timeline.playing;
    timeline.setPlaying(false);
    timeline.seek(timeAt(down));
    whileDown(
        target,
        (event) => timeline.seek(timeAt(event)),
        () => resume && timeline.time < timeline.end && timeline.setPlaying(true),
    );
}

function dragRange(
    target: HTMLElement,
    timeline: Timeline,
    down: PointerEvent,
    timeAt: TimeAt,
    values: ValueZoom | null,
) {
    const box = target.getBoundingClientRect();
    const veil = document.createElement("div");
    veil.className = "veil";
    target.append(veil);
    const place = (event: PointerEvent): void => {
        const left = Math.min(down.clientX, event.clientX) - box.left;
        veil.style.left = `${left}px`;
        veil.style.width = `${Math.abs(event.clientX - down.clientX)}px`;
        const height = Math.abs(event.clientY - down.clientY);
        const isBox = values !== null && height >= leastHeight;
        veil.style.top = isBox ? `${Math.min(down.clientY, event.clientY) - box.top}px` : "";
        veil.style.bottom = isBox ? "auto" : "";
        veil.style.height = isBox ? `${height}px` : "";
    };
    whileDown(target, place, (up) => {
        veil.remove();
        if (Math.abs(up.clientX - down.clientX) < leastDrag) return;
        const [a, b] = [timeAt(down), timeAt(up)];
        timeline.show(Math.min(a, b), Math.max(a, b));
        if (values && Math.abs(up.clientY - down.clientY) >= leastHeight) {
            const [top, bottom] = [down.clientY, up.clientY].sort((p, q) => p - q);
            values.show((top - box.top) / box.height, (bottom - box.top) / box.height);
        }
    });
}
