// SPDX-License-Identifier: Apache-2.0
//
// Claims about reports in a browser:
//
//     node test/reports.mjs REPORT.html ...
//
// Figures that lie in REPORT.figures must show the same plots. The first report is also opened with hostile texts, cut, of a newer version, empty and with
// tables, and the first with a floating base as a scene. Pictures are kept in build/viewer, or where
// ATEMI_PICTURES says. With ATEMI_TIMED set, how long they take to open is a claim too, for an idle
// machine. The last line counts; the exit code is 1 if a claim failed.

import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { claim, finish, near } from "./claims.mjs";
import {
    clockOf,
    cursorFraction,
    framesPerSecond,
    launch,
    noticesOf,
    openReport,
    phone,
    pressAt,
    robotPicture,
    settle,
    stateOf,
} from "./browser.mjs";
import {
    addPatches,
    addTables,
    changed,
    cut,
    emptied,
    hostileText,
    leaveTablesOnly,
    makeHostile,
    makeReproduction,
    makeScene,
    readJson,
} from "./variants.mjs";

const mostSeconds = 2; // to open any report
const openings = 3; // the fastest counts: a busy machine only adds
const artifacts =
    process.env.ATEMI_PICTURES ?? resolve(fileURLToPath(import.meta.url), "../../../build/viewer");

const artifact = (name) => join(artifacts, name);

// ---- A report as it is ----------------------------------------------------------------------

async function claimOpening(browser, file, name) {
    let best = Infinity;
    for (let i = 0; i < openings && best > mostSeconds; ++i) {
        const { page, seconds } = await openReport(browser, file);
        best = Math.min(best, seconds);
        await page.close();
    }
    console.log(`       ${name}: opens in ${best.toFixed(2)} s`);
    if (process.env.ATEMI_TIMED) {
        claim(`${name} opens in under ${mostSeconds} s`, best < mostSeconds, `${best.toFixed(2)} s`);
    }
}

/// The span of time, read off the page itself.
async function spanOf(page) {
    const [from, to] = await page.$eval(".track", (track) =>
        ["aria-valuemin", "aria-valuemax"].map((name) => Number(track.getAttribute(name))),
    );
    return { from, to, at: (fraction) => from + fraction * (to - from) };
}

async function claimScrubbing(page, name) {
    const span = await spanOf(page);
    const tolerance = 0.005 * (span.to - span.from) + 1e-4;
    await pressAt(page, ".track", 0.05);
    const early = await robotPicture(page);
    await pressAt(page, ".track", 0.8);
    const late = await robotPicture(page);
    claim(`${name}: scrubbing moves the time`, near(await clockOf(page), span.at(0.8), tolerance));
    claim(`${name}: scrubbing moves the plots`, near(await cursorFraction(page), 0.8, 0.01));
    claim(`${name}: scrubbing moves the robot`, !early.equals(late));
    await pressAt(page, ".u-over", 0.4);
    claim(
        `${name}: a press in a plot moves the time`,
        near(await clockOf(page), span.at(0.4), tolerance),
    );
    claim(`${name}: a press in a plot moves the robot`, !late.equals(await robotPicture(page)));
}

async function claimPlaying(page, name) {
    const { from, to } = await spanOf(page);
    await page.keyboard.press("Home");
    await page.selectOption("#bar select", to - from < 0.5 ? "0.01" : "0.1"); // it must not end
    const before = await clockOf(page);
    await page.click("#play");
    await page.waitForTimeout(600);
    await page.click("#play");
    const after = await clockOf(page);
    claim(`${name}: the play button moves the time`, after > before, `${before} to ${after}`);
    await page.waitForTimeout(200);
    claim(`${name}: the pause button stops it`, (await clockOf(page)) === after);
    await page.selectOption("#bar select", "0.001");
    await page.keyboard.press("Home");
    await page.keyboard.press("Space");
    await page.waitForTimeout(800);
    await page.keyboard.press("Space");
    const slow = (await clockOf(page)) - (await spanOf(page)).from;
    claim(
        `${name}: slow motion goes down to 1/1000`,
        slow > 0 && slow < 0.003,
        `${slow} s in 0.8 s`,
    );
    await page.selectOption("#bar select", "1");
}

