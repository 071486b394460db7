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
    report.summary.events.push({ t: 0, kind: hostileText, what: hostileText, text: hostileText });
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
