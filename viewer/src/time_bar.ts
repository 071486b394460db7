// SPDX-License-Identifier: Apache-2.0
//
// The bar at the bottom: play, step, jump, speed, and the whole time with its events to scrub in.

import { button, element, sharpContext } from "./dom";
import { speedText, timeText } from "./format";
import type { Theme } from "./theme";
import { handleTimePointer } from "./time_pointer";
import { speeds, Timeline } from "./timeline";

const trackHeight = 34;

/// The whole recording from left to right: events as ticks, what plots show as a light field.
class Track {
    readonly root = element("div", {
        class: "track",
        role: "slider",
        tabindex: "0",
        "aria-label": "Time",
    });
    private readonly canvas = element("canvas");
    private readonly head = element("div", { class: "head" });

    constructor(
        private readonly timeline: Timeline,
        private readonly theme: Theme,
    ) {
        this.root.append(this.canvas, this.head);
        this.root.setAttribute("aria-valuemin", String(timeline.start));
        this.root.setAttribute("aria-valuemax", String(timeline.end));
        handleTimePointer(this.root, timeline, () => [timeline.start, timeline.end]);
        timeline.moved.listen(() => this.showTime());
        timeline.viewed.listen(() => this.draw());
        theme.changed.listen(() => this.draw());
        timeline.filter.changed.listen(() => this.draw());
        new ResizeObserver(() => this.draw()).observe(this.root);
    }

    private place(time: number): number {
        const { start, end } = this.timeline;
        return ((time - start) / (end - start || 1)) * this.root.clientWidth;
    }

    private showTime(): void {
        this.head.style.transform = `translateX(${this.place(this.timeline.time)}px)`;
        this.root.setAttribute("aria-valuenow", String(this.timeline.time));
        this.root.setAttribute("aria-valuetext", timeText(this.timeline.time));
    }

    private draw(): void {
        const { palette } = this.theme;
        const width = this.root.clientWidth;
        const context = sharpContext(this.canvas, width, trackHeight);
        context.fillStyle = `${palette.line}80`;
        context.fillRect(0, trackHeight / 2 - 2, width, 4);
        this.drawView(context);
        this.drawEvents(context);
        this.showTime();
    }

    private drawView(context: CanvasRenderingContext2D): void {
        const { from, to, start, end } = this.timeline;
        if (from <= start && to >= end) return;
        context.fillStyle = `${this.theme.palette.accent}30`;
        const left = this.place(from);
        context.fillRect(left, 5, Math.max(2, this.place(to) - left), trackHeight - 10);
    }

    private drawEvents(context: CanvasRenderingContext2D): void {
        const { modes, com, zmp } = this.theme.palette;
        const colors = new Map([
            ["touchdown", zmp],
            ["lift-off", com],
            ["slip", modes.slip],
            ["stick", modes.stick],
            ["rest", modes.soft],
            ["touch", zmp],
            ["release", com],
        ]);
        for (const event of this.timeline.events) {
            context.fillStyle = colors.get(event.kind) ?? modes.surface;
            context.fillRect(this.place(event.t) - 1, 6, 2, trackHeight - 12);
        }
    }
}

function speedSelect(timeline: Timeline): HTMLSelectElement {
    const options = speeds.map((speed) =>
        element("option", { value: String(speed) }, `${speedText(speed)} ×`),
    );
    const select = element("select", { title: "Speed", "aria-label": "Speed" }, ...options);
    select.addEventListener("change", () => timeline.setSpeed(Number(select.value)));
    const show = (): void => void (select.value = String(timeline.speed));
    timeline.changed.listen(show);
    show();
    return select;
}

function playButton(timeline: Timeline): HTMLButtonElement {
    const made = button("", "Play (space)", () => timeline.setPlaying(!timeline.playing));
    made.id = "play";
    const show = (): void => {
        made.textContent = timeline.playing ? "❚❚" : "▶";
        made.title = timeline.playing ? "Pause (space)" : "Play (space)";
        made.setAttribute("aria-label", made.title);
    };
    timeline.changed.listen(show);
    show();
    return made;
}

/// The event that happened last, while it is near.
function eventCaption(timeline: Timeline): HTMLElement {
    const made = element("span", { class: "caption", "aria-live": "polite" });
    timeline.moved.listen(() => {
        const near = 0.02 * (timeline.end - timeline.start);
        const past = timeline.events.filter(
            ({ t }) => t <= timeline.time && t > timeline.time - near,
        );
        const last = past[past.length - 1];
        const others = last ? past.filter(({ t }) => t === last.t).length - 1 : 0;
        const text = last ? `${last.kind} ${last.what}` : "";
        made.textContent = others > 0 ? `${text} and ${others} more` : text;
    });
    return made;
}

export function makeTimeBar(timeline: Timeline, theme: Theme): HTMLElement[] {
    const clock = element("output", { id: "clock" });
    const show = (): void => void (clock.textContent = timeText(timeline.time));
    timeline.moved.listen(show);
    show();
    const jumpBack = button("⇤", "Event before (P)", () => timeline.jump(-1));
    const jumpAhead = button("⇥", "Next event (N)", () => timeline.jump(1));
    jumpAhead.id = "next-event";
    const enable = (): void => {
        for (const jump of [jumpBack, jumpAhead]) jump.disabled = timeline.events.length === 0;
    };
    timeline.filter.changed.listen(enable);
    enable();
    const buttons = element(
        "div",
        { class: "buttons" },
        jumpBack,
        button("‹", "One row back (←)", () => timeline.stepRows(-1)),
        playButton(timeline),
        button("›", "One row on (→)", () => timeline.stepRows(1)),
        jumpAhead,
        speedSelect(timeline),
        clock,
        eventCaption(timeline),
    );
    return [buttons, new Track(timeline, theme).root];
}