async function claimEvents(page, report, name) {
    await page.keyboard.press("Home");
    const start = await clockOf(page);
    const times = report.summary.events.map(({ t }) => t).filter((t) => t > start + 1e-9);
    if (times.length === 0) {
        claim(
            `${name}: without events there is nothing to jump to`,
            await page.isDisabled("#next-event"),
        );
        return;
    }
    await page.click("#next-event");
    claim(
        `${name}: the jump goes to the next event`,
        near(await clockOf(page), Math.min(...times), 1e-4),
    );
    await page.keyboard.press("Home");
    for (let i = 0; i < new Set(times).size; ++i) await page.keyboard.press("n");
    claim(`${name}: jumps pass every event`, near(await clockOf(page), Math.max(...times), 1e-4));
}

async function claimPages(page, report, name) {
    const plots = await page.locator(".u-wrap").count();
    const panels = await page.locator(".panel").count();
    claim(`${name}: panels out of sight hold no plot`, plots < panels, `${plots} of ${panels}`);
    await page.keyboard.press("2");
    const numbers = await page.textContent(".numbers");
    const results = Object.keys(report.summary.results);
    const shown = results.every((result) => numbers.includes(result.replaceAll("_", " ")));
    claim(`${name}: all results stand in the table`, shown);
    await page.keyboard.press("4");
    if (report.scenario !== null) {
        claim(
            `${name}: the scenario can be copied`,
            (await page.textContent(".scenario pre")) === report.scenario,
        );
    }
    await page.keyboard.press("1");
}

/// "axis [unit]" as a panel and a figure have it.
const axisText = ({ axis, unit }) => (unit === "-" ? axis : `${axis} [${unit}]`);

/// The texts of a figure, and which of them are titles.
function textsOf(svg) {
    const texts = [...readFileSync(svg, "utf8").matchAll(/<text([^>]*)>([^<]*)</g)];
    return texts.map(([, attributes, text]) => ({
        isTitle: attributes.includes("class='title'"),
        text: text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"),
    }));
}

/// Titles and axes of the plots that a figure draws, from its top.
function plotsOfFigure(svg, plots) {
    const texts = textsOf(svg);
    let title = "";
    return texts.flatMap(({ isTitle, text }) => {
        if (isTitle) title = text;
        const bars = isTitle && plots.find((plot) => plot.title === text)?.kind === "states";
        const isAxis = !isTitle && plots.some((plot) => axisText(plot) === text);
        return bars ? [`${title}|`] : isAxis ? [`${title}|${text}`] : [];
    });
}

/// The page draws the plots that it is given, in their order, and the figures draw the same.
async function claimPlots(page, report, file, name) {
    const panels = await page.locator(".panel:not(:last-child)").evaluateAll((all) =>
        all.map((panel) => {
            const [title, axis] = ["h3", ".axis"].map((part) => panel.querySelector(part));
            return `${title.textContent}|${axis.textContent}`;
        }),
    );
    const textOf = (plot) => `${plot.title}|${plot.kind === "states" ? "" : axisText(plot)}`;
    const wanted = report.plots.map(textOf);
    const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
    claim(`${name}: the page draws its plots in their order`, same(panels, wanted), `${panels}`);
    const folder = file.replace(/\.html$/, ".figures");
    if (!existsSync(folder)) return;
    for (const figure of new Set(report.plots.map((plot) => plot.figure))) {
        const plots = report.plots.filter((plot) => plot.figure === figure);
        const drawn = plotsOfFigure(join(folder, `${figure}.svg`), plots);
        claim(`${name}: ${figure}.svg has the same plots`, same(drawn, plots.map(textOf)), drawn);
    }
}

/// The state of each bar now, in words, where there are few.
async function claimStates(page, report, name) {
    const named = report.plots.filter(({ kind, lines }) => kind === "states" && lines.length <= 4);
    await pressAt(page, ".track", 0.5);
    for (const { title, lines, states } of named) {
        const panel = page.locator(".panel", { hasText: title }).first();
        await panel.scrollIntoViewIfNeeded();
        await settle(page);
        const notes = await panel.locator(".note").allTextContents();
        claim(
            `${name}: ${title}: the state of each bar stands in words`,
            notes.length === lines.length &&
                notes.every((note, i) =>
                    states.some((state) => note === `${lines[i].label}: ${state}`),
                ),
            notes.join(),
        );
        const keys = await panel.locator(".legend .key").allTextContents();
        claim(
            `${name}: ${title}: the colours of states have names`,
            keys.length > 0 && keys.every((key) => states.includes(key)),
            keys.join(),
        );
    }
}

