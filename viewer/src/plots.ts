// SPDX-License-Identifier: Apache-2.0
//
// The plots of a recording: which panels there are, and what stands in them.

import { AnyPanel } from "./any_panel";
import type { Limits } from "./axis";
import { Contacts, siteOf } from "./contacts";
import { choice, toggle } from "./dom";
import { unitText } from "./format";
import { GaitPanel, gaitColumns } from "./gait";
import { JointChoice } from "./joint_choice";
import { colors, linesOf, PlotSource } from "./lines";
import { ModePanel } from "./modes";
import { Panel, PlotPanel } from "./panel";
import type { Line } from "./plot";
import type { Column, Contact, Joint, Report } from "./report";

const mostLines = 8; // in a panel that nobody chose the lines of

/// Groups that have panels of their own, or are found by name under "Any column".
const knownGroups = new Set([
    "t",
    "q",
    "v",
    "a",
    "tau",
    "contact",
    "gait",
    "wrench",
    "energy",
    "com",
    "zmp",
]);

function findColumn(report: Report, name: string): number {
    return report.summary.columns.findIndex((column) => column.name === name);
}

function columnsWhere(report: Report, test: (column: Column) => boolean): number[] {
    return report.summary.columns.flatMap((column, i) => (test(column) ? [i] : []));
}

const panelOf = (source: PlotSource, title: string): PlotPanel =>
    new PlotPanel(title, source.timeline, source.theme);

function sumOf(columns: readonly Float64Array[]): Float64Array {
    const sum = columns[0].slice();
    for (const column of columns.slice(1)) {
        for (let i = 0; i < sum.length; ++i) sum[i] += column[i];
    }
    return sum;
}

function lengthOf([x, y, z]: readonly Float64Array[]): Float64Array {
    return x.map((value, i) => Math.hypot(value, y[i], z[i]));
}

// ---- Forces ---------------------------------------------------------------------------------

const components = ["|f|", "x", "y", "z"] as const;
type Component = (typeof components)[number];

const contactsWithForce = (report: Report): Contact[] =>
    report.contacts.filter(({ force }) => force.length === 3);

/// The forces of each site, or of each corner.
async function forceLines(source: PlotSource, component: Component, sites: boolean) {
    const groups = new Map<string, number[][]>();
    for (const contact of contactsWithForce(source.report)) {
        const name = sites ? siteOf(contact) : contact.name;
        groups.set(name, [...(groups.get(name) ?? []), contact.force]);
    }
    const axis = ["x", "y", "z"].indexOf(component);
    const loaded = [...groups].map(async ([label, forces], i): Promise<Line> => {
        const total = async (k: number): Promise<Float64Array> =>
            sumOf(await source.columns.loadAll(forces.map((force) => force[k])));
        const values =
            axis < 0 ? lengthOf(await Promise.all([0, 1, 2].map(total))) : await total(axis);
        return { label, unit: "N", color: i % colors, values };
    });
    return Promise.all(loaded);
}

function forcePanel(source: PlotSource): Panel[] {
    if (contactsWithForce(source.report).length === 0) return [];
    const panel = panelOf(source, "Contact forces");
    let component: Component = "|f|";
    let sites = true;
    const fill = (): void =>
        panel.setFill(async () =>
            panel.setContent({ lines: await forceLines(source, component, sites) }),
        );
    panel.controls.append(
        choice("Component", components, component, (chosen) => {
            component = chosen;
            fill();
        }),
        toggle("corners", "Each corner by itself", false, (on) => {
            sites = !on;
            fill();
        }),
    );
    fill();
    return [panel];
}

// ---- Balance --------------------------------------------------------------------------------

function zmpPanel(source: PlotSource, axis: 0 | 1): Panel[] {
    const { report, columns, timeline } = source;
    if (!report.zmp) return [];
    const name = ["x", "y"][axis];
    const panel = panelOf(source, `ZMP and CoM in ${name}`);
    const indices = [report.zmp[axis], ...(report.com ? [report.com[axis]] : [])];
    panel.setFill(async () => {
        const lines = await linesOf(source, indices, (column) => column.name);
        const contacts = await Contacts.load(report, columns);
        const band = contacts.supportRange(timeline.t.length, axis);
        panel.setContent({ lines, band }, "shaded: extent of the support");
    });
    return [panel];
}

// ---- Joints ---------------------------------------------------------------------------------

interface JointQuantity {
    title: string;
    prefix: string;
    limits: (joint: Joint) => Limits;
}

const both = (limit: number | null): Limits => ({
    lower: limit === null ? null : -limit,
    upper: limit,
});

