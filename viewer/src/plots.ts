// SPDX-License-Identifier: Apache-2.0
//
// The plots of a recording, as it describes them: `report.plots` says which there are, what they
// show and in which order (src/io/report/report_plots.h). The figures draw the same list.

import { AnyPanel } from "./any_panel";
import type { Limits } from "./axis";
import { Contacts, siteOf } from "./contacts";
import { choice, toggle } from "./dom";
import { unitText } from "./format";
import { JointChoice } from "./joint_choice";
import { colors, linesOf, PlotSource } from "./lines";
import { PlotPanel } from "./panel";
import type { Line, PlotContent } from "./plot";
import type { Contact, Joint, Plot, PlotLine } from "./report";
import { StatesPanel } from "./states";

const mostLines = 8; // in a panel that nobody chose the lines of

/// Something of the page, from top to bottom.
interface Piece {
    root: HTMLElement;
}

/// name [unit]
const axisText = (axis: string, unit: string): string =>
    unitText(unit) === "" ? axis : `${axis} [${unit}]`;

function panelOf(source: PlotSource, plot: Plot): PlotPanel {
    const panel = new PlotPanel(plot.title, source.timeline, source.theme);
    panel.setAxis(axisText(plot.axis, plot.unit));
    return panel;
}

function sumOf(columns: readonly Float64Array[]): Float64Array {
    const sum = columns[0].slice();
    for (const column of columns.slice(1)) {
        for (let i = 0; i < sum.length; ++i) sum[i] += column[i];
    }
    return sum;
}

const scaled = (values: Float64Array, scale: number): Float64Array =>
    scale === 1 ? values : values.map((value) => scale * value);

/// The lines in the unit of their plot.
async function loadLines(
    source: PlotSource,
    plot: Plot,
    lines: readonly PlotLine[],
    scaleOf: (line: PlotLine) => number = () => plot.scale,
): Promise<Line[]> {
    const columns = lines.map(({ column }) => column);
    const loaded = await linesOf(source, columns, (_, i) => lines[i].label);
    return loaded.map((line, i) => ({
        ...line,
        unit: plot.unit,
        values: scaled(line.values, scaleOf(lines[i])),
        dashed: lines[i].isReference,
    }));
}

// ---- Contact forces -------------------------------------------------------------------------

/// What is drawn of a force, and what y is then.
const components = {
    vertical: { axis: "vertical force", of: (_x: number, _y: number, z: number) => z },
    horizontal: { axis: "horizontal force", of: (x: number, y: number) => Math.hypot(x, y) },
    "|f|": { axis: "force", of: Math.hypot },
    x: { axis: "force along x", of: (x: number) => x },
    y: { axis: "force along y", of: (_x: number, y: number) => y },
};
type Component = keyof typeof components;

const contactsWithForce = (contacts: readonly Contact[]): Contact[] =>
    contacts.filter(({ force }) => force.length === 3);

/// The forces of each site, or of each corner.
async function forceLines(source: PlotSource, component: Component, sites: boolean) {
    const groups = new Map<string, number[][]>();
    for (const contact of contactsWithForce(source.report.contacts)) {
        const name = sites ? siteOf(contact) : contact.name;
        groups.set(name, [...(groups.get(name) ?? []), contact.force]);
    }
    const loaded = [...groups].map(async ([label, forces], i): Promise<Line> => {
        const total = async (axis: number): Promise<Float64Array> =>
            sumOf(await source.columns.loadAll(forces.map((force) => force[axis])));
        const [x, y, z] = await Promise.all([0, 1, 2].map(total));
        const values = x.map((value, k) => components[component].of(value, y[k], z[k]));
        return { label, unit: "N", color: i % colors, values };
    });
    return Promise.all(loaded);
}

function forcePanel(source: PlotSource, plot: Plot): Piece {
    const panel = panelOf(source, plot);
    let component: Component = plot.kind === "vertical_forces" ? "vertical" : "horizontal";
    let sites = true;
    const fill = (): void =>
        panel.setFill(async () =>
            panel.setContent({ lines: await forceLines(source, component, sites) }),
        );
    panel.controls.append(
        choice("Component", Object.keys(components) as Component[], component, (chosen) => {
            component = chosen;
            panel.setAxis(axisText(components[component].axis, plot.unit));
            fill();
        }),
        toggle("corners", "Each corner by itself", false, (on) => {
            sites = !on;
            fill();
        }),
    );
    fill();
    return panel;
}

// ---- Joints ---------------------------------------------------------------------------------

const both = (limit: number | null): Limits => ({
    lower: limit === null ? null : -limit,
    upper: limit,
});

const limitsOf: Record<NonNullable<Plot["limits"]>, (joint: Joint) => Limits> = {
    position: ({ lower, upper }) => ({ lower, upper }),
    velocity: ({ velocity }) => both(velocity),
    effort: ({ effort }) => both(effort),
};

const limitText = (joint: Joint, limits: Limits): string | undefined =>
    limits.lower === null && limits.upper === null
        ? undefined
        : `shaded: beyond the limits of ${joint.name}`;

/// What came of a joint, and what was commanded.
const linesOfJoint = (plot: Plot, joint: Joint): PlotLine[] =>
    plot.lines.filter(({ label }) => label === joint.name);

/// Times which a joint's values have the unit of the plot; NaN where it has no limit to go by.
function scaleFor(plot: Plot, joint: Joint): number {
    if (!plot.ofLimits) return plot.scale;
    const limit = plot.limits === "effort" ? joint.effort : joint.velocity;
    return limit ? plot.scale / limit : NaN;
}