async function claimPicture(page, name) {
    await pressAt(page, ".track", 0.5);
    const picture = await robotPicture(page);
    await page.evaluate(() => (document.querySelector("#view canvas").style.visibility = "hidden"));
    const blank = await robotPicture(page);
    await page.evaluate(() => (document.querySelector("#view canvas").style.visibility = ""));
    claim(
        `${name}: the canvas is not blank`,
        picture.length > 2 * blank.length,
        `${picture.length} bytes`,
    );
    await page.screenshot({ path: artifact(`${name}.png`) });
    await page.keyboard.press("d");
    await settle(page);
    claim(`${name}: light and dark differ`, !picture.equals(await robotPicture(page)));
    await page.screenshot({ path: artifact(`${name}-dark.png`) });
}

async function measureFrames(page, name) {
    await page.keyboard.press("Home");
    const span = await spanOf(page);
    if (span.to - span.from < 4) await page.selectOption("#bar select", "0.1");
    await page.click("#play");
    const frames = await framesPerSecond(page, 1);
    claim(`${name}: still plays after 1 s`, (await clockOf(page)) > span.from);
    console.log(`       ${name}: plays at ${frames.toFixed(1)} frames a second`);
    await page.click("#play");
}

async function claimPhone(browser, file, name) {
    const { page, complaints } = await openReport(browser, file, phone, "dark");
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    claim(`${name}: fits the width of a phone`, width <= phone.width, `${width} px`);
    const play = await page.locator("#play").boundingBox();
    const track = await page.locator(".track").boundingBox();
    const inside = ({ x, y, width: w, height: h }) =>
        x >= 0 && x + w <= phone.width && y + h <= phone.height && h > 20;
    claim(`${name}: a phone can play and scrub`, inside(play) && inside(track));
    await pressAt(page, ".track", 0.6);
    await page.screenshot({ path: artifact(`${name}-phone.png`) });
    claim(`${name}: no complaint on a phone`, complaints.length === 0, complaints.join("; "));
    await page.close();
}

async function claimReport(browser, file) {
    const name = basename(file, ".html");
    const report = readJson(file);
    await claimOpening(browser, file, name);
    const { page, complaints } = await openReport(browser, file);
    claim(
        `${name}: nothing is wrong with it`,
        (await noticesOf(page)) === "",
        await noticesOf(page),
    );
    await claimScrubbing(page, name);
    await claimPlaying(page, name);
    await claimEvents(page, report, name);
    await claimPages(page, report, name);
    await claimPlots(page, report, file, name);
    await claimStates(page, report, name);
    await measureFrames(page, name);
    await claimPicture(page, name);
    claim(`${name}: no errors, no requests`, complaints.length === 0, complaints.join("; "));
    await page.close();
    await claimPhone(browser, file, name);
}

// ---- A report made worse --------------------------------------------------------------------

/// Opens it, hands over what it says, and closes it.
async function lookAt(browser, file, look) {
    const { page, complaints } = await openReport(browser, file);
    await settle(page);
    await look(page, await noticesOf(page), await stateOf(page));
    await page.close();
    return complaints;
}

async function claimHostile(browser, file) {
    const target = changed(file, artifact("hostile.html"), makeHostile);
    const complaints = await lookAt(browser, target, async (page) => {
        claim("a hostile name stays a name", (await page.textContent("h1")) === hostileText);
        for (const key of ["1", "2", "3", "4", "5"]) {
            await page.keyboard.press(key);
            await settle(page);
        }
        claim(
            "a hostile scenario stays a text",
            (await page.textContent(".scenario pre")) === hostileText,
        );
        claim("hostile texts do not run", (await page.evaluate(() => window.hacked)) === undefined);
        claim("hostile texts make no elements", (await page.locator("img").count()) === 0);
        await page.keyboard.press("3");
        await page.screenshot({ path: artifact("hostile.png") });
        claim(
            "a hostile table stays a text",
            (await page.textContent(".tables h2")) === hostileText.replaceAll("_", " ") &&
                (await page.textContent(".tables td, .tables tbody th")) === hostileText,
        );
    });
    claim("hostile texts cause no errors", complaints.length === 0, complaints.join("; "));
}

