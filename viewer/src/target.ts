// SPDX-License-Identifier: Apache-2.0
//
// What is hit: a block behind its face, which moves as it was recorded.

import * as THREE from "three";
import type { Target } from "./report";

const opacity = 0.7; // the hand shines through

export class TargetBlock {
    readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshLambertMaterial>;

    constructor({ direction, width }: Target) {
        const block = new THREE.BoxGeometry(width, width, width).translate(0, 0, width / 2);
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
