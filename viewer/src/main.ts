// SPDX-License-Identifier: Apache-2.0
//
// The page: reads the report, builds everything, and runs the clock.

import "uplot/dist/uPlot.min.css";
import "./style.css";
import { Columns } from "./columns";
import { Contacts } from "./contacts";
import { button, byId, element } from "./dom";
import { makeEvents } from "./events";
import { Ghost } from "./ghost";
import { Inspector } from "./inspector";
import { Refusal } from "./json";
import { Live, liveRows, restoreLook } from "./live";
import { Key, listenToKeys, makeHelp } from "./keys";
import { makePlots } from "./plots";
import { hasSecond, readReport, Report } from "./report";
import { savePicture } from "./save";
import { Second } from "./second";
import { makeStory } from "./story";
import type { PlotSource } from "./lines";
import { makeScenario } from "./scenario";
import { CameraView, Scene } from "./scene";
import { Motion } from "./motion";
import { makeNumbers } from "./numbers";
import { makeTables } from "./tables";
import { Tab, Tabs } from "./tabs";
import { Theme } from "./theme";
import { makeTimeBar } from "./time_bar";
import { Timeline } from "./timeline";
import { hasWhatIf, makeWhatIf, WhatIf } from "./whatif";
import type { WhatIfCase } from "./whatif_engine";
import { makeModeLegend, toggleFullScreen, ViewMenu } from "./view_menu";

const longestFrame = 0.1; // s; a page that slept does not leap

function notice(text: string): void {
    byId("notices").append(element("p", {}, text));
}

/// The times up to where the file was cut.
async function loadTimes(columns: Columns): Promise<Float64Array> {
    const t = columns.rows > 0 ? await columns.load(0) : new Float64Array(0);
    const end = t.findIndex((time) => Number.isNaN(time));
    return end < 0 ? t : t.subarray(0, end);
}

async function noticeLosses(columns: Columns, times: number): Promise<void> {
    const lost = await columns.countLost();
    if (lost === 0 && times === columns.rows) return;
    notice(
        `This recording is truncated: the file was cut and lacks ${lost} columns` +
            (times < columns.rows ? ` and ${columns.rows - times} of ${columns.rows} rows.` : ".") +
            " What is missing is shown as absent.",
    );
}

function makeHeader(report: Report, theme: Theme, help: HTMLDialogElement): void {
    const { job, outcome, verdict } = report.summary;
    const name = report.robot?.name || "recording";
    document.title = `${name} – ${job || "atemi"}`;
    byId("header").append(
        element("h1", {}, name),
        element("span", { class: "job" }, job),
        element("span", { class: "outcome", title: outcome }, verdict || outcome),
        element("span", { class: "space" }),
        button("?", "Keys (?)", () => help.showModal()),
        button("◐", "Light or dark (D)", () => theme.toggle()),
    );
}

/// Another recording beside this one, if the page has one.
async function loadSecond(): Promise<Second | null> {
    if (!hasSecond()) return null;
    const report = readReport("-b");
    const columns = new Columns(report.summary.rows, report.encodings, "-b");
    const t = await loadTimes(columns);
    return t.length > 0 ? new Second(report, columns, t) : null;
}

/// The 3D view; null where there is nothing to show, or no WebGL to show it with.
async function makeView(source: PlotSource) {
    const { report, columns, timeline, theme, second } = source;
    const host = byId("view");
    if (!report.robot || timeline.t.length === 0) {
        byId("main").classList.add("flat");
        return null;
    }
    try {
        const ghost = await Ghost.load(report, columns, second, theme.palette.accent);
        const scene = await Scene.load(host, report, columns, timeline, theme, ghost);
        const menu = new ViewMenu(report, scene, theme, timeline);
        const contacts = await Contacts.load(report, columns);
        host.append(menu.root, makeModeLegend(contacts.modes()));
        return { scene, menu };
    } catch (error) {
        byId("main").classList.add("flat");
        notice(
            `This browser cannot show the robot in 3D (${String(error)}). The plots work without.`,
        );
        return null;
    }
}