async function claimPolicy(browser, file) {
    const { page } = await openReport(browser, file);
    await page.evaluate(() => {
        const script = document.createElement("script");
        script.textContent = "window.hacked = 3";
        document.body.append(script);
        document.body.insertAdjacentHTML("beforeend", '<img src="https://127.0.0.1/x.png">');
    });
    await settle(page);
    claim(
        "no other script can run in the page",
        (await page.evaluate(() => window.hacked)) === undefined,
    );
    await page.close();
}

async function claimVersions(browser, file) {
    const newer = (report) => (report.version = 2);
    await lookAt(browser, changed(file, artifact("newer.html"), newer), (page, notices, state) => {
        claim(
            "a newer report is refused by its version",
            /newer format, version 2/.test(notices),
            notices,
        );
        claim("a newer report shows nothing else", state === "failed");
    });
    const newerRecording = (report) => (report.summary.version = 7);
    await lookAt(browser, changed(file, artifact("newer.html"), newerRecording), (page, notices) =>
        claim(
            "a newer recording is refused by its version",
            /newer format, version 7/.test(notices),
            notices,
        ),
    );
}

async function claimCuts(browser, file) {
    await lookAt(browser, cut(file, artifact("cut.html"), "json", 0.5), (page, notices) =>
        claim("a report cut in its summary says so", /truncated/.test(notices), notices),
    );
    for (const fraction of [0.3, 0.9]) {
        await lookAt(
            browser,
            cut(file, artifact("cut.html"), "data", fraction),
            (page, notices, state) => {
                claim(
                    `a report cut at ${fraction} of its numbers says so`,
                    /truncated/.test(notices),
                    notices,
                );
                claim(`a report cut at ${fraction} shows what is left`, state === "ready");
            },
        );
    }
    const more = (report) => (report.summary.rows += 10);
    await lookAt(browser, changed(file, artifact("cut.html"), more), (page, notices) =>
        claim("missing rows are told", /truncated/.test(notices), notices),
    );
    await lookAt(browser, emptied(file, artifact("empty.html")), (page, notices) =>
        claim("a page without a recording says so", /no recording/.test(notices), notices),
    );
}

async function claimPapers(browser, file) {
    const withPaper = (report) => {
        report.summary.results = {
            good: { value: 1.02, unit: "N", printed: 1, tolerance: 0.1, source: "[SDC] Table 2" },
            bad: { value: 1.5, unit: "N", printed: 1, tolerance: 0.1, source: "[SDC] Table 2" },
            unknown: { value: null, unit: "N" },
        };
    };
    await lookAt(browser, changed(file, artifact("papers.html"), withPaper), async (page) => {
        await page.keyboard.press("2");
        claim(
            "the papers' numbers stand beside ours",
            /\[SDC\] Table 2/.test(await page.textContent(".numbers")),
        );
        claim(
            "what agrees and what does not is marked",
            (await page.locator("td.within, td.outside").count()) === 2,
        );
        await page.screenshot({ path: artifact("papers.png") });
    });
}

async function claimWithoutRobot(browser, file) {
    const bare = (report) =>
        Object.assign(report, { robot: null, contacts: [], com: null, zmp: null, surfaces: [] });
    const complaints = await lookAt(
        browser,
        changed(file, artifact("bare.html"), bare),
        async (page, notices) => {
            claim(
                "a recording without a robot has its plots",
                (await page.locator(".panel").count()) > 0,
            );
            claim("a recording without a robot is no fault", notices === "", notices);
        },
    );
    claim(
        "a recording without a robot causes no errors",
        complaints.length === 0,
        complaints.join("; "),
    );
}

// ---- Tables ---------------------------------------------------------------------------------

/// The cells of a column of the first table that is shown, from top to bottom.
const columnOf = (page, table, column) =>
    page.$$eval(
        `.tables section:nth-of-type(${table}) tbody tr`,
        (rows, at) => rows.map((row) => row.children[at].textContent),
        column,
    );

const pressHead = (page, table, column) =>
    page.click(`.tables section:nth-of-type(${table}) th:nth-child(${column + 1}) button`);

async function claimSorting(page) {
    await pressHead(page, 1, 2);
    const up = await columnOf(page, 1, 2);
    claim("a press on a head sorts, absent last", up.join() === "40,80,120,160,240,–", up.join());
    await pressHead(page, 1, 2);
    const down = await columnOf(page, 1, 2);
    claim("a second press turns the order", down.join() === "240,160,120,80,40,–", down.join());
    await pressHead(page, 1, 2);
    const recorded = await columnOf(page, 1, 0);
    claim("a third press brings the order back", recorded.join() === "3,1,2,3,1,2");
    await pressHead(page, 2, 0);
    const labels = await columnOf(page, 2, 0);
    claim("labels sort as people count", labels.join() === "C-1,C-9,C-10", labels.join());
    claim("small numbers keep their digits", (await columnOf(page, 2, 1))[0] === "-1.5e-7");
}

