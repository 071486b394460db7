// SPDX-License-Identifier: Apache-2.0
//
// Keeping what the view shows: a picture (PNG), and a film (WebM) of the motion from its start to
// its end, as fast as it is played.

import type { Scene } from "./scene";
import type { Timeline } from "./timeline";

const filmRate = 30; // pictures a second
const longestFilm = 120; // s

function download(blob: Blob, name: string): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/// A name for files: letters, digits and dashes.
const fileName = (title: string): string =>
    title
        .replace(/[^A-Za-z0-9]+/g, "-")
        .replace(/^-+|-+$/g, "")
        .slice(0, 80) || "atemi";

export function savePicture(scene: Scene): void {
    scene.drawNow();
    scene.canvas.toBlob((blob) => blob && download(blob, `${fileName(document.title)}.png`));
}

/// Plays the motion once and keeps it. Pressed again, it ends the film there.
export class Film {
    private recorder: MediaRecorder | null = null;

    constructor(
        private readonly scene: Scene,
        private readonly timeline: Timeline,
        private readonly changed: (runs: boolean) => void,
    ) {}

    /// Whether this browser can make films.
    static get isPossible(): boolean {
        return (
            typeof MediaRecorder !== "undefined" && MediaRecorder.isTypeSupported("video/webm")
        );
    }

    press(): void {
        if (this.recorder) this.recorder.stop();
        else this.begin();
    }

    private begin(): void {
        const { timeline } = this;
        const chunks: Blob[] = [];
        const recorder = new MediaRecorder(this.scene.canvas.captureStream(filmRate), {
            mimeType: "video/webm",
        });
        this.recorder = recorder;
        recorder.addEventListener("dataavailable", ({ data }) => chunks.push(data));
        recorder.addEventListener("stop", () => {
            this.recorder = null;
            timeline.setPlaying(false);
            this.changed(false);
            const film = new Blob(chunks, { type: "video/webm" });
            download(film, `${fileName(document.title)}.webm`);
        });
        timeline.seek(timeline.start);
        recorder.start();
        timeline.setPlaying(true);
        this.changed(true);
        this.watch(recorder, performance.now());
    }

    private watch(recorder: MediaRecorder, begun: number): void {
        const look = (): void => {
            if (recorder.state === "inactive") return;
            const isLong = performance.now() - begun > 1000 * longestFilm;
            if (!this.timeline.playing || isLong) recorder.stop();
            else setTimeout(look, 50);
        };
        setTimeout(look, 100);
    }
}
