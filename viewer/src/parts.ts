// SPDX-License-Identifier: Apache-2.0
//
// What the links look like: a mesh of three.js for each part.

import * as THREE from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";
import { bytesOfElement } from "./columns";
import type { MeshSize, Part, Robot } from "./report";
import { poseOf } from "./robot";

/// three.js' cylinders and capsules stand along y, ours along z.
const upright = (geometry: THREE.BufferGeometry): THREE.BufferGeometry =>
    geometry.rotateX(Math.PI / 2);

function boxGeometry([x, y, z]: number[]): THREE.BufferGeometry {
    const edge = 0.12 * Math.min(x, y, z);
    return edge > 0 ? new RoundedBoxGeometry(x, y, z, 2, edge) : new THREE.BoxGeometry(x, y, z);
}

function geometryOf(part: Part, meshes: readonly THREE.BufferGeometry[]): THREE.BufferGeometry {
    const [a, b] = part.size;
    switch (part.shape) {
        case "box":
            return boxGeometry(part.size);
        case "cylinder":
            return upright(new THREE.CylinderGeometry(a, a, b, 24));
        case "sphere":
            return new THREE.SphereGeometry(a, 24, 16);
        case "capsule":
            return upright(new THREE.CapsuleGeometry(a, b, 6, 20));
        case "mesh":
            return meshes[part.mesh ?? -1] ?? new THREE.BufferGeometry();
    }
}

/// The mesh that the page holds: float32 positions, then uint32 indices.
async function meshGeometry(
    index: number,
    size: MeshSize,
    mark: string,
): Promise<THREE.BufferGeometry> {
    const bytes = await bytesOfElement(`atemi${mark}-mesh-${index}`);
    const geometry = new THREE.BufferGeometry();
    const split = 12 * size.vertices;
    if (bytes.length < split + 12 * size.triangles) return geometry;
    const positions = new Float32Array(bytes.buffer, 0, 3 * size.vertices);
    const indices = new Uint32Array(bytes.buffer, split, 3 * size.triangles);
    geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
    geometry.setIndex(new THREE.BufferAttribute(indices, 1));
    return geometry;
}

function materialOf(part: Part): THREE.MeshLambertMaterial {
    const material = new THREE.MeshLambertMaterial({
        flatShading: part.shape === "mesh",
    });
    if (part.color) {
        const [red, green, blue, alpha] = part.color;
        material.color.setRGB(red, green, blue, THREE.SRGBColorSpace);
        material.opacity = alpha;
        material.transparent = alpha < 1;
    }
    return material;
}

function placePart(mesh: THREE.Mesh, part: Part): void {
    mesh.applyMatrix4(poseOf(part.position, part.quaternion));
    if (part.shape === "mesh") mesh.scale.set(part.size[0], part.size[1], part.size[2]);
    mesh.castShadow = true;
}

/// The robot's body: a group for each link, whose poses the caller sets.
export class Body {
    readonly group = new THREE.Group();
    readonly links: THREE.Group[];
    private readonly plain: THREE.MeshLambertMaterial[] = []; // of parts without a colour

    private constructor(robot: Robot, meshes: readonly THREE.BufferGeometry[]) {
        this.links = robot.links.map((link) => {
            const group = new THREE.Group();
            group.matrixAutoUpdate = false;
            for (const part of link.parts) group.add(this.makePart(part, meshes));
            return group;
        });
        for (const link of this.links) this.group.add(link);
    }

    /// A body without meshes.
    static of(robot: Robot): Body {
        return new Body(robot, []);
    }

    /// Brings in the meshes, each of which several parts may share.
    static async load(robot: Robot, sizes: readonly MeshSize[], mark = ""): Promise<Body> {
        const meshes = sizes.map((size, i) => meshGeometry(i, size, mark));
        return new Body(robot, await Promise.all(meshes));
    }

    /// Shows all of it through, in one colour: what was commanded, another recording, or the shapes
    /// that touch. Where it equals the robot, the robot is seen, or the ghost if it is in front.
    makeGhost(color: string, isInFront = false): void {
        const offset = isInFront ? -4 : 4;
        this.group.traverse((part) => {
            if (!(part instanceof THREE.Mesh)) return;
            part.castShadow = false;
            part.material = new THREE.MeshLambertMaterial({
                color,
                transparent: true,
                opacity: 0.35,
                depthWrite: false,
                polygonOffset: true,
                polygonOffsetFactor: offset,
                polygonOffsetUnits: offset,
            });
        });
    }

    /// The link that a part belongs to.
    linkOf(part: THREE.Object3D): number {
        return this.links.findIndex((link) => link === part.parent);
    }

    setColor(color: string): void {
        for (const material of this.plain) material.color.set(color);
    }

    setPoses(poses: readonly THREE.Matrix4[]): void {
        this.links.forEach((link, i) => {
            link.matrix.copy(poses[i]);
            link.matrixWorldNeedsUpdate = true;
        });
    }

    private makePart(part: Part, meshes: readonly THREE.BufferGeometry[]): THREE.Mesh {
        const material = materialOf(part);
        if (!part.color) this.plain.push(material);
        const mesh = new THREE.Mesh(geometryOf(part, meshes), material);
        placePart(mesh, part);
        return mesh;
    }
}
