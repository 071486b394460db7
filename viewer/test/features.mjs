// SPDX-License-Identifier: Apache-2.0
//
// Claims about what a page can do:
//
//     node test/features.mjs FOLDER ATEMI SCENARIO.yaml
//
// FOLDER has NAME.html and NAME.run of several jobs, and both.html of two recordings; ATEMI is the
// command, against which kinematics and blows in the page are held; the scenario is that of
// punch.html. The same is claimed in Chromium and, as far as it goes without a graphics card, in
// Firefox.

import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { launch, openReport, phone, pressAt, robotPicture, settle } from "./browser.mjs";
import { claim, finish, near, randomFrom } from "./claims.mjs";
import { launchFirefox } from "./firefox.mjs";
import { readJson } from "./variants.mjs";
import { claimHand, claimRecordedBlow, claimStrikeBlow, claimWhatIf } from "./whatif.mjs";

const jobs = ["fall", "punch", "strike", "walk", "yield"];
const oracleRows = 6; // random instants of each recording
const poseTolerance = 1e-6; // m and of rotation matrices
const leastDifference = 15; // CIELAB between colours of series, in everybody's eyes

const [folder, command, scenario] = process.argv.slice(2).map((path) => resolve(path));
const pageOf = (name) => join(folder, `${name}.html`);
const pictures = process.env.ATEMI_PICTURES ?? folder;

const canvasOf = (page, panel) =>
    page.evaluate(
        (title) =>
            [...document.querySelectorAll(".panel")]
                .find((one) => one.querySelector("h3").textContent === title)
                .querySelector("canvas")
                .toDataURL(),
        panel,
    );

// ---- The answer -----------------------------------------------------------------------------

async function claimStory(page, name) {
    const { verdict, cards } = readJson(pageOf(name)).summary;
    claim(`${name}: the verdict is a sentence`, /^[^.]+.*\.$/.test(verdict), verdict);
    claim(`${name}: the page begins with it`, (await page.textContent(".verdict")) === verdict);
    const shown = await page.locator(".story .card").allTextContents();
    claim(`${name}: four to six headlines`, shown.length >= 4 && shown.length <= 6, shown.length);
    claim(
        `${name}: each has its title, limit and note`,
        cards.every(({ title, limit, note }, i) =>
            [title, limit ?? "", note ?? ""].every((text) => shown[i].includes(text)),
        ),
    );
    const marks = await page.locator(".story .card .mark").count();
    const judged = cards.filter(({ state }) => state !== "plain").length;
    claim(`${name}: what has a limit says whether it keeps it`, marks === judged);
}

async function claimPlotsHaveValues(page, name) {
    const { plots, summary } = readJson(pageOf(name));
    for (const { title, lines, kind } of plots.filter(({ lines }) => lines.length > 0)) {
        const values = await Promise.all(
            lines.map(({ column }) => page.evaluate((at) => window.atemi.valuesOf(at), column)),
        );
        const known = values.flat().some((value) => Number.isFinite(value));
        claim(`${name}: '${title}' is not empty`, known, `${summary.job} ${kind}`);
    }
}

function claimUnits(name) {
    const { plots } = readJson(pageOf(name));
    const units = plots.map(({ unit }) => unit);
    claim(`${name}: angles are in degrees`, !units.some((unit) => /^rad(\/s)?$/.test(unit)));
    const arm = name === "yield" && plots.some(({ title }) => /ZMP|Balance/.test(title));
    claim(`${name}: no ZMP without a robot on its feet`, !arm);
}

async function claimWords(page) {
    await page.click('nav button:has-text("Numbers")');
    const row = page.locator(".numbers tr", { hasText: "feasible" }).first();
    claim("what is true is said in words", /yes/.test(await row.textContent()));
    await page.keyboard.press("1");
}

// ---- Plots ----------------------------------------------------------------------------------

