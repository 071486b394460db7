// SPDX-License-Identifier: Apache-2.0
//
// Trails: the ways of chosen links, what has passed strong and what is to come faint.

import * as THREE from "three";
import type { Motion } from "./motion";
import type { Palette } from "./theme";

const mostPoints = 1500;

interface Trail {
    past: THREE.Line<THREE.BufferGeometry, THREE.LineBasicMaterial>;
    whole: THREE.Line<THREE.BufferGeometry, THREE.LineBasicMaterial>;
}

function line(points: THREE.Vector3[], opacity: number): Trail["past"] {
    const made = new THREE.Line(
        new THREE.BufferGeometry().setFromPoints(points),
        new THREE.LineBasicMaterial({ transparent: true, opacity }),
    );
    made.frustumCulled = false;
    return made;
}

export class Trails {
    readonly group = new THREE.Group();
    private readonly trails = new Map<number, Trail>();
    private readonly stride: number;

    constructor(
        private readonly motion: Motion,
        private readonly rows: number,
    ) {
        this.stride = Math.max(1, Math.ceil(rows / mostPoints));
    }

    /// The links that have a trail.
    get links(): number[] {
        return [...this.trails.keys()];
    }

    set(link: number, on: boolean, palette: Palette): void {
        const old = this.trails.get(link);
        if (old) this.group.remove(old.past, old.whole);
        this.trails.delete(link);
        if (on) this.add(link);
        this.setColors(palette);
    }

    setColors(palette: Palette): void {
        [...this.trails.values()].forEach(({ past, whole }, i) => {
            past.material.color.set(palette.series[i % palette.series.length]);
            whole.material.color.set(palette.series[i % palette.series.length]);
        });
    }

    /// What has passed by this row is strong.
    show(row: number): void {
        const passed = Math.floor(row / this.stride) + 1;
        for (const { past } of this.trails.values()) past.geometry.setDrawRange(0, passed);
    }

    private add(link: number): void {
        const points: THREE.Vector3[] = [];
        for (let row = 0; row < this.rows; row += this.stride) {
            const poses = this.motion.at({ row, next: row, fraction: 0 });
            points.push(new THREE.Vector3().setFromMatrixPosition(poses[link]));
        }
        const trail = { past: line(points, 1), whole: line(points, 0.25) };
        this.trails.set(link, trail);
        this.group.add(trail.past, trail.whole);
    }
}
