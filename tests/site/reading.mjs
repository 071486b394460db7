// SPDX-License-Identifier: Apache-2.0
//
// node tests/site/reading.mjs: the site in Chromium and in Firefox, from its folder: the search finds pages,
// nothing is fetched from elsewhere, and equations scroll in their own boxes, on a phone too.

import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const { chromium } = createRequire(resolve("build/release/viewer/node_modules/"))("playwright-core");
const site = `file://${resolve("build/site")}`;
const theory = readdirSync("build/site/theory").filter((path) => path.endsWith(".html"));
const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
});
let failures = 0;

function claim(what, holds, shown = "") {
    console.log(`${holds ? "ok    " : "FAILED"} ${what}${holds ? "" : `: ${shown}`}`);
    failures += !holds;
}

async function openPage(path, viewport) {
    const page = await browser.newPage({ viewport });
    const complaints = [];
    page.on("request", (request) => {
        if (/^https?:/.test(request.url())) complaints.push(`asks for ${request.url()}`);
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.goto(`${site}/${path}`);
    return { page, complaints };
}

async function claimSearch() {
    const { page, complaints } = await openPage("index.html", { width: 1280, height: 800 });
    for (const [words, target] of [
        ["ice", "tutorials/walk_on_ice.html"],
        ["Painlevé", "theory/contact.html"],
        ["atemi_blow_zmp", "include/atemi/blow.h.html"],
    ]) {
        await page.fill(".md-search__input", "");
        await page.click(".md-search__input");
        await page.keyboard.type(words);
        const found = page.locator(`.md-search-result__link[href*="${target}"]`).first();
        const there = await found.waitFor({ state: "attached", timeout: 10000 }).then(
            () => true,
            () => false,
        );
        claim(`the search for '${words}' finds ${target}`, there);
    }
    claim("the search fetches nothing and does not fail", !complaints.length, complaints);
    await page.close();
}

/// Widths of the page beyond the window, and how many equations overlap the text beside them.
const measure = () => ({
    beyond: document.documentElement.scrollWidth - window.innerWidth,
    empty: [...document.querySelectorAll(".equation math")].filter((math) => {
        const box = math.getBoundingClientRect();
        return box.width < 10 || box.height < 10;
    }).length,
    cut: [...document.querySelectorAll(".equation")].filter(
        (box) => box.scrollHeight > box.clientHeight + 1,
    ).length,
});

async function claimEquations(name, viewport) {
    for (const file of theory) {
        const { page, complaints } = await openPage(`theory/${file}`, viewport);
        const { beyond, empty, cut } = await page.evaluate(measure);
        const fits = beyond <= 0 && !empty && !cut && !complaints.length;
        claim(`${file} fits ${name}`, fits, JSON.stringify({ beyond, empty, cut, complaints }));
        await page.close();
    }
}

/// The same in Firefox, in one window.
async function claimFirefox() {
    const { launchFirefox } = await import(resolve("build/release/viewer/test/firefox.mjs"));
    const { page, close } = await launchFirefox();
    try {
        for (const file of theory) {
            await page.open(`${site}/theory/${file}`);
            const { beyond, empty, cut } = await page.evaluate(`(${measure})()`);
            const fits = beyond <= 0 && !empty && !cut;
            claim(`Firefox: ${file} fits`, fits, JSON.stringify({ beyond, empty, cut }));
        }
        await page.open(`${site}/index.html`);
        await page.evaluate(`document.querySelector("[data-md-toggle=search]").click()`);
        await page.evaluate(`document.querySelector(".md-search__input").focus()`);
        for (const key of "ice") await page.press(key);
        const link = '.md-search-result__link[href*="tutorials/walk_on_ice.html"]';
        let there = false;
        for (let i = 0; i < 100 && !there; ++i) {
            await new Promise((done) => setTimeout(done, 100));
            there = await page.evaluate(`document.querySelector('${link}') !== null`);
        }
        claim("Firefox: the search finds tutorials/walk_on_ice.html", there);
        claim("Firefox: no page fails", !page.complaints.length, page.complaints);
    } finally {
        await close();
    }
}

await claimSearch();
await claimEquations("a window", { width: 1280, height: 800 });
await claimEquations("a phone", { width: 400, height: 800 });
await browser.close();
if (existsSync(process.env.FIREFOX ?? "/usr/bin/firefox-esr")) await claimFirefox();
process.exit(failures ? 1 : 0);