/// The pages beside the view: what there is nothing for has none.
function pagesOf(source: PlotSource, plots: HTMLElement[], whatIf: WhatIf | null): Tab[] {
    const { report, timeline, theme, second } = source;
    const tables = report.summary.tables.filter(({ name }) => name !== "first_touch");
    const story = makeStory(report, second?.report ?? null);
    const hasPlots = timeline.t.length > 0;
    const numbers = makeNumbers(report, timeline.end - timeline.start);
    return [
        ...(hasPlots ? [{ name: "Plots", content: [...story, ...plots] }] : []),
        ...(whatIf ? [{ name: "What if", content: whatIf.content, show: whatIf.show }] : []),
        { name: "Numbers", content: hasPlots ? numbers : [...story, ...numbers] },
        ...(tables.length > 0
            ? [{ name: "Tables", count: tables.length, content: makeTables(tables, theme) }]
            : []),
        { name: "Events", count: timeline.filter.all.length, content: makeEvents(timeline) },
        { name: "Scenario", content: makeScenario(report.scenario) },
    ];
}

/// Where there is no motion to see, the numbers that a paper prints come first, or else the tables.
function firstPage(pages: readonly Tab[], report: Report, timeline: Timeline): number {
    const hasPaper = report.summary.results.some(({ printed }) => printed !== null);
    const first = hasPaper ? "Numbers" : "Tables";
    return timeline.hasMotion ? 0 : Math.max(0, pages.findIndex(({ name }) => name === first));
}

function makeBar(timeline: Timeline, theme: Theme): void {
    if (timeline.hasMotion) byId("bar").append(...makeTimeBar(timeline, theme));
    else byId("bar").hidden = true;
}

/// For those who script the page: the poses of all links at a row, each 16 numbers column by column,
/// the values of a column, the blow with other settings, and the posture with the hand elsewhere.
function expose({ report, columns }: PlotSource, whatIf: WhatIf | null): void {
    const handle = {
        posesAt: async (row: number) => {
            const motion = report.robot && (await Motion.load(report.robot, columns));
            const poses = motion?.at({ row, next: row, fraction: 0 }) ?? [];
            return poses.map(({ elements }) => [...elements]);
        },
        valuesOf: async (column: number) => [...(await columns.load(column))],
        whatIf: async (change: Partial<WhatIfCase>) =>
            (await whatIf?.engine)?.run({ ...whatIf?.first, ...change } as WhatIfCase) ?? null,
        putHand: async (by: readonly number[]) => {
            const engine = await whatIf?.engine;
            return engine ? { reach: engine.place(by), posture: [...engine.posture] } : null;
        },
    };
    Object.defineProperty(window, "atemi", { value: Object.freeze(handle) });
}

type View = Awaited<ReturnType<typeof makeView>>;

const timeKeys = (timeline: Timeline): Key[] => [
    {
        keys: [" "],
        name: "space",
        text: "play or pause",
        press: () => timeline.setPlaying(!timeline.playing),
    },
    {
        keys: ["ArrowLeft"],
        name: "←",
        text: "one row back; with shift ten",
        press: (event) => timeline.stepRows(event.shiftKey ? -10 : -1),
    },
    {
        keys: ["ArrowRight"],
        name: "→",
        text: "one row on; with shift ten",
        press: (event) => timeline.stepRows(event.shiftKey ? 10 : 1),
    },
    { keys: ["n"], name: "N", text: "next event", press: () => timeline.jump(1) },
    { keys: ["p"], name: "P", text: "event before", press: () => timeline.jump(-1) },
    {
        keys: ["Home"],
        name: "Home",
        text: "to the start",
        press: () => timeline.seek(timeline.start),
    },
    { keys: ["End"], name: "End", text: "to the end", press: () => timeline.seek(timeline.end) },
    { keys: ["["], name: "[", text: "slower", press: () => timeline.changeSpeed(-1) },
    { keys: ["]"], name: "]", text: "faster", press: () => timeline.changeSpeed(1) },
    { keys: ["+", "="], name: "+", text: "zoom plots in", press: () => timeline.zoom(0.5) },
    { keys: ["-"], name: "-", text: "zoom plots out", press: () => timeline.zoom(2) },
    { keys: ["0"], name: "0", text: "show all of the time", press: () => timeline.showAll() },
];

const lookKey = (view: NonNullable<View>, key: string, from: CameraView): Key => ({
    keys: [key],
    name: key.toUpperCase(),
    text: `look from ${from}`,
    press: () => view.scene.look(from),
});

