// SPDX-License-Identifier: Apache-2.0
//
// Claims about a notebook that tests/long/notebook serves:
//
//     node test/notebook.mjs URL
//
// All cells are run as a person would; robot and recording are tables, the page plays in 3D.

import { join } from "node:path";
import { claim, finish } from "./claims.mjs";
import { launch } from "./browser.mjs";

const patience = { timeout: 180000 };

async function runAll(page) {
    await page.waitForSelector(".jp-NotebookPanel .jp-CodeCell", patience);
    await page.getByText("Python 3 (ipykernel)").first().waitFor(patience);
    await page.getByRole("menuitem", { name: "Run", exact: true }).click();
    await page.getByText("Run All Cells", { exact: true }).first().click();
}

async function claimTables(page) {
    const texts = await page.locator(".jp-OutputArea-output table").allTextContents();
    claim("the robot is a table", texts.some((text) => text.includes("right_elbow")));
    claim("the recording is a table", texts.some((text) => text.includes("duration")));
}

async function claimPage(page) {
    const host = await page.waitForSelector(".jp-OutputArea-output iframe[title=atemi]", patience);
    const frame = await host.contentFrame();
    await frame.waitForSelector('html:not([data-state="loading"])', patience);
    const state = await frame.evaluate(() => document.documentElement.dataset.state);
    claim("the page in the notebook is drawn", state === "ready", state);
    claim("it has a canvas", (await frame.locator("canvas").count()) > 0);
    const box = await host.boundingBox();
    claim("it is as high as was asked for", Math.abs(box.height - 500) < 1, String(box.height));
    const reaches = await frame.evaluate(() => {
        try {
            return String(window.parent.document.title);
        } catch {
            return "";
        }
    });
    claim("its scripts do not reach the notebook", reaches === "", reaches);
    const track = await (await frame.waitForSelector(".track", patience)).boundingBox();
    const clock = () => frame.textContent("#clock");
    const before = await clock();
    await page.mouse.click(track.x + 0.8 * track.width, track.y + 0.5 * track.height);
    await frame.waitForFunction((text) => document.querySelector("#clock").textContent !== text, before);
    claim("its time line answers", (await clock()) !== before);
}

const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
await page.goto(process.argv[2]);
await runAll(page);
await claimPage(page);
await claimTables(page);
await page.screenshot({ path: join(process.env.ATEMI_PICTURES ?? ".", "notebook.png") });
await browser.close();
finish();