const jointQuantities: JointQuantity[] = [
    {
        title: "Joint positions",
        prefix: "q.",
        limits: ({ lower, upper }) => ({ lower, upper }),
    },
    { title: "Joint velocities", prefix: "v.", limits: ({ velocity }) => both(velocity) },
    { title: "Joint torques", prefix: "tau.", limits: ({ effort }) => both(effort) },
];

const limitText = (joint: Joint, limits: Limits): string | undefined =>
    limits.lower === null && limits.upper === null
        ? undefined
        : `shaded: beyond the limits of ${joint.name}`;

function jointPanel(source: PlotSource, quantity: JointQuantity, joints: JointChoice): Panel[] {
    const { report } = source;
    const columnOf = (joint: Joint): number => findColumn(report, quantity.prefix + joint.name);
    if (!joints.all.some((joint) => columnOf(joint) >= 0)) return [];
    const panel = panelOf(source, quantity.title);
    let withLimits = true;
    const fill = (): void =>
        panel.setFill(async () => {
            const shown = joints.chosen.filter((joint) => columnOf(joint) >= 0);
            const lines = await linesOf(source, shown.map(columnOf), (column) =>
                column.name.slice(quantity.prefix.length),
            );
            lines.forEach((line, i) => (line.faint = shown[i] !== joints.focus));
            const limits = withLimits && joints.focus ? quantity.limits(joints.focus) : undefined;
            const note = limits && joints.focus ? limitText(joints.focus, limits) : undefined;
            panel.setContent({ lines, limits }, note);
        });
    panel.controls.append(
        toggle("limits", "Shade what lies beyond the limits", true, (on) => {
            withLimits = on;
            fill();
        }),
    );
    joints.changed.listen(fill);
    fill();
    return [panel];
}

function jointPanels(source: PlotSource): Array<Panel | JointChoice> {
    const { report, columns } = source;
    const joints = (report.robot?.joints ?? []).filter(({ columns: q }) => q.length === 1);
    if (joints.length === 0) return [];
    const widthOf = (joint: Joint): number => {
        const [low, high] = columns.range(joint.columns[0]);
        return high - low || 0;
    };
    const choiceOfJoints = new JointChoice(joints, widthOf);
    const panels = jointQuantities.flatMap((one) => jointPanel(source, one, choiceOfJoints));
    return [choiceOfJoints, ...panels];
}

// ---- The rest -------------------------------------------------------------------------------

function energyPanel(source: PlotSource): Panel[] {
    const indices = columnsWhere(source.report, (column) => column.group === "energy");
    if (indices.length === 0) return [];
    const panel = panelOf(source, "Energies");
    panel.setFill(async () => {
        const lines = await linesOf(source, indices, (column) =>
            column.name.slice("energy.".length),
        );
        if (lines.length > 1) {
            const values = sumOf(lines.map((line) => line.values));
            lines.push({ label: "sum", unit: lines[0].unit, color: lines.length, values });
        }
        panel.setContent({ lines });
    });
    return [panel];
}

/// A panel for each group of columns that this page knows nothing of, what the job itself is about,
/// and for each of its units.
function otherPanels(source: PlotSource): Panel[] {
    const kinds = new Map<string, Map<string, number[]>>();
    source.report.summary.columns.forEach(({ group, unit }, i) => {
        const units = kinds.get(group) ?? new Map<string, number[]>();
        units.set(unit, [...(units.get(unit) ?? []), i]);
        kinds.set(group, units);
    });
    return [...kinds]
        .filter(([group]) => !knownGroups.has(group))
        .flatMap(([group, units]) =>
            [...units].map(([unit, indices]) => {
                const isOne = units.size === 1 || unitText(unit) === "";
                return otherPanel(source, isOne ? group : `${group} [${unit}]`, indices);
            }),
        );
}

function otherPanel(source: PlotSource, title: string, indices: readonly number[]): Panel {
    const panel = panelOf(source, title);
    const left = indices.length - mostLines;
    const note = left > 0 ? `${left} more under "Any column"` : undefined;
    panel.setFill(async () =>
        panel.setContent({ lines: await linesOf(source, indices.slice(0, mostLines)) }, note),
    );
    return panel;
}

/// All panels from top to bottom.
export function makePlots(source: PlotSource): HTMLElement[] {
    const { report, columns, timeline, theme } = source;
    const modes =
        report.contacts.length > 0 ? [new ModePanel(report, columns, timeline, theme)] : [];
    const gait =
        gaitColumns(report).length > 0 ? [new GaitPanel(report, columns, timeline, theme)] : [];
    const panels = [
        ...gait,
        ...otherPanels(source),
        ...modes,
        ...forcePanel(source),
        ...zmpPanel(source, 0),
        ...zmpPanel(source, 1),
        ...jointPanels(source),
        ...energyPanel(source),
        new AnyPanel(source),
    ];
    return panels.map((panel) => panel.root);
}