const viewKeys = (view: NonNullable<View>): Key[] => [
    lookKey(view, "b", "ahead"),
    lookKey(view, "j", "right"),
    lookKey(view, "h", "left"),
    lookKey(view, "t", "above"),
    lookKey(view, "i", "corner"),
    { keys: ["a"], name: "A", text: "frames of the links", press: () => view.menu.press("frames") },
    { keys: ["x"], name: "X", text: "shapes that touch", press: () => view.menu.press("shapes") },
    { keys: ["k"], name: "K", text: "the ghost", press: () => view.menu.press("ghost") },
    { keys: ["s"], name: "S", text: "keep a picture", press: () => savePicture(view.scene) },
    { keys: ["w"], name: "W", text: "keep a film", press: () => view.menu.film.press() },
    { keys: ["c"], name: "C", text: "contact points", press: () => view.menu.press("contacts") },
    { keys: ["v"], name: "V", text: "contact forces", press: () => view.menu.press("forces") },
    { keys: ["m"], name: "M", text: "centre of mass", press: () => view.menu.press("com") },
    {
        keys: ["z"],
        name: "Z",
        text: "ZMP and support polygon",
        press: () => view.menu.press("zmp"),
    },
    { keys: ["f"], name: "F", text: "follow the robot", press: () => view.menu.press("follow") },
    { keys: ["r"], name: "R", text: "reset the camera", press: () => view.scene.resetCamera() },
];

function runClock(timeline: Timeline, draw: () => void): void {
    let before = performance.now();
    const frame = (now: number): void => {
        timeline.advance(Math.min(longestFrame, Math.max(0, now - before) / 1000));
        before = now;
        draw();
        requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
}

async function open(theme: Theme): Promise<void> {
    const report = readReport();
    const columns = new Columns(report.summary.rows, report.encodings);
    const times = await loadTimes(columns);
    const timeline = new Timeline(times, report.summary.events);
    const source: PlotSource = { report, columns, timeline, theme, second: await loadSecond() };
    makeBar(timeline, theme);
    const view = await makeView(source);
    const { content, joints } = makePlots(source);
    const whatIf = hasWhatIf(report) ? makeWhatIf(report, theme, view?.scene ?? null) : null;
    const pages = pagesOf(source, content, whatIf);
    const tabs = new Tabs(byId("side"), pages);
    tabs.show(firstPage(pages, report, timeline));
    const inspector =
        view &&
        new Inspector(report, columns, timeline, view.scene, (joint) => {
            tabs.show(0);
            joints?.add(joint);
            joints?.root.scrollIntoView({ block: "start" });
        });
    if (inspector) byId("view").append(inspector.root);
    const keys: Key[] = [
        ...(inspector
            ? [{ keys: ["l"], name: "L", text: "pick the next link", press: () => inspector.next() }]
            : []),
        { keys: ["g"], name: "G", text: "full screen", press: toggleFullScreen },
        ...(timeline.hasMotion ? timeKeys(timeline) : []),
        ...(view ? viewKeys(view) : []),
        {
            keys: pages.map((_, i) => String(i + 1)),
            name: `1 … ${pages.length}`,
            text: pages.map(({ name }) => name.toLowerCase()).join(", "),
            press: (event) => tabs.show(Number(event.key) - 1),
        },
        { keys: ["d"], name: "D", text: "light or dark", press: () => theme.toggle() },
        { keys: ["?"], name: "?", text: "this list", press: () => help.showModal() },
    ];
    const help = makeHelp(keys);
    document.body.append(help);
    makeHeader(report, theme, help);
    listenToKeys(keys);
    runClock(timeline, () => view?.scene.draw());
    expose(source, whatIf);
    restoreLook(tabs, view?.scene ?? null);
    const rows = liveRows();
    if (rows !== null) new Live(rows, timeline, tabs, view?.scene ?? null);
    await noticeLosses(columns, times.length);
}

/// Says that there is nothing to show, and why.
function fail(error: unknown): void {
    const text =
        error instanceof Refusal ? error.message : `This report cannot be shown: ${String(error)}`;
    notice(text);
    document.documentElement.dataset.state = "failed";
    if (!(error instanceof Refusal)) throw error;
}

const theme = new Theme();
open(theme).then(
    () => requestAnimationFrame(() => (document.documentElement.dataset.state = "ready")),
    fail,
);
