// SPDX-License-Identifier: Apache-2.0
//
// Playback: the time that everything shows, how fast it runs, and the part of it that plots show.

import { EventFilter } from "./event_filter";
import { rowAt } from "./moment";
import type { RecordedEvent } from "./report";
import { Signal } from "./signal";

export const speeds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10] as const;

const shortMotion = 0.5; // s: what is shorter is played slowly
const slowPlay = 3; // s, that it then takes at least

/// With which a motion of so many seconds is first played.
function speedFor(duration: number): number {
    if (duration <= 0 || duration >= shortMotion) return 1;
    return [...speeds].reverse().find((speed) => duration / speed >= slowPlay) ?? speeds[0];
}

/// Events closer together than this, s, are one to jump to.
const sameTime = 1e-9;

export class Timeline {
    readonly moved = new Signal(); // the time
    readonly viewed = new Signal(); // the visible range
    readonly changed = new Signal(); // playing, speed
    readonly hovered = new Signal(); // the time under the pointer
    readonly filter: EventFilter;
    readonly start: number;
    readonly end: number;
    time: number;
    from: number;
    to: number;
    playing = false;
    speed: number;
    hover: number | null = null; // the time under the pointer

    constructor(
        readonly t: Float64Array,
        events: readonly RecordedEvent[],
    ) {
        this.filter = new EventFilter(events);
        this.start = t.length > 0 ? t[0] : 0;
        this.end = t.length > 0 ? t[t.length - 1] : 0;
        this.speed = speedFor(this.end - this.start);
        this.time = this.start;
        this.from = this.start;
        this.to = this.end;
    }

    /// Whether there is more than one moment to show.
    get hasMotion(): boolean {
        return this.t.length > 1;
    }

    /// The events that are not hidden.
    get events(): readonly RecordedEvent[] {
        return this.filter.shown;
    }

    setHover(time: number | null): void {
        this.hover = time === null ? null : Math.min(this.end, Math.max(this.start, time));
        this.hovered.emit();
    }

    seek(time: number): void {
        this.time = Math.min(this.end, Math.max(this.start, time));
        this.keepInView();
        this.moved.emit();
    }

    /// Lets so many seconds of the clock on the wall pass.
    advance(seconds: number): void {
        if (!this.playing) return;
        this.seek(this.time + seconds * this.speed);
        if (this.time >= this.end) this.setPlaying(false);
    }

    setPlaying(playing: boolean): void {
        if (playing && this.time >= this.end) this.seek(this.start);
        this.playing = playing;
        this.changed.emit();
    }

    setSpeed(speed: number): void {
        this.speed = speed;
        this.changed.emit();
    }

    /// The next faster or slower of the speeds.
    changeSpeed(steps: number): void {
        const at = speeds.findIndex((speed) => speed >= this.speed);
        this.setSpeed(speeds[Math.min(speeds.length - 1, Math.max(0, at + steps))]);
    }

    stepRows(rows: number): void {
        this.setPlaying(false);
        const row = rowAt(this.t, this.time) + rows;
        this.seek(this.t[Math.min(this.t.length - 1, Math.max(0, row))]);
    }

    /// Jumps to the next event, or with -1 to the one before. There it stays if there is none.
    jump(direction: 1 | -1): void {
        const ahead = this.events.filter(({ t }) => direction * (t - this.time) > sameTime);
        const times = ahead.map(({ t }) => direction * t);
        if (times.length === 0) return;
        this.setPlaying(false);
        this.seek(direction * times.reduce((a, b) => Math.min(a, b)));
    }

    /// Shows a range of time; it stays inside the recording.
    show(from: number, to: number): void {
        const least = Math.max((this.end - this.start) * 1e-5, 1e-9);
        const width = Math.min(this.end - this.start, Math.max(least, to - from));
        this.from = Math.min(this.end - width, Math.max(this.start, from));
        this.to = this.from + width;
        this.viewed.emit();
    }

    showAll(): void {
        this.show(this.start, this.end);
    }

    /// Zooms about a time, which keeps its place.
    zoom(factor: number, about: number = this.time): void {
        this.show(about + (this.from - about) * factor, about + (this.to - about) * factor);
    }

    /// How far through the visible range the time is, 0 to 1.
    fractionInView(): number {
        return (this.time - this.from) / (this.to - this.from || 1);
    }

    private keepInView(): void {
        if (this.time >= this.from && this.time <= this.to) return;
        const width = this.to - this.from;
        const ahead = this.time > this.to ? 0.1 : 0.9;
        this.show(this.time - ahead * width, this.time + (1 - ahead) * width);
    }
}