/// Whether something of this colour is drawn in the chart.
const isDrawn = (page, chart, color) =>
    page.evaluate(
        ([at, name]) => {
            const canvas = document.querySelectorAll(".chart canvas")[at];
            const { width, height } = canvas;
            const copy = new OffscreenCanvas(width, height + 1).getContext("2d", {
                willReadFrequently: true,
            });
            copy.drawImage(canvas, 0, 1);
            copy.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name);
            copy.fillRect(0, 0, 1, 1);
            const { data } = copy.getImageData(0, 0, width, height + 1);
            const [r, g, b] = data;
            for (let i = 4; i < data.length; i += 4) {
                if (data[i] === r && data[i + 1] === g && data[i + 2] === b) return true;
            }
            return false;
        },
        [chart, color],
    );

async function claimCharts(page) {
    claim("a chart for each unit", (await page.locator(".chart canvas").count()) === 3);
    const keys = await page.locator(".chart").first().locator(".key").allTextContents();
    claim(
        "a curve for each value of the series",
        keys.join("; ") === "force, friction = 0.4; force, friction = 0.8",
        keys.join("; "),
    );
    for (const [chart, color] of [
        [0, "--series-0"],
        [0, "--series-1"],
        [1, "--series-1"],
        [2, "--series-0"],
    ]) {
        claim(`curve ${color} of chart ${chart} is drawn`, await isDrawn(page, chart, color));
    }
    claim("no curve beyond these is drawn", !(await isDrawn(page, 0, "--series-2")));
}

async function claimMaps(page) {
    const maps = page.locator("svg.map");
    claim("a map has a picture for each value of its tile", (await maps.count()) === 2);
    const cells = await maps.first().locator("rect").evaluateAll((rects) =>
        rects.map((rect) => ({
            x: Number(rect.getAttribute("x")),
            y: Number(rect.getAttribute("y")),
            fill: rect.getAttribute("fill"),
            text: rect.textContent,
        })),
    );
    claim("with a cell for each place", cells.length === 6, String(cells.length));
    claim("cells are where their places are", cells[0].x < cells[1].x && cells[0].y > cells[3].y);
    claim("the least is dark", cells[0].fill === "rgb(68, 1, 84)", cells[0].fill);
    claim("cells say what they are", cells[1].text === "x 0.2 m, z 0 m: force 10 N", cells[1].text);
    const absent = maps.nth(1).locator("rect.absent");
    claim("what is absent is empty", (await absent.getAttribute("fill")) === "none");
}

async function claimTables(browser, file) {
    const target = changed(file, artifact("tables.html"), addTables);
    const complaints = await lookAt(browser, target, async (page, notices) => {
        claim("a recording with tables is no fault", notices === "", notices);
        await page.click('nav button:has-text("Tables")');
        await settle(page);
        const head = await page.textContent(".tables thead");
        claim("heads have units", head.includes("speed [m/s]"), head);
        await claimSorting(page);
        await claimCharts(page);
        await claimMaps(page);
        await page.screenshot({ path: artifact("tables.png") });
        await page.keyboard.press("d");
        await settle(page);
        claim("curves take the colours of the dark page", await isDrawn(page, 0, "--series-1"));
        await page.keyboard.press("2");
        claim(
            "results stay where they are",
            (await page.textContent(".numbers h2:nth-of-type(2)")) === "Results",
        );
    });
    claim("tables cause no errors", complaints.length === 0, complaints.join("; "));
}

async function claimTablesOnPhone(browser, file) {
    const target = changed(file, artifact("tables.html"), addTables);
    const { page, complaints } = await openReport(browser, target, phone, "dark");
    await page.click('nav button:has-text("Tables")');
    await settle(page);
    const [width, inner, outer] = await page.evaluate(() => {
        const box = document.querySelector(".tables section:nth-of-type(3) .scroll");
        return [document.documentElement.scrollWidth, box.scrollWidth, box.clientWidth];
    });
    claim("tables fit the width of a phone", width <= phone.width, `${width} px`);
    claim("a wide table scrolls in its box", inner > 2 * outer && outer <= phone.width);
    await page.screenshot({ path: artifact("tables-phone.png") });
    claim("tables on a phone cause no errors", complaints.length === 0, complaints.join("; "));
    await page.close();
}

