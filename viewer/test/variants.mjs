// SPDX-License-Identifier: Apache-2.0
//
// Reports made worse: with hostile texts, of a newer version, cut, empty.

import { readFileSync, writeFileSync } from "node:fs";

const opening = '<script type="application/json" id="atemi-report">';
const closing = "</script>";

function split(file) {
    const html = readFileSync(file, "utf8");
    const begin = html.indexOf(opening) + opening.length;
    const end = html.indexOf(closing, begin);
    return { before: html.slice(0, begin), json: html.slice(begin, end), after: html.slice(end) };
}

export const readJson = (file) => JSON.parse(split(file).json);

/// Writes the report with its JSON changed.
export function changed(file, target, change) {
    const { before, json, after } = split(file);
    const report = JSON.parse(json);
    change(report);
    writeFileSync(target, before + JSON.stringify(report).replaceAll("<", "\\u003c") + after);
    return target;
}

/// The beginning of the file, up to `fraction` of its JSON, or of its numbers that follow.
export function cut(file, target, part, fraction) {
    const { before, json, after } = split(file);
    const whole = before + json + after;
    const numbers = after.lastIndexOf(closing);
    const end =
        part === "json"
            ? before.length + fraction * json.length
            : before.length + json.length + fraction * numbers;
    writeFileSync(target, whole.slice(0, Math.round(end)));
    return target;
}

/// The page without any recording.
export function emptied(file, target) {
    const { before, after } = split(file);
    const tail = after.slice(after.lastIndexOf(closing) + closing.length);
    writeFileSync(target, before.slice(0, -opening.length) + tail);
    return target;
}

export const hostileText =
    '<script>window.hacked = 1</script><img src=x onerror="window.hacked = 2">"\'`${hacked}';

function hostileTable() {
    const names = ["a", "b", "c"].map((name) => hostileText + name);
    return {
        name: hostileText,
        title: hostileText,
        columns: names.map((name) => ({ name, unit: hostileText })),
        labels: [hostileText, hostileText],
        values: [
            [1, 2, 3],
            [2, 3, 3],
        ],
        plot: { x: 0, y: [1], series: 2 },
    };
}

/// Puts the hostile text wherever a robot, a scenario or a job may say something.
export function makeHostile(report) {
    report.scenario = hostileText;
    report.summary.outcome = hostileText;
    report.summary.job = hostileText;
    report.robot.name = hostileText;
    for (const named of [...report.robot.links, ...report.robot.joints, ...report.surfaces]) {
        named.name = hostileText + named.name;
    }
    for (const contact of report.contacts) contact.name = hostileText + contact.name;
    for (const column of report.summary.columns.slice(1)) column.unit = hostileText;
    report.summary.columns.forEach((column, i) => {
        if (i > 0) column.name = `${column.group}.${hostileText}${i}`;
    });
    for (const plot of report.plots) {
        Object.assign(plot, { title: hostileText, axis: hostileText, unit: hostileText });
        for (const line of plot.lines) line.label = hostileText + line.label;
        plot.states = plot.states?.map((state) => hostileText + state);
    }
    report.summary.events.push({ t: 0, kind: hostileText, what: hostileText, text: hostileText });
    report.summary.tables = [hostileTable()];
    report.summary.results = {
        [hostileText]: {
            value: 1,
            unit: hostileText,
            printed: 2,
            tolerance: 3,
            source: hostileText,
        },
    };
}

/// Tables with labels, a gap, curves of two units and a series; one with a plot over its rows.
export function addTables(report) {
    const sweep = [0.8, 0.4].flatMap((friction) =>
        [3, 1, 2].map((speed) => [speed, friction, 100 * speed * friction, 1e-3 * speed]),
    );
    sweep[1][2] = null;
    report.summary.tables = [
        {
            name: "impact_sweep",
            title: "Forces by speed and friction.",
            columns: [
                { name: "speed", unit: "m/s" },
                { name: "friction", unit: "-" },
                { name: "force", unit: "N" },
                { name: "time", unit: "s" },
            ],
            values: sweep,
            plot: { x: 0, y: [2, 3], series: 1 },
        },
        {
            name: "constraints",
            columns: [{ name: "slack", unit: "-" }],
            labels: ["C-10", "C-9", "C-1"],
            values: [[5], [null], [-1.5e-7]],
            plot: { y: [0] },
        },
        {
            name: "wide",
            columns: Array.from({ length: 300 }, (_, i) => ({ name: `x${i}`, unit: "m" })),
            values: Array.from({ length: 30 }, (_, i) => Array.from({ length: 300 }, () => i)),
        },
        {
            name: "map_1",
            columns: ["x", "y", "z"]
                .map((name) => ({ name, unit: "m" }))
                .concat({ name: "force", unit: "N" }),
            values: mapPlaces.map(([x, y, z], i) => [x, y, z, i === 4 ? null : 10 * i]),
            plot: { x: 0, y: [3], series: 2, tile: 1, join: "cells" },
        },
    ];
}

/// 3 along x, 2 along y and 2 along z.
const mapPlaces = [0, 1].flatMap((z) => [0, 1].flatMap((y) => [0.1, 0.2, 0.3].map((x) => [x, y, z])));

/// No numbers over time, only tables.
export function leaveTablesOnly(report) {
    addTables(report);
    report.summary.rows = 0;
    Object.assign(report, { robot: null, contacts: [], plots: [], com: null, zmp: null, surfaces: [] });
}

/// Stretches of the floor, as walks record them; one is not to be drawn.
export function addPatches(report, from) {
    report.summary.tables = [
        {
            name: "patches",
            columns: ["from", "to", "friction"].map((name) => ({ name, unit: "m" })),
            values: [
                [from, from + 1, 0.1],
                [2, null, 0.1],
            ],
        },
    ];
}

/// The numbers of a paper, and a figure of many points.
export function makeReproduction(report) {
    leaveTablesOnly(report);
    report.summary.results = { force: { value: 1, unit: "N", printed: 1, tolerance: 0.1 } };
    report.summary.tables[0].values = Array.from({ length: 60 }, (_, i) => [i, 0.4, 2 * i, i]);
}

/// Makes a scene of it: the root is the world, the robot's base is a floating joint, and a body
/// floats beside it, at rest, behind the camera.
export function makeScene(report, bodies = 1) {
    const { robot } = report;
    const world = robot.links.length;
    const floating = (name, child, position, columns) => ({
        name,
        type: "floating",
        parent: world,
        child,
        position,
        quaternion: [0, 0, 0, 1],
        axis: [1, 0, 0],
        columns,
        mimic: null,
    });
    const place = { position: [0, 0, 0], quaternion: [0, 0, 0, 1] };
    const box = { shape: "box", ...place, size: [1, 1, 1], color: null, mesh: null };
    robot.links.push({ name: "world", parts: [] });
    robot.joints.push(floating("base", robot.root, [0, 0, 0], robot.base_columns));
    for (let i = 0; i < bodies; ++i) {
        robot.links.push({ name: `box ${i}`, parts: [box] });
        robot.joints.push(floating(`box ${i}`, world + 1 + i, [300, -255, 105], []));
    }
    Object.assign(robot, { base: "fixed", base_columns: [], root: world });
}
