// SPDX-License-Identifier: Apache-2.0
//
// The report: what the page is given besides the numbers over time. docs/recordings.md has the
// format of a recording; this is its summary with the robot's tree and the world beside it.

import { Json, Refusal } from "./json";

export const reportVersion = 1;
export const recordingVersion = 1;

export interface Column {
    name: string;
    unit: string;
    group: string;
}

export interface EventValue {
    name: string;
    value: number | null;
    unit: string;
}

export interface RecordedEvent {
    t: number;
    kind: string;
    what: string;
    text: string;
    values: EventValue[];
}

export interface Result {
    name: string;
    value: number | null;
    unit: string;
    printed: number | null;
    tolerance: number | null;
    source: string | null;
    isTruth: boolean; // 1 is yes and 0 is no
}

const cardStates = ["plain", "pass", "fail"] as const;

/// A headline of the answer.
export interface Card {
    title: string;
    value: number | null;
    unit: string;
    text: string | null; // in place of a number
    limit: string | null;
    note: string | null;
    state: (typeof cardStates)[number];
}

export interface TableColumn {
    name: string;
    unit: string;
}

/// Columns by their indices: y over x, a curve for each value of the series.
export interface TablePlot {
    x: number | null; // null: the number of the row, from 1
    y: number[];
    series: number | null;
    byRows: boolean; // a path, whose x may go back
    isMap: boolean; // cells in the colour of y over x and series
    tile: number | null; // of a map: a picture for each of its values
}

export interface RecordedTable {
    name: string;
    title: string;
    columns: TableColumn[];
    labels: string[] | null; // of the rows
    rows: Array<Array<number | null>>;
    plot: TablePlot | null;
}

export interface Summary {
    job: string;
    outcome: string;
    verdict: string;
    cards: Card[];
    atemi: string;
    rows: number;
    columns: Column[];
    events: RecordedEvent[];
    results: Result[];
    tables: RecordedTable[];
}

const shapes = ["box", "cylinder", "sphere", "capsule", "mesh"] as const;
const bases = ["fixed", "planar", "sagittal", "floating"] as const;
const jointTypes = ["fixed", "revolute", "continuous", "prismatic", "planar", "floating"] as const;
const surfaceKinds = ["plane", "sphere", "cylinder", "heights"] as const;

export interface Part {
    shape: (typeof shapes)[number];
    position: number[];
    quaternion: number[]; // x y z w
    size: number[]; // as of atemi_shape
    color: number[] | null;
    mesh: number | null;
}

export interface Link {
    name: string;
    mass: number | null; // kg
    com: number[];
    inertia: number[]; // about it: xx yy zz xy xz yz
    parts: Part[];
    collision: Part[]; // shapes that touch
}

export interface Joint {
    name: string;
    type: (typeof jointTypes)[number];
    parent: number;
    child: number;
    position: number[];
    quaternion: number[];
    axis: number[];
    columns: number[]; // of this joint's q; none for fixed and mimic joints
    mimic: { joint: number; multiplier: number; offset: number } | null;
    lower: number | null;
    upper: number | null;
    velocity: number | null;
    effort: number | null;
    armature: number;
    damping: number;
    friction: number;
}

export interface Robot {
    name: string;
    base: (typeof bases)[number];
    baseColumns: number[];
    gravity: number[];
    loops: number; // closed ones
    root: number;
    links: Link[];
    joints: Joint[];
}

export interface Surface {
    name: string;
    kind: (typeof surfaceKinds)[number];
    position: number[];
    axis: number[];
    radius: number;
    columns: number;
    rows: number;
    spacing: number[];
    heights: number[];
}

export interface Contact {
    name: string;
    mode: number;
    force: number[];
    position: number[] | null;
}

/// What is hit: its face, by the columns of its place, looks against the direction.
export interface Target {
    position: number[];
    direction: number[];
    width: number; // m
}

const plotKinds = ["lines", "states", "vertical_forces", "horizontal_forces"] as const;
const plotLimits = ["position", "velocity", "effort"] as const;
const plotBands = ["support_x", "support_y"] as const;

export interface PlotLine {
    column: number;
    label: string;
    isReference: boolean; // what was commanded or planned
}