const times = (scale: number, value: number | null): number | null =>
    value === null ? null : scale * value;

function jointPanel(source: PlotSource, plot: Plot, joints: JointChoice): Piece {
    const panel = panelOf(source, plot);
    const find = plot.limits && limitsOf[plot.limits];
    let withLimits = true;
    const fill = (): void =>
        panel.setFill(async () => {
            const shown = joints.chosen.flatMap((joint, color) => {
                const scale = scaleFor(plot, joint);
                const own = Number.isNaN(scale) ? [] : linesOfJoint(plot, joint);
                return own.map((line) => ({ line, joint, color, scale }));
            });
            const lines = await loadLines(
                source,
                plot,
                shown.map(({ line }) => line),
                (line) => shown.find((one) => one.line === line)?.scale ?? 1,
            );
            lines.forEach((line, i) => {
                const { joint, color } = shown[i];
                line.color = color % colors;
                line.faint = joint !== joints.focus;
                if (line.dashed) line.label += ", commanded";
            });
            const focus = shown.find(({ joint }) => joint === joints.focus);
            const bounds = find && withLimits && focus ? find(focus.joint) : undefined;
            const limits = bounds && {
                lower: times(focus?.scale ?? 1, bounds.lower),
                upper: times(focus?.scale ?? 1, bounds.upper),
            };
            const note = limits && focus ? limitText(focus.joint, limits) : undefined;
            panel.setContent({ lines, limits }, note);
        });
    if (find) {
        panel.controls.append(
            toggle("limits", "Shade what lies beyond the limits", true, (on) => {
                withLimits = on;
                fill();
            }),
        );
    }
    joints.changed.listen(fill);
    fill();
    return panel;
}

/// The choice of joints that the panels of joints share; none without joints of one coordinate.
function makeChoice({ report, columns }: PlotSource): JointChoice | null {
    const joints = (report.robot?.joints ?? []).filter(({ columns: q }) => q.length === 1);
    const efforts = report.plots.find(({ ofLimits, limits }) => ofLimits && limits === "effort");
    /// How much a joint matters: by how far it turns, and how much of its effort it needs.
    const weightOf = (joint: Joint): number => {
        const [low, high] = columns.range(joint.columns[0]);
        const line = efforts && linesOfJoint(efforts, joint)[0];
        const [least, most] = line ? columns.range(line.column) : [0, 0];
        const effort = Math.max(Math.abs(least), Math.abs(most)) / (joint.effort || Infinity);
        return Math.max((high - low) / Math.PI || 0, effort || 0);
    };
    return joints.length > 0 ? new JointChoice(joints, weightOf) : null;
}

// ---- Lines ----------------------------------------------------------------------------------

async function bandOf({ report, columns, timeline }: PlotSource, plot: Plot) {
    if (!plot.band) return undefined;
    const contacts = await Contacts.load(report, columns);
    return contacts.supportRange(timeline.t.length, plot.band === "support_x" ? 0 : 1);
}

function noteOf(plot: Plot): string | undefined {
    const left = plot.lines.length - mostLines;
    if (left > 0) return `${left} more under "Any column"`;
    return plot.band ? "shaded: extent of the support" : undefined;
}

/// The same columns of the second recording, dashed, at the times of the first.
async function secondLines(
    { second, report, timeline }: PlotSource,
    plot: Plot,
    lines: readonly Line[],
): Promise<Line[]> {
    if (!second) return [];
    const found = lines.map(async (line, i) => {
        const { name } = report.summary.columns[plot.lines[i].column];
        const index = second.report.summary.columns.findIndex((column) => column.name === name);
        if (index < 0) return [];
        const values = scaled(await second.valuesAt(index, timeline.t), plot.scale);
        return [{ ...line, label: `B: ${line.label}`, values, dashed: true }];
    });
    return (await Promise.all(found)).flat();
}

function linePanel(source: PlotSource, plot: Plot): Piece {
    const panel = panelOf(source, plot);
    panel.setFill(async () => {
        const lines = await loadLines(source, plot, plot.lines.slice(0, mostLines));
        lines.push(...(await secondLines(source, plot, lines)));
        if (plot.sum !== null && lines.length > 1 && !source.second) {
            const values = sumOf(lines.map((line) => line.values));
            lines.push({ label: plot.sum, unit: plot.unit, color: lines.length % colors, values });
        }
        const content: PlotContent = { lines, band: await bandOf(source, plot) };
        panel.setContent(content, noteOf(plot));
    });
    return panel;
}

// ---- All ------------------------------------------------------------------------------------

/// All panels from top to bottom; the choice of joints stands above the first panel of joints.
export function makePlots(source: PlotSource): { content: HTMLElement[]; joints: JointChoice | null } {
    const joints = makeChoice(source);
    const isOfJoints = (plot: Plot): boolean =>
        plot.ofJoints && !!joints?.all.some((joint) => linesOfJoint(plot, joint).length > 0);
    let isChosen = false;
    const pieces = source.report.plots.flatMap((plot): Piece[] => {
        if (plot.kind === "states") return [new StatesPanel(source, plot)];
        if (plot.kind !== "lines") return [forcePanel(source, plot)];
        if (!joints || !isOfJoints(plot)) return [linePanel(source, plot)];
        const above = isChosen ? [] : [joints];
        isChosen = true;
        return [...above, jointPanel(source, plot, joints)];
    });
    const content = [...pieces, new AnyPanel(source)].map((piece) => piece.root);
    return { content, joints };
}