async function claimTablesOnly(browser, file) {
    const target = changed(file, artifact("tables_only.html"), leaveTablesOnly);
    const complaints = await lookAt(browser, target, async (page, notices) => {
        claim("a recording without rows is no fault", notices === "", notices);
        claim("without rows the tables come first", await page.isVisible(".tables table"));
        claim("without rows there is no time to play", !(await page.isVisible("#bar")));
        for (const key of ["Space", "ArrowRight", "End", "1", "2", "3", "4"]) {
            await page.keyboard.press(key);
        }
        await page.screenshot({ path: artifact("tables_only.png") });
    });
    claim("tables alone cause no errors", complaints.length === 0, complaints.join("; "));
}

async function claimReproduction(browser, file) {
    const target = changed(file, artifact("reproduction.html"), makeReproduction);
    const complaints = await lookAt(browser, target, async (page) => {
        claim("the numbers of a paper come first", await page.isVisible(".numbers table"));
        await page.click('nav button:has-text("Tables")');
        await settle(page);
        const isShown = () => page.isVisible(".tables section:nth-of-type(1) table");
        const figure = await page.locator(".tables canvas").first().boundingBox();
        const rows = await page.locator(".tables summary").first().boundingBox();
        claim("many points are a figure first", figure.y < rows.y && !(await isShown()));
        await page.click(".tables summary");
        claim("and rows when they are asked for", await isShown());
    });
    claim("reproductions cause no errors", complaints.length === 0, complaints.join("; "));
}

// ---- Scenes ---------------------------------------------------------------------------------

async function claimScene(browser, files) {
    const file = files.find((one) => readJson(one).robot.base === "floating");
    const pictures = [];
    for (const bodies of [0, 1]) {
        const change = (report) => makeScene(report, bodies);
        const target = changed(file, artifact("scene.html"), change);
        await lookAt(browser, target, async (page, notices) => {
            claim(`a scene of ${bodies} bodies is no fault`, notices === "", notices);
            await pressAt(page, ".track", 0.05);
            const early = await robotPicture(page);
            await pressAt(page, ".track", 0.95);
            const late = await robotPicture(page);
            claim(`in a scene of ${bodies} bodies the robot moves`, !early.equals(late));
            claim(
                `in a scene of ${bodies} bodies the camera can follow`,
                await page.isVisible('.view-menu button:has-text("Follow")'),
            );
            pictures.push(early, late);
            await page.screenshot({ path: artifact(`scene-${bodies}.png`) });
        });
    }
    const [early, late, earlyBeside, lateBeside] = pictures;
    claim("the camera looks at the robot, whatever is beside it", early.equals(earlyBeside));
    claim("the camera follows the robot, whatever is beside it", late.equals(lateBeside));
}

async function claimPatches(browser, files) {
    const file = files.find((one) => readJson(one).robot.base === "floating");
    const pictures = [];
    for (const from of [1000, 1000, -0.5]) {
        const target = changed(file, artifact("patches.html"), (report) => addPatches(report, from));
        await lookAt(browser, target, async (page, notices) => {
            claim(`a patch of the floor at ${from} m is no fault`, notices === "", notices);
            await pressAt(page, ".track", 0.05);
            pictures.push(await robotPicture(page));
        });
    }
    const [far, again, near] = pictures;
    claim("a patch of the floor is seen where it lies", far.equals(again) && !far.equals(near));
}

// ---- All ------------------------------------------------------------------------------------

const files = process.argv.slice(2).map((file) => resolve(file));
if (files.length === 0) {
    console.error("usage: node test/reports.mjs REPORT.html ...");
    process.exit(2);
}
mkdirSync(artifacts, { recursive: true });
const browser = await launch();
for (const file of files) await claimReport(browser, file);
for (const worse of [
    claimHostile,
    claimPolicy,
    claimVersions,
    claimCuts,
    claimPapers,
    claimWithoutRobot,
    claimTables,
    claimTablesOnPhone,
    claimTablesOnly,
    claimReproduction,
]) {
    await worse(browser, files[0]);
}
await claimScene(browser, files);
await claimPatches(browser, files);
await browser.close();
finish();