/// A plot over time, of one unit.
export interface Plot {
    title: string;
    axis: string; // what y is
    unit: string; // as people read it
    scale: number; // times which the columns have that unit
    kind: (typeof plotKinds)[number];
    lines: PlotLine[]; // or bars; none for contact forces
    ofJoints: boolean; // labels are names of joints
    limits: (typeof plotLimits)[number] | null; // of the joints
    band: (typeof plotBands)[number] | null;
    ofLimits: boolean; // values by the limits of the joints
    sum: string | null; // label of a line with the sum of the others
    states: string[]; // names of the numbers 0, 1, ...
    hasIdle: boolean; // state 0 is that of nothing going on
}

export interface MeshSize {
    vertices: number;
    triangles: number;
}

export type Encoding =
    | { encoding: "u16"; min: number; scale: number }
    | { encoding: "f64" }
    | { encoding: "grid"; start: number; step: number }
    | { encoding: "constant"; value: number };

export interface Report {
    summary: Summary;
    scenario: string | null;
    robot: Robot | null;
    surfaces: Surface[];
    contacts: Contact[];
    com: number[] | null;
    zmp: number[] | null;
    target: Target | null;
    plots: Plot[];
    meshes: MeshSize[];
    encodings: Encoding[];
}

const readText = (json: Json): string => json.text();
const readNumber = (json: Json): number => json.number();

function readColumn(json: Json): Column {
    return {
        name: json.key("name").text(),
        unit: json.key("unit").text(),
        group: json.key("group").text(),
    };
}

function readEvent(json: Json): RecordedEvent {
    const readValue = (value: Json): EventValue => ({
        name: value.key("name").text(),
        value: value.key("value").optional(readNumber),
        unit: value.key("unit").optional(readText) ?? "",
    });
    return {
        t: json.key("t").number(),
        kind: json.key("kind").text(),
        what: json.key("what").optional(readText) ?? "",
        text: json.key("text").optional(readText) ?? "",
        values: json.key("values").optional((values) => values.list(readValue)) ?? [],
    };
}

function readResult(name: string, json: Json): Result {
    return {
        name,
        value: json.key("value").optional(readNumber),
        unit: json.key("unit").optional(readText) ?? "",
        printed: json.key("printed").optional(readNumber),
        tolerance: json.key("tolerance").optional(readNumber),
        source: json.key("source").optional(readText),
        isTruth: json.key("truth").optional((is) => is.truth()) ?? false,
    };
}

function readCard(json: Json): Card {
    return {
        title: json.key("title").text(),
        value: json.key("value").optional(readNumber),
        unit: json.key("unit").optional(readText) ?? "",
        text: json.key("text").optional(readText),
        limit: json.key("limit").optional(readText),
        note: json.key("note").optional(readText),
        state: json.key("state").optional((state) => state.word(cardStates)) ?? "plain",
    };
}

function readTablePlot(json: Json, columns: number): TablePlot {
    const index = (column: Json): number => column.index(columns);
    return {
        x: json.key("x").optional(index),
        y: json.key("y").indices(columns),
        series: json.key("series").optional(index),
        byRows: json.key("join").optional(readText) === "rows",
        isMap: json.key("join").optional(readText) === "cells",
        tile: json.key("tile").optional(index),
    };
}

function readTable(json: Json): RecordedTable {
    const columns = json.key("columns").list((column) => ({
        name: column.key("name").text(),
        unit: column.key("unit").optional(readText) ?? "-",
    }));
    const cell = (value: Json): number | null => value.optional(readNumber);
    const rows = json.key("values").list((row) => row.listOf(columns.length, cell));
    return {
        name: json.key("name").text(),
        title: json.key("title").optional(readText) ?? "",
        columns,
        labels: json.key("labels").optional((labels) => labels.listOf(rows.length, readText)),
        rows,
        plot: json.key("plot").optional((plot) => readTablePlot(plot, columns.length)),
    };
}

