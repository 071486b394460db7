// SPDX-License-Identifier: Apache-2.0
//
// node bench/page_opening.mjs REPORT.html... [--times N]: how long a page of a recording takes to open in
// Chromium, by the browser's own clock, from navigation on: the first thing painted, the first frame of
// the robot and its plots, and when the page is idle and waits for its user. The least and the median.

import { createRequire } from "node:module";
import { resolve } from "node:path";

const { chromium } = createRequire(resolve("build/release/viewer/node_modules/"))("playwright-core");

/// Runs in the page before any script of its own: notes the times.
function watch() {
    window.opening = new Promise((done) => {
        const drawn = () =>
            requestAnimationFrame(() =>
                requestAnimationFrame((frame) =>
                    requestIdleCallback(() => done({ frame, idle: performance.now() })),
                ),
            );
        new MutationObserver((_, observer) => {
            if ((document.documentElement.dataset.state ?? "loading") === "loading") return;
            observer.disconnect();
            drawn();
        }).observe(document, { subtree: true, attributeFilter: ["data-state"] });
    });
}

async function open(browser, file) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.addInitScript(watch);
    await page.goto(`file://${resolve(file)}`);
    const times = await page.evaluate(async () => {
        const { frame, idle } = await window.opening;
        const [paint] = performance.getEntriesByName("first-contentful-paint");
        return { paint: paint?.startTime ?? NaN, frame, idle };
    });
    await page.close();
    return times;
}

const args = process.argv.slice(2);
const at = args.indexOf("--times");
const [, times = "7"] = at < 0 ? [] : args.splice(at, 2);
const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
for (const file of args) {
    const opened = [];
    for (let i = 0; i < Number(times); ++i) opened.push(await open(browser, file));
    const shown = ["paint", "frame", "idle"].map((what) => {
        const sorted = opened.map((one) => one[what] / 1000).sort((a, b) => a - b);
        return `${what} ${sorted[0].toFixed(2)} s (${sorted[sorted.length >> 1].toFixed(2)})`;
    });
    console.log(`${file}: ${shown.join(", ")}`);
}
await browser.close();
