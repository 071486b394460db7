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

const loadLines = (source: PlotSource, lines: readonly PlotLine[]): Promise<Line[]> =>
    linesOf(
        source,
        lines.map(({ column }) => column),
        (_, i) => lines[i].label,
    );

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

const lineOf = (plot: Plot, joint: Joint): PlotLine | undefined =>
    plot.lines.find(({ label }) => label === joint.name);

function jointPanel(source: PlotSource, plot: Plot, joints: JointChoice): Piece {
    const panel = panelOf(source, plot);
    const find = plot.limits && limitsOf[plot.limits];
    let withLimits = true;
    const fill = (): void =>
        panel.setFill(async () => {
            const shown = joints.chosen.filter((joint) => lineOf(plot, joint));
            const lines = await loadLines(
                source,
                shown.flatMap((joint) => lineOf(plot, joint) ?? []),
            );
            lines.forEach((line, i) => (line.faint = shown[i] !== joints.focus));
            const { focus } = joints;
            const limits =
                find && withLimits && focus && lineOf(plot, focus) ? find(focus) : undefined;
            panel.setContent({ lines, limits }, limits && focus ? limitText(focus, limits) : undefined);
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
    const widthOf = (joint: Joint): number => {
        const [low, high] = columns.range(joint.columns[0]);
        return high - low || 0;
    };
    return joints.length > 0 ? new JointChoice(joints, widthOf) : null;
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

function linePanel(source: PlotSource, plot: Plot): Piece {
    const panel = panelOf(source, plot);
    panel.setFill(async () => {
        const lines = await loadLines(source, plot.lines.slice(0, mostLines));
        if (plot.sum !== null && lines.length > 1) {
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
export function makePlots(source: PlotSource): HTMLElement[] {
    const joints = makeChoice(source);
    const isOfJoints = (plot: Plot): boolean =>
        plot.ofJoints && !!joints?.all.some((joint) => lineOf(plot, joint));
    let isChosen = false;
    const pieces = source.report.plots.flatMap((plot): Piece[] => {
        if (plot.kind === "states") return [new StatesPanel(source, plot)];
        if (plot.kind !== "lines") return [forcePanel(source, plot)];
        if (!joints || !isOfJoints(plot)) return [linePanel(source, plot)];
        const above = isChosen ? [] : [joints];
        isChosen = true;
        return [...above, jointPanel(source, plot, joints)];
    });
    return [...pieces, new AnyPanel(source)].map((piece) => piece.root);
}