function checkVersion(json: Json, what: string, known: number): void {
    const version = json.key("version").optional(readNumber) ?? 1;
    if (version > known) {
        throw new Refusal(
            `The ${what} in this page is of a newer format, version ${version}, and this page reads ` +
                `up to version ${known}. Make the report again with the atemi that recorded it.`,
        );
    }
}

function readSummary(json: Json): Summary {
    checkVersion(json, "recording", recordingVersion);
    const results = json.key("results").optional((all) => all.entries()) ?? [];
    return {
        job: json.key("job").optional(readText) ?? "",
        outcome: json.key("outcome").optional(readText) ?? "",
        verdict: json.key("verdict").optional(readText) ?? "",
        cards: json.key("cards").optional((cards) => cards.list(readCard)) ?? [],
        atemi: json.key("atemi").optional(readText) ?? "",
        rows: json.key("rows").index(2 ** 28),
        columns: json.key("columns").list(readColumn),
        events: json.key("events").list(readEvent),
        results: results.map(([name, result]) => readResult(name, result)),
        tables: json.key("tables").optional((tables) => tables.list(readTable)) ?? [],
    };
}

function readPart(json: Json, meshes: number): Part {
    return {
        shape: json.key("shape").word(shapes),
        position: json.key("position").numbers(3),
        quaternion: json.key("quaternion").numbers(4),
        size: json.key("size").numbers(3),
        color: json.key("color").optional((color) => color.numbers(4)),
        mesh: json.key("mesh").optional((mesh) => mesh.index(meshes)),
    };
}

function readJoint(json: Json, links: number, columns: number): Joint {
    return {
        name: json.key("name").text(),
        type: json.key("type").word(jointTypes),
        parent: json.key("parent").index(links),
        child: json.key("child").index(links),
        position: json.key("position").numbers(3),
        quaternion: json.key("quaternion").numbers(4),
        axis: json.key("axis").numbers(3),
        columns: json.key("columns").indices(columns),
        mimic: json.key("mimic").optional((mimic) => ({
            joint: mimic.key("joint").index(2 ** 31),
            multiplier: mimic.key("multiplier").number(),
            offset: mimic.key("offset").number(),
        })),
        lower: json.key("lower").optional(readNumber),
        upper: json.key("upper").optional(readNumber),
        velocity: json.key("velocity").optional(readNumber),
        effort: json.key("effort").optional(readNumber),
        armature: json.key("armature").optional(readNumber) ?? 0,
        damping: json.key("damping").optional(readNumber) ?? 0,
        friction: json.key("friction").optional(readNumber) ?? 0,
    };
}

function readRobot(json: Json, columns: number, meshes: number): Robot {
    const links = json.key("links").list((link) => ({
        name: link.key("name").text(),
        mass: link.key("mass").optional(readNumber),
        com: link.key("com").optional((com) => com.numbers(3)) ?? [0, 0, 0],
        inertia: link.key("inertia").optional((all) => all.numbers(6)) ?? [0, 0, 0, 0, 0, 0],
        parts: link.key("parts").list((part) => readPart(part, meshes)),
        collision: (link.key("collision").optional((all) => all.list((part) => readPart(part, 0))) ??
            []) as Part[],
    }));
    return {
        name: json.key("name").text(),
        base: json.key("base").word(bases),
        baseColumns: json.key("base_columns").indices(columns),
        gravity: json.key("gravity").optional((gravity) => gravity.numbers(3)) ?? [0, 0, -9.81],
        loops: json.key("loops").optional(readNumber) ?? 0,
        root: json.key("root").index(links.length),
        links,
        joints: json.key("joints").list((joint) => readJoint(joint, links.length, columns)),
    };
}

function readSurface(json: Json): Surface {
    return {
        name: json.key("name").optional(readText) ?? "",
        kind: json.key("kind").word(surfaceKinds),
        position: json.key("position").numbers(3),
        axis: json.key("axis").optional((axis) => axis.numbers(3)) ?? [0, 0, 1],
        radius: json.key("radius").optional(readNumber) ?? 0,
        columns: json.key("columns").optional(readNumber) ?? 0,
        rows: json.key("rows").optional(readNumber) ?? 0,
        spacing: json.key("spacing").optional((spacing) => spacing.numbers(2)) ?? [0, 0],
        heights: json.key("heights").optional((heights) => heights.list(readNumber)) ?? [],
    };
}

