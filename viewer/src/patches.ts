// SPDX-License-Identifier: Apache-2.0
//
// Stretches of the floor that are unlike the rest, as walks record them: strips across the ground,
// from right to left if the recording says so, the clearer the more slippery.

import * as THREE from "three";
import type { RecordedTable } from "./report";

interface Patch {
    from: number;
    to: number;
    friction: number;
    right: number | null;
    left: number | null;
}

const tableName = "patches";
const lift = 1e-3; // m, so that the ground does not shine through

function patchesOf(tables: readonly RecordedTable[]): Patch[] {
    const table = tables.find(({ name }) => name === tableName);
    const column = (name: string): number =>
        table?.columns.findIndex((one) => one.name === name) ?? -1;
    const [from, to, friction, right, left] = ["from", "to", "friction", "right", "left"].map(
        column,
    );
    return (table?.rows ?? [])
        .map((row) => ({
            from: row[from] ?? NaN,
            to: row[to] ?? NaN,
            friction: row[friction] ?? NaN,
            right: row[right] ?? null,
            left: row[left] ?? null,
        }))
        .filter(
            (patch) =>
                [patch.from, patch.to, patch.friction].every(Number.isFinite) &&
                patch.to > patch.from,
        );
}

export class Patches {
    readonly group = new THREE.Group();
    private readonly looks: THREE.MeshBasicMaterial[] = [];

    /// `width` is how far they reach across where the recording says nothing.
    constructor(tables: readonly RecordedTable[], width: number) {
        patchesOf(tables).forEach((patch, i) => this.add(patch, width, (i + 1) * lift));
    }

    setColor(color: string): void {
        for (const look of this.looks) look.color.set(color);
    }

    private add(patch: Patch, width: number, height: number): void {
        const { from, to, friction } = patch;
        const right = patch.right ?? -width / 2;
        const left = patch.left ?? width / 2;
        const opacity = 0.15 + 0.6 / (1 + 5 * Math.max(0, friction));
        const look = new THREE.MeshBasicMaterial({ transparent: true, opacity, depthWrite: false });
        const strip = new THREE.Mesh(new THREE.PlaneGeometry(to - from, left - right), look);
        strip.position.set((from + to) / 2, (right + left) / 2, height);
        this.looks.push(look);
        this.group.add(strip);
    }
}