async function claimHover(page) {
    const report = readJson(pageOf("strike"));
    const plot = report.plots[0];
    const over = page.locator(".u-over").first();
    await page.bringToFront();
    const patience = performance.now() + 20000; // a plot that has just come in sight is drawn first
    for (let i = 0; performance.now() < patience; i = 1 - i) {
        await over.scrollIntoViewIfNeeded();
        const box = await over.boundingBox();
        // By whole pixels: what is less is no move of the pointer to every browser.
        await page.mouse.move(box.x + 0.505 * box.width + 2 * i, box.y + 0.5 * box.height);
        await settle(page);
        if (await page.locator(".tip:not([hidden])").count()) break;
    }
    const tip = await page.textContent(".tip:not([hidden])");
    const [t, values] = await page.evaluate(
        async (column) => [await window.atemi.valuesOf(0), await window.atemi.valuesOf(column)],
        plot.lines[0].column,
    );
    const time = parseFloat(tip);
    const row = t.findLastIndex((one) => one <= time);
    const shown = Number(/([-\d.]+)\s*N$/.exec(tip)?.[1]);
    const [low, high] = [values[row], values[row + 1]].sort((a, b) => a - b);
    claim("a plot shows its value under the pointer", low - 0.1 <= shown && shown <= high + 0.1, tip);
    const lines = await page.locator(".hover-line:not([hidden])").count();
    claim("the pointer's time stands in other plots too", lines >= 2, lines);
    await page.mouse.move(5, 5);
    await settle(page);
    claim("and goes with the pointer", (await page.locator(".tip:not([hidden])").count()) === 0);
}

async function claimZoom(page) {
    const title = readJson(pageOf("strike")).plots[0].title;
    const over = page.locator(".u-over").first();
    await over.scrollIntoViewIfNeeded();
    const box = await over.boundingBox();
    const at = (x, y) => page.mouse.move(box.x + x * box.width, box.y + y * box.height);
    const before = await canvasOf(page, title);
    await at(0.5, 0.5);
    await page.keyboard.down("Control");
    await page.keyboard.down("Shift");
    await page.mouse.wheel(0, -40);
    await page.keyboard.up("Shift");
    await page.keyboard.up("Control");
    await settle(page);
    const zoomed = await canvasOf(page, title);
    claim("ctrl, shift and the wheel zoom values", zoomed !== before);
    await page.locator(".u-over").first().dblclick({ position: { x: 30, y: 30 } });
    await settle(page);
    claim("a double click shows all of them", (await canvasOf(page, title)) === before);
    await page.keyboard.down("Shift");
    await at(0.3, 0.2);
    await page.mouse.down();
    await at(0.6, 0.8);
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await settle(page);
    claim("a box that is dragged zooms both axes", (await canvasOf(page, title)) !== before);
    await page.locator(".u-over").first().dblclick({ position: { x: 30, y: 30 } });
}

async function claimJointSearch(page) {
    const { robot } = readJson(pageOf("strike"));
    const chips = () => page.locator(".joints .chip").allTextContents();
    const first = await chips();
    const other = robot.joints.find(
        ({ name, columns }) => columns.length === 1 && !first.some((chip) => chip.startsWith(name)),
    );
    claim("few joints are shown at first", first.length <= 4 && first.length > 0, first.length);
    await page.fill(".joints input", other.name);
    await page.locator(".joints input").dispatchEvent("change");
    claim("the others are found by name", (await chips()).some((chip) => chip.startsWith(other.name)));
}

// ---- The view -------------------------------------------------------------------------------

async function claimPicking(page) {
    const { robot } = readJson(pageOf("strike"));
    const names = robot.links.map(({ name }) => name);
    await pressAt(page, "#view canvas", 0.42);
    await settle(page);
    if (!(await page.isVisible(".inspector"))) await page.keyboard.press("l");
    await page.waitForSelector(".inspector:not([hidden]) h3");
    const name = await page.textContent(".inspector h3");
    const { mass } = robot.links[names.indexOf(name)];
    claim("a press on the robot picks a link", names.includes(name), name);
    const text = await page.textContent(".inspector");
    claim("with its mass", text.includes(String(Number(mass.toPrecision(4)))), text);
    await page.keyboard.press("l");
    await settle(page);
    const next = names[(names.indexOf(name) + 1) % names.length];
    await page.waitForFunction(
        (wanted) => document.querySelector(".inspector h3").textContent === wanted,
        next,
        { timeout: 5000 },
    );
    claim("L picks the next one", (await page.textContent(".inspector h3")) === next);
    const moving = robot.joints.findIndex(({ columns }) => columns.length === 1);
    for (let i = 0; i < names.length; ++i) {
        if ((await page.textContent(".inspector h3")) === names[robot.joints[moving].child]) break;
        await page.keyboard.press("l");
        await page.waitForTimeout(30);
    }
    await page.click('.inspector button:has-text("Its plots")');
    const chips = await page.locator(".joints .chip").allTextContents();
    claim(
        "and leads to the plots of its joint",
        chips.some((chip) => chip.startsWith(robot.joints[moving].name)),
        chips.join(),
    );
    await page.click(".inspector button:last-child");
    claim("and closes", !(await page.isVisible(".inspector")));
}

