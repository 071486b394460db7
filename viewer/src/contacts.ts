// SPDX-License-Identifier: Apache-2.0
//
// The contacts over time: their modes, forces and places, and what they support.

import { Vector3 } from "three";
import type { Columns } from "./columns";
import { Moment, valueAt } from "./moment";
import type { Contact, Report, Surface } from "./report";

export const modeNames = ["open", "stick", "slip", "surface", "soft"] as const;
export type ModeName = (typeof modeNames)[number];

/// The mode by its number in the recording, which 16 bits hold only nearly; what is absent or
/// unknown is open.
export const modeOf = (number: number): ModeName => modeNames[Math.round(number)] ?? "open";

export interface ContactState {
    mode: ModeName;
    position: Vector3;
    force: Vector3;
}

/// A contact closer to the ground than this belongs to it, m.
const nearGround = 0.03;

/// "left_sole.2" is a corner of the site left_sole.
export const siteOf = (contact: Contact): string => contact.name.replace(/\.\d+$/, "");

/// The plane on which the robot stands: the first one that is more level than steep.
export function groundOf(surfaces: readonly Surface[]): Surface | undefined {
    return surfaces.find((surface) => surface.kind === "plane" && surface.axis[2] > 0.5);
}

/// How far a point is above the plane.
export function heightAbove(ground: Surface, x: number, y: number, z: number): number {
    const { axis, position } = ground;
    return axis[0] * (x - position[0]) + axis[1] * (y - position[1]) + axis[2] * (z - position[2]);
}

const cross = (o: Vector3, a: Vector3, b: Vector3): number =>
    (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);

function halfHull(sorted: readonly Vector3[]): Vector3[] {
    const hull: Vector3[] = [];
    for (const point of sorted) {
        while (hull.length > 1 && cross(hull[hull.length - 2], hull[hull.length - 1], point) <= 0) {
            hull.pop();
        }
        hull.push(point);
    }
    return hull.slice(0, -1);
}

/// The convex hull of the points seen from above, anticlockwise (Andrew's monotone chain).
export function hullOf(points: readonly Vector3[]): Vector3[] {
    const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
    if (sorted.length < 3) return sorted;
    return [...halfHull(sorted), ...halfHull(sorted.reverse())];
}

interface Series {
    mode: Float64Array;
    force: Float64Array[];
    position: Float64Array[];
}

export class Contacts {
    private constructor(
        private readonly series: Series[],
        private readonly ground: Surface | undefined,
    ) {}

    /// Of the contacts whose places were recorded.
    static async load(report: Report, columns: Columns): Promise<Contacts> {
        const placed = report.contacts.filter((contact) => contact.position);
        const series = await Promise.all(
            placed.map(async (contact) => ({
                mode: await columns.load(contact.mode),
                force: await columns.loadAll(contact.force),
                position: await columns.loadAll(contact.position ?? []),
            })),
        );
        return new Contacts(series, groundOf(report.surfaces));
    }

    /// The modes that occur.
    modes(): Set<ModeName> {
        const numbers = new Set(this.series.flatMap(({ mode }) => [...new Set(mode)]));
        return new Set([...numbers].map(modeOf));
    }

    at(moment: Moment): ContactState[] {
        const vector = ([x, y, z]: Float64Array[]): Vector3 =>
            new Vector3(valueAt(x, moment), valueAt(y, moment), valueAt(z, moment));
        return this.series.map((one) => ({
            mode: modeOf(one.mode[moment.row]),
            position: vector(one.position),
            force: one.force.length > 0 ? vector(one.force) : new Vector3(),
        }));
    }

    /// Whether a contact in this mode at this place carries the robot.
    private carries(mode: ModeName, x: number, y: number, z: number): boolean {
        if (mode === "open") return false;
        return !this.ground || Math.abs(heightAbove(this.ground, x, y, z)) < nearGround;
    }

    /// The corners of the support polygon.
    support(states: readonly ContactState[]): Vector3[] {
        const carrying = states.filter(({ mode, position: { x, y, z } }) =>
            this.carries(mode, x, y, z),
        );
        return hullOf(carrying.map((state) => state.position));
    }

    /// Of every row, the least and the greatest x (axis 0) or y (axis 1) of the support polygon.
    supportRange(rows: number, axis: 0 | 1): [Float64Array, Float64Array] {
        const low = new Float64Array(rows).fill(NaN);
        const high = new Float64Array(rows).fill(NaN);
        for (const { mode, position } of this.series) {
            const [x, y, z] = position;
            for (let i = 0; i < rows; ++i) {
                if (!this.carries(modeOf(mode[i]), x[i], y[i], z[i])) continue;
                const place = position[axis][i];
                low[i] = low[i] <= place ? low[i] : place;
                high[i] = high[i] >= place ? high[i] : place;
            }
        }
        return [low, high];
    }

    /// A force that is common in this recording, N: four fifths of those that act are smaller.
    commonForce(rows: number): number {
        const sizes: number[] = [];
        const stride = Math.max(1, Math.floor(rows / 500));
        for (let row = 0; row < rows; row += stride) {
            for (const { force, mode } of this.at({ row, next: row, fraction: 0 })) {
                if (mode !== "open" && force.length() > 0) sizes.push(force.length());
            }
        }
        sizes.sort((a, b) => a - b);
        return sizes[Math.floor(0.8 * sizes.length)] ?? 1;
    }
}
