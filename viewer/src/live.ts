// SPDX-License-Identifier: Apache-2.0
//
// The page of a job that is under way (atemi view --live): it asks its server how far the job is,
// and loads itself anew as rows come, with the same tab, the same camera and the end of the motion.
// Who looks at an earlier moment is left in peace.

import { byId, element } from "./dom";
import type { Scene } from "./scene";
import type { Tabs } from "./tabs";
import type { Timeline } from "./timeline";

const between = 700; // ms
const leastStay = 1500; // ms before the page is loaded anew
const storeName = "atemi-live";

interface State {
    rows: number;
    done: number;
    ended: boolean;
}

interface Kept {
    tab: string; // its name: a job that has ended may have more of them
    scroll: number;
    camera: number[] | null;
}

/// What the page had before it was loaded anew.
function kept(): Kept | null {
    try {
        return JSON.parse(sessionStorage.getItem(storeName) ?? "null") as Kept | null;
    } catch {
        return null;
    }
}

export class Live {
    private readonly note = element("p", { class: "live", role: "status" });
    private readonly since = performance.now();

    constructor(
        private readonly rows: number,
        private readonly timeline: Timeline,
        private readonly tabs: Tabs,
        private readonly scene: Scene | null,
    ) {
        byId("notices").append(this.note);
        timeline.seek(timeline.end);
        this.tell({ rows, done: NaN, ended: false });
        window.setTimeout(() => this.ask(), between);
    }

    private keep(): void {
        const camera = this.scene?.cameraNumbers() ?? null;
        const now: Kept = { tab: this.tabs.current, scroll: byId("side").scrollTop, camera };
        sessionStorage.setItem(storeName, JSON.stringify(now));
    }

    private get follows(): boolean {
        return !this.timeline.playing && this.timeline.time === this.timeline.end;
    }

    private tell({ rows, done, ended }: State): void {
        const more = rows > this.rows ? `, ${rows - this.rows} rows more than here` : "";
        const how = ended ? "The job has ended" : "The job is under way";
        const part = Number.isNaN(done) ? "" : `: ${(100 * done).toFixed(0)} %`;
        this.note.textContent = `${how}${part}${more}.${this.follows ? "" : " The key End follows it."}`;
    }

    private async ask(): Promise<void> {
        try {
            const answer = await fetch("state", { cache: "no-store" });
            this.hear((await answer.json()) as State);
        } catch {
            this.note.textContent = "The job is not there any more. This page stays as it is.";
        }
    }

    private hear(state: State): void {
        this.tell(state);
        const isNew = state.ended || state.rows > this.rows;
        if (isNew && this.follows && performance.now() - this.since > leastStay) {
            this.keep();
            location.reload();
            return;
        }
        window.setTimeout(() => this.ask(), between);
    }
}

/// The rows of a page that is live; null of any other.
export function liveRows(): number | null {
    const mark = document.querySelector('meta[name="atemi-live"]');
    return mark ? Number(mark.getAttribute("content")) : null;
}

/// The tab and the camera that were chosen before the page was loaded anew.
export function restoreLook(tabs: Tabs, scene: Scene | null): void {
    const before = location.protocol === "http:" ? kept() : null;
    if (!before) return;
    sessionStorage.removeItem(storeName);
    tabs.showNamed(before.tab);
    byId("side").scrollTop = before.scroll;
    if (before.camera) scene?.setCamera(before.camera);
}