async function claimLooks(page, name) {
    const { robot } = readJson(pageOf(name));
    const hasShapes = robot.links.some(({ collision }) => collision.length > 0);
    const before = await robotPicture(page);
    const keys = [["a", "frames"], ...(hasShapes ? [["x", "shapes that touch"]] : [])];
    if (await page.locator('.view-menu button:has-text("Ghost")').count()) keys.push(["k", "the ghost"]);
    for (const [key, what] of keys) {
        await page.keyboard.press(key);
        claim(`${name}: ${key} shows or hides ${what}`, !before.equals(await robotPicture(page)));
        await page.keyboard.press(key);
        claim(`${name}: and back`, before.equals(await robotPicture(page)));
    }
    return keys.map(([key]) => key);
}

async function claimViews(page) {
    const seen = [];
    for (const key of ["b", "j", "h", "t", "i"]) {
        await page.keyboard.press(key);
        await page.waitForTimeout(100);
        seen.push((await robotPicture(page)).toString("base64"));
    }
    claim("five keys look from five sides", new Set(seen).size === 5, new Set(seen).size);
    await page.keyboard.press("r");
}

async function claimSaving(page) {
    const [picture] = await Promise.all([
        page.waitForEvent("download", { timeout: 20000 }),
        page.keyboard.press("s"),
    ]);
    const file = await picture.path();
    claim("S keeps a picture", readFileSync(file).subarray(1, 4).toString() === "PNG");
    claim("of more than one colour", statSync(file).size > 5000, statSync(file).size);
    await page.selectOption("#bar select", "1");
    const [film] = await Promise.all([
        page.waitForEvent("download", { timeout: 60000 }),
        page.keyboard.press("w"),
    ]);
    const bytes = readFileSync(await film.path());
    claim("W keeps a film", bytes.readUInt32BE(0) === 0x1a45dfa3 && bytes.length > 2000, bytes.length);
}

async function claimFullScreen(page) {
    const isFull = () => page.evaluate(() => document.fullscreenElement !== null);
    await page.keyboard.press("g");
    await page.waitForTimeout(300);
    claim("G fills the screen", await isFull());
    await page.keyboard.press("g");
    await page.waitForTimeout(300);
    claim("and gives it back", !(await isFull()));
}

// ---- Events ---------------------------------------------------------------------------------

async function claimEventFilter(page) {
    const { events } = readJson(pageOf("walk")).summary;
    const kinds = [...new Set(events.map(({ kind }) => kind))];
    await page.click('nav button:has-text("Events")');
    const rows = () => page.locator(".event").count();
    claim("all events are listed", (await rows()) === events.length, await rows());
    await page.click(`.filters button:has-text("${kinds[0]}")`);
    const left = events.filter(({ kind }) => kind !== kinds[0]).length;
    claim("a kind of them can be hidden", (await rows()) === left, `${await rows()} of ${left}`);
    await page.fill(".filters input", events.at(-1).what);
    const fits = events.filter(
        ({ kind, what, text }) =>
            kind !== kinds[0] && `${kind} ${what ?? ""} ${text ?? ""}`.includes(events.at(-1).what),
    ).length;
    claim("and searched", (await rows()) === fits, `${await rows()} of ${fits}`);
    await page.fill(".filters input", "");
    for (const kind of kinds.slice(1)) await page.click(`.filters button[title="Show ${kind}"]`);
    claim("without any shown there is nothing to jump to", await page.isDisabled("#next-event"));
}

