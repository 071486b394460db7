// SPDX-License-Identifier: Apache-2.0
//
// The robot as a puppet: in a posture of its own, with a ball at its hand that the pointer drags, and
// dots where the hand could be.

import * as THREE from "three";
import type { Robot } from "./report";
import { posesOf } from "./robot";
import type { Scene } from "./scene";
import { Signal } from "./signal";

const ballSize = 0.045; // m
const dotSize = 0.012;
const bright = [0x440154, 0x3b528b, 0x21918c, 0x5ec962, 0xfde725]; // dark to bright in all eyes

/// A place of the hand and how much is there, from 0 to 1.
export interface Dot {
    at: THREE.Vector3;
    level: number;
}

function colorOf(level: number): THREE.Color {
    const at = Math.min(0.9999, Math.max(0, level)) * (bright.length - 1);
    const [below, above] = [0, 1].map((i) => new THREE.Color(bright[Math.floor(at) + i]));
    return below.lerp(above, at % 1);
}

export class Puppet {
    readonly dragged = new Signal();
    readonly hand = new THREE.Vector3(); // where the pointer dragged it to
    private readonly ball: THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>;
    private readonly dots: THREE.InstancedMesh;
    private readonly group = new THREE.Group();
    private plane: THREE.Plane | null = null; // in which the pointer drags

    constructor(
        private readonly scene: Scene,
        private readonly robot: Robot,
        mostDots: number,
    ) {
        const look = new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.75, depthTest: false });
        this.ball = new THREE.Mesh(new THREE.SphereGeometry(ballSize, 24, 16), look);
        this.ball.renderOrder = 5;
        const dot = new THREE.SphereGeometry(dotSize, 10, 8);
        this.dots = new THREE.InstancedMesh(dot, new THREE.MeshBasicMaterial(), mostDots);
        this.dots.frustumCulled = false;
        this.dots.count = 0;
        this.group.add(this.ball, this.dots);
        this.group.visible = false;
        scene.add(this.group);
        this.listen();
    }

    /// Shows the posture q with its hand at a place, moved by a vector from that of first touch.
    show(q: Float64Array, hand: THREE.Vector3, by: THREE.Vector3, color: string): void {
        this.group.visible = true;
        this.ball.position.copy(hand);
        this.ball.material.color.set(color);
        this.scene.setPosture({ poses: posesOf(this.robot, q), by });
    }

    hide(): void {
        this.group.visible = false;
        this.scene.setPosture(null);
    }

    setDots(dots: readonly Dot[]): void {
        this.dots.count = dots.length;
        dots.forEach(({ at, level }, i) => {
            this.dots.setMatrixAt(i, new THREE.Matrix4().setPosition(at));
            this.dots.setColorAt(i, colorOf(level));
        });
        this.dots.instanceMatrix.needsUpdate = true;
        if (this.dots.instanceColor) this.dots.instanceColor.needsUpdate = true;
        this.scene.refresh();
    }

    /// The ball is taken before the camera hears of the pointer.
    private listen(): void {
        const host = this.scene.canvas.parentElement ?? this.scene.canvas;
        host.addEventListener("pointerdown", (event) => this.take(event), true);
        host.addEventListener("pointermove", (event) => this.drag(event), true);
        for (const end of ["pointerup", "pointercancel"]) {
            host.addEventListener(end, () => this.release(), true);
        }
    }

    private isOver(event: PointerEvent): boolean {
        if (!this.group.visible || event.target !== this.scene.canvas) return false;
        return this.scene.rayOf(event).intersectObject(this.ball).length > 0;
    }

    private take(event: PointerEvent): void {
        if (!this.isOver(event)) return;
        this.plane = new THREE.Plane().setFromNormalAndCoplanarPoint(
            this.scene.sight,
            this.ball.position,
        );
        this.scene.holdCamera(true);
    }

    private drag(event: PointerEvent): void {
        if (!this.plane) {
            this.scene.canvas.style.cursor = this.isOver(event) ? "grab" : "";
            return;
        }
        const place = new THREE.Vector3();
        if (!this.scene.rayOf(event).ray.intersectPlane(this.plane, place)) return;
        this.hand.copy(place);
        this.dragged.emit();
    }

    private release(): void {
        if (!this.plane) return;
        this.plane = null;
        this.scene.holdCamera(false);
    }
}
