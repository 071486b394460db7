// SPDX-License-Identifier: Apache-2.0
//
// What is hit: a block behind its face, which moves as it was recorded.

import * as THREE from "three";
import type { Target } from "./report";

const deepest = 0.25; // m: of a wall, a slab is drawn
const wallWidth = 0.6; // m, from which on a robot may be hidden behind it

/// The hand shines through, and through a wall the robot.
const opacityOf = (width: number): number => (width < wallWidth ? 0.7 : 0.35);

export class TargetBlock {
    readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshLambertMaterial>;

    constructor({ direction, width }: Target) {
        const depth = Math.min(width, deepest);
        const block = new THREE.BoxGeometry(width, width, depth).translate(0, 0, depth / 2);
        const opacity = opacityOf(width);
        const look = new THREE.MeshLambertMaterial({ transparent: true, opacity });
        this.mesh = new THREE.Mesh(block, look);
        this.mesh.up.set(0, 0, 1);
        this.mesh.lookAt(new THREE.Vector3().fromArray(direction));
        this.mesh.castShadow = true;
    }

    setColor(color: string): void {
        this.mesh.material.color.set(color);
    }

    show(place: THREE.Vector3): void {
        this.mesh.visible = Number.isFinite(place.x);
        this.mesh.position.copy(place);
    }
}