function claimBlowEvents() {
    for (const name of ["punch", "strike"]) {
        const { events } = readJson(pageOf(name)).summary;
        const kinds = events.map(({ kind }) => kind);
        claim(`${name}: touch and release are events`, ["touch", "release"].every((k) => kinds.includes(k)));
    }
}

// ---- Everybody ------------------------------------------------------------------------------

async function claimRoles(page, name) {
    const unnamed = await page.evaluate(() =>
        [...document.querySelectorAll("button, input, select, [role=slider], [role=img]")]
            .filter((one) => one.closest("[hidden]") === null)
            .filter((one) => !(one.getAttribute("aria-label") || one.textContent.trim() || one.labels?.length))
            .map((one) => one.outerHTML.slice(0, 80)),
    );
    claim(`${name}: every control has a name`, unnamed.length === 0, unnamed.join());
    const label = await page.locator(".panel .plot[role=img]").first().getAttribute("aria-label");
    claim(`${name}: plots say what they show`, / to /.test(label), label);
    const canvas = await page.locator("#view canvas").getAttribute("aria-label");
    claim(`${name}: so does the view`, /3D/.test(canvas));
}

// Machado, Oliveira and Fernandes (2009), severity 1.
const eyes = {
    all: [1, 0, 0, 0, 1, 0, 0, 0, 1],
    "no red": [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
    "no green": [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
    "no blue": [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};

const times = (m, v) => [0, 3, 6].map((i) => m[i] * v[0] + m[i + 1] * v[1] + m[i + 2] * v[2]);

const linear = (hex) =>
    [1, 3, 5]
        .map((i) => parseInt(hex.slice(i, i + 2), 16) / 255)
        .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));

function labOf(rgb) {
    const clipped = rgb.map((c) => Math.min(1, Math.max(0, c)));
    const xyz = times([0.4124, 0.3576, 0.1805, 0.2126, 0.7152, 0.0722, 0.0193, 0.1192, 0.9505], clipped);
    const [x, y, z] = xyz
        .map((c, i) => c / [0.95047, 1, 1.08883][i])
        .map((c) => (c > 0.008856 ? Math.cbrt(c) : 7.787 * c + 16 / 116));
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

async function claimColors(page, scheme) {
    const colors = await page.evaluate(() => {
        const style = getComputedStyle(document.documentElement);
        return Array.from({ length: 8 }, (_, i) => style.getPropertyValue(`--series-${i}`).trim());
    });
    for (const [name, matrix] of Object.entries(eyes)) {
        const labs = colors.map((color) => labOf(times(matrix, linear(color))));
        const gaps = labs.flatMap((a, i) =>
            labs.slice(i + 1).map((b) => Math.hypot(...a.map((value, k) => value - b[k]))),
        );
        const least = Math.min(...gaps);
        claim(`${scheme}: series differ in eyes with ${name}`, least > leastDifference, least.toFixed(1));
    }
}

// ---- Kinematics -----------------------------------------------------------------------------

/// The largest difference of link poses at random rows: the page's from its own numbers, and the
/// command's from the same.
async function poseDifference(evaluate, name) {
    const { robot, summary } = readJson(pageOf(name));
    const random = randomFrom(7);
    const columns = [...robot.base_columns, ...robot.joints.flatMap((joint) => joint.columns)];
    const values = await Promise.all(columns.map((column) => evaluate(`window.atemi.valuesOf(${column})`)));
    let largest = 0;
    for (let k = 0; k < oracleRows; ++k) {
        const row = Math.floor(random() * summary.rows);
        const q = values.map((column) => column[row]);
        if (robot.base_columns.length === 7) normalize(q, 3);
        const answer = execFileSync(
            command,
            ["eval", join(folder, `${name}.run`, "robot.urdf"), "--base", robot.base, "--state", "-"],
            { input: JSON.stringify({ q }), maxBuffer: 1 << 28, stdio: ["pipe", "pipe", "ignore"] },
        );
        const links = Object.values(JSON.parse(answer).links);
        const poses = await evaluate(`window.atemi.posesAt(${row})`);
        links.forEach(({ rotation, position }, i) => {
            const wanted = [0, 1, 2].flatMap((c) => [...rotation.map((r) => r[c]), 0]);
            wanted.push(...position, 1);
            wanted.forEach((one, at) => (largest = Math.max(largest, Math.abs(one - poses[i][at]))));
        });
    }
    return largest;
}

/// Rounded to 16 bits, a quaternion is not of length 1; page and command normalize it alike.
function normalize(q, from) {
    const length = Math.hypot(...q.slice(from, from + 4));
    for (let i = from; i < from + 4; ++i) q[i] /= length;
}

async function claimKinematics(evaluate, browser, names) {
    for (const name of names) {
        const found = await poseDifference(evaluate[name], name);
        claim(`${browser}, ${name}: links are where the command has them`, found < poseTolerance, found);
        console.log(`       ${browser}, ${name}: poses differ by ${found.toExponential(1)}`);
    }
}

// ---- Two recordings -------------------------------------------------------------------------

async function claimPair(browser) {
    const { page, complaints } = await openReport(browser, pageOf("both"));
    const texts = await page.locator(".verdict").allTextContents();
    claim("two recordings have two verdicts", texts.length === 2 && /^B: /.test(texts[1]), texts.join());
    claim("headlines stand beside each other", /B: /.test(await page.textContent(".cards")));
    await page.locator(".panel", { hasText: "ZMP margin" }).first().scrollIntoViewIfNeeded();
    await settle(page);
    claim("plots have both", (await page.locator(".key", { hasText: "B: " }).count()) > 0);
    await pressAt(page, ".track", 0.9);
    const keys = await claimLooks(page, "both").catch(() => []);
    claim("the second one is a ghost in the view", keys.includes("k"));
    await page.screenshot({ path: join(pictures, "both.png") });
    claim("two recordings cause no errors", complaints.length === 0, complaints.join());
    await page.close();
}

// ---- A job under way --------------------------------------------------------------------------

const liveScenario = "scenarios/yield.yaml"; // from the folder of the project; takes seconds

/// Starts the command; yields it and its address.
function startLive() {
    const child = spawn(command, ["view", "--live", liveScenario], {
        env: { ...process.env, DISPLAY: "", WAYLAND_DISPLAY: "" },
    });
    const ended = new Promise((done) => child.on("exit", done));
    return new Promise((done) =>
        child.stdout.on("data", (data) => {
            const found = /http:\S+/.exec(String(data));
            if (found) done({ child, ended, address: found[0] });
        }),
    );
}

async function claimLive(browser) {
    const { child, ended, address } = await startLive();
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const complaints = [];
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => {
        if (!request.url().startsWith(address) && !request.url().startsWith("data:"))
            complaints.push(`asks for ${request.url()}`);
    });
    await page.goto(address);
    await page.waitForSelector(".live", { timeout: 60000 });
    claim("live: the page says that the job is under way", /under way/.test(await page.textContent(".live")));
    const [before, after] = await page.evaluate(() =>
        ["aria-valuenow", "aria-valuemax"].map((name) =>
            Number(document.querySelector(".track").getAttribute(name)),
        ),
    );
    claim("live: it stands at the last row", near(before, after, 1e-9), `${before} of ${after}`);
    await page.click('nav button:has-text("Events")');
    await page.screenshot({ path: join(pictures, "live.png") });
    const code = await ended;
    await page.waitForSelector('html[data-state="ready"]:not(:has(.live))', { timeout: 60000 });
    claim("live: the job ends when the browser has its page", code === 0, code);
    claim("live: the last page has the verdict", /reaches 1 of 2/.test(await page.textContent(".verdict")));
    const shown = await page.getAttribute('nav button:has-text("Events")', "aria-selected");
    claim("live: the tab that was chosen is kept", shown === "true");
    claim("live: it asks its server alone", complaints.length === 0, complaints.join());
    await page.close();
    child.kill();
}

// ---- All ------------------------------------------------------------------------------------

async function claimChromium() {
    const browser = await launch();
    const pages = {};
    const evaluate = {};
    const heard = [];
    for (const name of jobs) {
        const { page, complaints } = await openReport(browser, pageOf(name));
        pages[name] = page;
        heard.push(complaints);
        evaluate[name] = (expression) => page.evaluate(expression);
        await claimStory(page, name);
        await claimPlotsHaveValues(page, name);
        claimUnits(name);
        await claimRoles(page, name);
    }
    await claimWords(pages.strike);
    await claimHover(pages.strike);
    await claimZoom(pages.strike);
    await claimJointSearch(pages.strike);
    await claimPicking(pages.strike);
    await claimLooks(pages.strike, "strike");
    await pressAt(pages.yield, ".track", 0.5); // at first nothing is commanded: there is no ghost
    const shown = await claimLooks(pages.yield, "yield");
    await pages.yield.keyboard.press("Home");
    claim("what was commanded is a ghost", shown.includes("k"));
    await claimViews(pages.strike);
    await claimSaving(pages.strike);
    await claimFullScreen(pages.strike);
    await claimEventFilter(pages.walk);
    claimBlowEvents();
    await claimColors(pages.fall, "light");
    await pages.fall.keyboard.press("d");
    await claimColors(pages.fall, "dark");
    await claimKinematics(evaluate, "Chromium", jobs);
    const blow = { folder, command, scenario, pictures };
    await claimWhatIf(pages.punch, blow);
    await claimHand(pages.punch, blow);
    await claimStrikeBlow(pages.strike, readJson(pageOf("strike")));
    await claimPair(browser);
    await claimLive(browser);
    claim("no complaints", heard.flat().length === 0, heard.flat().join());
    const small = await openReport(browser, pageOf("punch"), phone, "dark");
    await small.page.click('nav button:has-text("What if")');
    const width = await small.page.evaluate(() => document.documentElement.scrollWidth);
    claim("what if: fits a phone", width <= phone.width, width);
    await small.page.screenshot({ path: join(pictures, "what-if-phone.png") });
    await browser.close();
}

async function waitFor(page, expression) {
    for (let i = 0; i < 240; ++i) {
        if (await page.evaluate(expression)) return true;
        await new Promise((done) => setTimeout(done, 250));
    }
    return false;
}

async function claimFirefox() {
    const { page, close } = await launchFirefox();
    try {
        for (const name of jobs) {
            await page.open(`file://${pageOf(name)}`);
            const ready = `document.documentElement.dataset.state === "ready"`;
            claim(`Firefox, ${name}: opens`, await waitFor(page, ready));
            const { verdict } = readJson(pageOf(name)).summary;
            const shown = await page.evaluate(`document.querySelector(".verdict").textContent`);
            claim(`Firefox, ${name}: begins with the verdict`, shown === verdict, shown);
            claim(
                `Firefox, ${name}: draws plots`,
                await waitFor(page, `document.querySelectorAll(".u-wrap").length > 0`),
            );
            await page.press("\uE010"); // End
            const [now, last] = await page.evaluate(
                `["aria-valuenow", "aria-valuemax"].map((a) => Number(document.querySelector(".track").getAttribute(a)))`,
            );
            claim(`Firefox, ${name}: keys move the time`, near(now, last, 1e-9), `${now} of ${last}`);
            const evaluate = { [name]: (expression) => page.evaluate(expression) };
            await claimKinematics(evaluate, "Firefox", [name]);
            await page.picture(join(pictures, `${name}-firefox.png`));
        }
        await page.open(`file://${pageOf("punch")}`);
        await waitFor(page, `window.atemi !== undefined`);
        const recorded = readJson(pageOf("punch")).summary.results;
        claimRecordedBlow("Firefox", recorded, await page.evaluate("window.atemi.whatIf({})"));
        claim("Firefox: no complaints", page.complaints.length === 0, page.complaints.join());
    } finally {
        await close();
    }
}

if (!folder || !command || !scenario) {
    console.error("usage: node test/features.mjs FOLDER ATEMI SCENARIO.yaml");
    process.exit(2);
}
await claimChromium();
if (existsSync(process.env.FIREFOX ?? "/usr/bin/firefox-esr")) await claimFirefox();
else claim("Firefox is installed", false);
finish();
