// SPDX-License-Identifier: Apache-2.0
//
// The job's results, with the papers' beside them where there are any.

import { element } from "./dom";
import { numberText, unitText } from "./format";
import type { Report, Result } from "./report";

type Agreement = "within" | "outside" | "unknown";

function agreement({ value, printed, tolerance }: Result): Agreement {
    if (value === null || printed === null || tolerance === null) return "unknown";
    return Math.abs(value - printed) <= tolerance ? "within" : "outside";
}

const agreementText = { within: "✓", outside: "✗", unknown: "" };
const agreementTitle = {
    within: "within the tolerance",
    outside: "outside the tolerance",
    unknown: "",
};

function differenceText({ value, printed }: Result): string {
    if (value === null || printed === null) return "";
    const difference = value - printed;
    return (difference > 0 ? "+" : "") + numberText(difference, 3);
}

function paperCells(result: Result): HTMLElement[] {
    const verdict = agreement(result);
    const tolerance = result.tolerance === null ? "" : `± ${numberText(result.tolerance, 3)}`;
    return [
        element(
            "td",
            { class: "number" },
            result.printed === null ? "" : numberText(result.printed),
        ),
        element("td", { class: "number" }, differenceText(result)),
        element("td", { class: "number" }, tolerance),
        element("td", { class: verdict, title: agreementTitle[verdict] }, agreementText[verdict]),
        element("td", {}, result.source ?? ""),
    ];
}

/// What is true or false stands in words.
function valueText({ value, isTruth }: Result): string {
    return isTruth && value !== null ? (value === 1 ? "yes" : "no") : numberText(value);
}

function resultRow(result: Result, withPaper: boolean): HTMLElement {
    return element(
        "tr",
        {},
        element("th", { scope: "row" }, result.name.replaceAll("_", " ")),
        element("td", { class: "number" }, valueText(result)),
        element("td", { class: "unit" }, unitText(result.unit)),
        ...(withPaper ? paperCells(result) : []),
    );
}

function resultTable(results: readonly Result[]): HTMLElement {
    const withPaper = results.some((result) => result.printed !== null);
    const titles = [
        "",
        "value",
        "",
        ...(withPaper ? ["paper", "difference", "tolerance", "", "source"] : []),
    ];
    const head = element(
        "tr",
        {},
        ...titles.map((title) => element("th", { scope: "col" }, title)),
    );
    const rows = results.map((result) => resultRow(result, withPaper));
    return element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
}

/// What the recording itself is.
function factTable(report: Report, span: number): HTMLElement {
    const { summary, robot } = report;
    const facts: Array<[string, string]> = [
        ["job", summary.job],
        ["verdict", summary.verdict],
        ["outcome", summary.outcome],
        ["robot", robot ? `${robot.name}, ${robot.base} base` : ""],
        ["links, joints", robot ? `${robot.links.length}, ${robot.joints.length}` : ""],
        [
            "recorded",
            summary.rows === 0
                ? ""
                : `${numberText(span)} s, ${summary.rows} rows of ${summary.columns.length} columns`,
        ],
        ["atemi", summary.atemi],
    ];
    const rows = facts
        .filter(([, text]) => text !== "")
        .map(([name, text]) =>
            element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, text)),
        );
    return element("table", { class: "facts" }, element("tbody", {}, ...rows));
}

export function makeNumbers(report: Report, span: number): HTMLElement[] {
    const { results } = report.summary;
    const made = [element("h2", {}, "Recording"), factTable(report, span)];
    if (results.length > 0) made.push(element("h2", {}, "Results"), resultTable(results));
    return made;
}
