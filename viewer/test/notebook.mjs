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

const patience = { timeout: 60000 };

// What is run before the kernel is there is lost: a person tries again.
async function runCell(cell) {
    const prompt = cell.locator(".jp-InputPrompt");
    for (let i = 0; i < 20 && !/\d/.test(await prompt.textContent()); ++i) {
        await cell.locator(".cm-content").click();
        await cell.page().keyboard.press("Control+Enter");
        await cell.page().waitForTimeout(2000);
    }
}

async function runAll(page) {
    const cells = page.locator(".jp-NotebookPanel .jp-CodeCell");
    await cells.first().waitFor(patience);
    for (let i = 0; i < (await cells.count()); ++i) await runCell(cells.nth(i)); // more come
}

async function claimTables(page) {
    const texts = await page.locator(".jp-OutputArea-output table").allTextContents();
    claim("the robot is a table", texts.some((text) => text.includes("right_elbow")));
    claim("the recording is a table", texts.some((text) => text.includes("duration")));
}

async function claimPage(page) {
    const host = await page.waitForSelector(".jp-OutputArea-output iframe[title=atemi]", patience);
    await host.scrollIntoViewIfNeeded(); // browsers draw no frame that is out of sight
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
    const clock = () => frame.textContent("#clock");
    const before = await clock();
    const track = frame.locator(".track");
    const { width, height } = await track.boundingBox();
    await track.click({ position: { x: 0.8 * width, y: 0.5 * height } });
    const differs = (text) => document.querySelector("#clock").textContent !== text;
    await frame.waitForFunction(differs, before, { polling: 200, ...patience });
    claim("its time line answers", (await clock()) !== before);
}

// What VS Code allows the outputs of notebooks, but for its own addresses: a frame inherits it.
const policy =
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; " +
    "img-src https: http: data:; font-src https:; connect-src https:; child-src https: data:";

async function claimUnderPolicy(browser, page) {
    const host = page.locator(".jp-OutputArea-output iframe[title=atemi]").first();
    const shown = await host.evaluate((frame) => frame.outerHTML);
    const strict = await browser.newPage();
    const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
    await strict.setContent(`<!doctype html><head>${meta}</head><body>${shown}</body>`);
    const frame = await (await strict.waitForSelector("iframe")).contentFrame();
    await frame.waitForSelector('html:not([data-state="loading"])', patience);
    const state = await frame.evaluate(() => document.documentElement.dataset.state);
    claim("the page is drawn under the policy of VS Code", state === "ready", state);
    await strict.close();
}

const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
await page.goto(process.argv[2]);
try {
    await runAll(page);
    await claimPage(page);
    await claimTables(page);
    await claimUnderPolicy(browser, page);
} catch (error) {
    claim("the notebook answers", false, String(error));
}
await page.screenshot({ path: join(process.env.ATEMI_PICTURES ?? ".", "notebook.png") });
await browser.close();
finish();
