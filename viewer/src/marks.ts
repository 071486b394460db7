// SPDX-License-Identifier: Apache-2.0
//
// What is drawn into the scene besides bodies: contact points and their forces, the centre of mass,
// the ZMP and the support polygon.

import * as THREE from "three";
import type { ContactState } from "./contacts";
import type { Palette } from "./theme";

const yAxis = new THREE.Vector3(0, 1, 0);

function overlay(opacity = 1): THREE.MeshBasicMaterial {
    return new THREE.MeshBasicMaterial({
        transparent: true,
        opacity,
        depthTest: false,
        depthWrite: false,
        side: THREE.DoubleSide,
    });
}

function instances(geometry: THREE.BufferGeometry, material: THREE.Material, count: number) {
    const mesh = new THREE.InstancedMesh(geometry, material, Math.max(1, count));
    mesh.frustumCulled = false;
    mesh.renderOrder = 5;
    mesh.count = 0;
    return mesh;
}

/// The points that may touch, coloured by mode.
export class ContactPoints {
    readonly mesh: THREE.InstancedMesh;
    private readonly matrix = new THREE.Matrix4();
    private readonly color = new THREE.Color();

    constructor(count: number, radius: number) {
        this.mesh = instances(new THREE.SphereGeometry(radius, 16, 12), overlay(0.95), count);
    }

    show(states: readonly ContactState[], palette: Palette): void {
        this.mesh.count = states.length;
        states.forEach(({ mode, position }, i) => {
            this.mesh.setMatrixAt(i, this.matrix.makeTranslation(position));
            this.mesh.setColorAt(i, this.color.set(palette.modes[mode]));
        });
        this.mesh.instanceMatrix.needsUpdate = true;
        if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
    }
}

/// Arrows of the forces on the robot, which begin where they act.
export class ForceArrows {
    readonly group = new THREE.Group();
    private readonly look = overlay(0.85);
    private readonly shafts: THREE.InstancedMesh;
    private readonly heads: THREE.InstancedMesh;
    private readonly width: number;

    constructor(count: number, width: number) {
        this.width = width;
        const shaft = new THREE.CylinderGeometry(width, width, 1, 12).translate(0, 0.5, 0);
        const head = new THREE.ConeGeometry(2.6 * width, 6 * width, 16).translate(0, 3 * width, 0);
        this.shafts = instances(shaft, this.look, count);
        this.heads = instances(head, this.look, count);
        this.group.add(this.shafts, this.heads);
    }

    setColor(color: string): void {
        this.look.color.set(color);
    }

    /// A force of one newton is `scale` m long, no arrow longer than `longest`.
    show(states: readonly ContactState[], scale: number, longest: number): void {
        const acting = states.filter(({ force }) => force.length() * scale > this.width);
        this.shafts.count = acting.length;
        this.heads.count = acting.length;
        acting.forEach((state, i) => this.place(i, state, scale, longest));
        this.shafts.instanceMatrix.needsUpdate = true;
        this.heads.instanceMatrix.needsUpdate = true;
    }

    private place(i: number, state: ContactState, scale: number, longest: number): void {
        const length = Math.min(longest, state.force.length() * scale);
        const shaft = Math.max(1e-6, length - 6 * this.width);
        const direction = state.force.clone().normalize();
        const turn = new THREE.Quaternion().setFromUnitVectors(yAxis, direction);
        const stretch = new THREE.Vector3(1, shaft, 1);
        const matrix = new THREE.Matrix4().compose(state.position, turn, stretch);
        this.shafts.setMatrixAt(i, matrix);
        const tip = state.position.clone().addScaledVector(direction, shaft);
        this.heads.setMatrixAt(i, matrix.compose(tip, turn, new THREE.Vector3(1, 1, 1)));
    }
}

/// The convex polygon of the contacts that carry.
export class SupportPolygon {
    readonly group = new THREE.Group();
    private readonly fill = new THREE.Mesh(new THREE.BufferGeometry(), overlay(0.2));
    private readonly edge = new THREE.LineLoop(
        new THREE.BufferGeometry(),
        new THREE.LineBasicMaterial({ transparent: true, depthTest: false }),
    );

    constructor() {
        Object.assign(this.fill.material, {
            depthTest: true, // the robot stands on it
            polygonOffset: true,
            polygonOffsetFactor: -2,
            polygonOffsetUnits: -2,
        });
        this.fill.frustumCulled = false;
        this.edge.frustumCulled = false;
        this.fill.renderOrder = 3;
        this.edge.renderOrder = 4;
        this.group.add(this.fill, this.edge);
    }

    setColor(color: string): void {
        this.fill.material.color.set(color);
        this.edge.material.color.set(color);
    }

    show(corners: readonly THREE.Vector3[]): void {
        this.group.visible = corners.length > 1;
        if (corners.length < 2) return;
        const triangles: number[] = [];
        for (let i = 2; i < corners.length; ++i) triangles.push(0, i - 1, i);
        for (const { geometry } of [this.fill, this.edge]) geometry.dispose();
        this.edge.geometry = new THREE.BufferGeometry().setFromPoints([...corners]);
        this.fill.geometry = new THREE.BufferGeometry().setFromPoints([...corners]);
        this.fill.geometry.setIndex(triangles);
    }
}

/// The centre of mass, with a line down to the ground below it.
export class MassCentre {
    readonly group = new THREE.Group();
    private readonly ball: THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>;
    private readonly drop: THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>;

    constructor(radius: number) {
        this.ball = new THREE.Mesh(new THREE.SphereGeometry(radius, 24, 16), overlay(0.95));
        const line = new THREE.CylinderGeometry(radius / 6, radius / 6, 1, 8).rotateX(Math.PI / 2);
        this.drop = new THREE.Mesh(line.translate(0, 0, -0.5), overlay(0.5));
        this.ball.renderOrder = 7;
        this.drop.renderOrder = 6;
        this.group.add(this.ball, this.drop);
    }

    setColor(color: string): void {
        this.ball.material.color.set(color);
        this.drop.material.color.set(color);
    }

    show(place: THREE.Vector3, groundHeight: number): void {
        this.group.visible = Number.isFinite(place.x);
        this.group.position.copy(place);
        this.drop.scale.z = Math.max(1e-6, place.z - groundHeight);
    }
}

/// The zero-moment point: a ring on the ground with a dot in it.
export class ZeroMomentPoint {
    readonly group = new THREE.Group();
    private readonly look = overlay(1);

    constructor(radius: number) {
        const ring = new THREE.Mesh(new THREE.RingGeometry(0.7 * radius, radius, 32), this.look);
        const dot = new THREE.Mesh(new THREE.CircleGeometry(0.3 * radius, 20), this.look);
        ring.renderOrder = 8;
        dot.renderOrder = 8;
        this.group.add(ring, dot);
    }

    setColor(color: string): void {
        this.look.color.set(color);
    }

    show(place: THREE.Vector3): void {
        this.group.visible = Number.isFinite(place.x) && Number.isFinite(place.y);
        this.group.position.copy(place);
    }
}
