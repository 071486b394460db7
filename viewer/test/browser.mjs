// SPDX-License-Identifier: Apache-2.0
//
// A browser without a screen, and pages in it that are watched: what they print, ask for and throw.

import { chromium } from "playwright-core";

export const desktop = { width: 1280, height: 800 };
export const phone = { width: 400, height: 800 };

export function launch() {
    return chromium.launch({
        executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
        args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
    });
}

/// Opens a report; yields the page, what it complained of and how long it took until it was drawn.
export async function openReport(browser, file, viewport = desktop, colorScheme = "light") {
    const page = await browser.newPage({ viewport, colorScheme });
    const complaints = [];
    page.on("console", (message) => {
        if (["error", "warning"].includes(message.type()) && !isDriverNote(message.text())) {
            complaints.push(message.text());
        }
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => {
        const url = request.url();
        if (url !== `file://${file}` && !url.startsWith("data:"))
            complaints.push(`asks for ${url}`);
    });
    const start = performance.now();
    await page.goto(`file://${file}`);
    await page.waitForSelector('html:not([data-state="loading"])', { timeout: 60000 });
    return { page, complaints, seconds: (performance.now() - start) / 1000 };
}

/// Chromium's own notes on drawing without a graphics card.
const isDriverNote = (text) => /GL Driver Message|software WebGL/i.test(text);

export const clockOf = async (page) => parseFloat(await page.textContent("#clock"));
export const noticesOf = (page) => page.textContent("#notices");
export const stateOf = (page) => page.evaluate(() => document.documentElement.dataset.state);

/// Two frames later, everything that was asked for is drawn.
export const settle = (page) =>
    page.evaluate(
        () =>
            new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
    );

/// The picture of the robot alone, without the controls above it.
export async function robotPicture(page) {
    await settle(page);
    const box = await page.locator("#view").boundingBox();
    const clip = { x: box.x, y: box.y + 45, width: box.width, height: box.height - 80 };
    return page.screenshot({ clip });
}

/// Presses at a fraction of an element's width.
export async function pressAt(page, selector, fraction) {
    const box = await page.locator(selector).first().boundingBox();
    await page.mouse.click(box.x + fraction * box.width, box.y + box.height / 2);
    await settle(page);
}

/// Where the time cursor of the first plot stands, as a fraction of its width.
export const cursorFraction = (page) =>
    page.evaluate(() => {
        const over = document.querySelector(".u-over").getBoundingClientRect();
        const cursor = document.querySelector(".u-over .cursor").getBoundingClientRect();
        return (cursor.left + cursor.width / 2 - over.left) / over.width;
    });

/// The number of frames that the page draws in a second.
export const framesPerSecond = (page, seconds) =>
    page.evaluate(
        (limit) =>
            new Promise((done) => {
                const start = performance.now();
                let frames = 0;
                const frame = (now) => {
                    ++frames;
                    if (now - start < 1000 * limit) requestAnimationFrame(frame);
                    else done((1000 * frames) / (now - start));
                };
                requestAnimationFrame(frame);
            }),
        seconds,
    );