function readContact(json: Json, columns: number): Contact {
    return {
        name: json.key("name").text(),
        mode: json.key("mode").index(columns),
        force: json.key("force").indices(columns),
        position: json.key("position").optional((position) => position.indices(columns)),
    };
}

function readTarget(json: Json, columns: number): Target {
    return {
        position: json.key("position").indices(columns),
        direction: json.key("direction").numbers(3),
        width: json.key("width").number(),
    };
}

function readPlot(json: Json, columns: number): Plot {
    const kind = json.key("kind").word(plotKinds);
    const states = json.key("states").optional((all) => all.list(readText)) ?? [];
    if (kind === "states" && states.length === 0) throw new Refusal("a plot of states has none");
    return {
        title: json.key("title").text(),
        axis: json.key("axis").text(),
        unit: json.key("unit").text(),
        scale: json.key("scale").optional(readNumber) ?? 1,
        kind,
        lines: json.key("lines").list((line) => ({
            column: line.key("column").index(columns),
            label: line.key("label").text(),
            isReference: line.key("reference").optional((is) => is.truth()) ?? false,
        })),
        ofJoints: json.key("of_joints").optional((is) => is.truth()) ?? false,
        limits: json.key("limits").optional((limits) => limits.word(plotLimits)),
        band: json.key("band").optional((band) => band.word(plotBands)),
        ofLimits: json.key("of_limits").optional((is) => is.truth()) ?? false,
        sum: json.key("sum").optional(readText),
        states,
        hasIdle: json.key("has_idle").optional((is) => is.truth()) ?? false,
    };
}

function readEncoding(json: Json): Encoding {
    const encoding = json.key("encoding").word(["u16", "f64", "grid", "constant"] as const);
    switch (encoding) {
        case "u16":
            return { encoding, min: json.key("min").number(), scale: json.key("scale").number() };
        case "f64":
            return { encoding };
        case "grid":
            return { encoding, start: json.key("start").number(), step: json.key("step").number() };
        case "constant":
            return { encoding, value: json.key("value").optional(readNumber) ?? NaN };
    }
}

function readWhole(json: Json): Report {
    const summary = readSummary(json.key("summary"));
    const columns = summary.columns.length;
    const encodings = json.key("data").list(readEncoding);
    if (encodings.length !== columns) {
        throw new Refusal(`report.data has ${encodings.length} columns, the summary ${columns}`);
    }
    const meshes = json.key("meshes").list((mesh) => ({
        vertices: mesh.key("vertices").index(2 ** 31),
        triangles: mesh.key("triangles").index(2 ** 31),
    }));
    const indices = (list: Json): number[] => list.indices(columns);
    return {
        summary,
        scenario: json.key("scenario").optional(readText),
        robot: json.key("robot").optional((robot) => readRobot(robot, columns, meshes.length)),
        surfaces: json.key("surfaces").list(readSurface),
        contacts: json.key("contacts").list((contact) => readContact(contact, columns)),
        com: json.key("com").optional(indices),
        zmp: json.key("zmp").optional(indices),
        target: json.key("target").optional((target) => readTarget(target, columns)),
        plots: json.key("plots").list((plot) => readPlot(plot, columns)),
        meshes,
        encodings,
    };
}

/// Whether a second recording stands in the page.
export const hasSecond = (): boolean => document.getElementById("atemi-report-b") !== null;

/// The report that stands in the page, with the mark "-b" the second one. Throws a Refusal that says
/// what is wrong with it.
export function readReport(mark = ""): Report {
    const holder = document.getElementById(`atemi-report${mark}`);
    if (!holder) {
        throw new Refusal("There is no recording in this page. Make one with atemi report DIR.");
    }
    let parsed: unknown;
    try {
        parsed = JSON.parse(holder.textContent ?? "");
    } catch {
        throw new Refusal("The report is truncated: the file ends before its numbers begin.");
    }
    const json = new Json(parsed, "report");
    json.key("format").word(["atemi-report"] as const);
    checkVersion(json, "report", reportVersion);
    return readWhole(json);
}
