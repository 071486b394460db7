// SPDX-License-Identifier: Apache-2.0
//
// The surfaces of the world: a ground without end, walls, spheres, cylinders, tables of heights.

import * as THREE from "three";
import { groundOf } from "./contacts";
import type { Surface } from "./report";
import type { Palette } from "./theme";

const wallSize = 2; // m, the side of a plane that is not the ground
const cylinderLength = 4; // m
const cellPieces = 6; // pieces into which a cell of a table of heights is cut, each way

const vectorOf = (v: readonly number[]): THREE.Vector3 => new THREE.Vector3(v[0], v[1], v[2]);

// The grid is drawn by distance to the next line in pixels, and fades away from the centre. What is
// below shines through: a manipulator may hang under its base.
const groundVertex = `
varying vec2 place;
varying vec2 offset;
uniform float radius;
void main() {
    place = (modelMatrix * vec4(position, 1.0)).xy;
    offset = position.xy / radius;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;
const groundFragment = `
varying vec2 place;
varying vec2 offset;
uniform vec3 floorColor;
uniform vec3 lineColor;
uniform float cell;
float nearLine(vec2 x, vec2 pixel) {
    vec2 lines = abs(fract(x - 0.5) - 0.5) / pixel;
    return 1.0 - min(min(lines.x, lines.y), 1.0);
}
void main() {
    vec2 x = place / cell;
    vec2 pixel = fwidth(x);
    float lines = max(0.35 * nearLine(x, pixel), 0.8 * nearLine(0.1 * x, 0.1 * pixel));
    float fade = 1.0 - smoothstep(0.3, 1.0, length(offset));
    gl_FragColor = vec4(mix(floorColor, lineColor, lines), fade * mix(0.4, 1.0, lines));
}`;

function groundMaterial(radius: number, cell: number): THREE.ShaderMaterial {
    return new THREE.ShaderMaterial({
        vertexShader: groundVertex,
        fragmentShader: groundFragment,
        transparent: true,
        depthWrite: false,
        side: THREE.DoubleSide,
        uniforms: {
            radius: { value: radius },
            cell: { value: cell },
            floorColor: { value: new THREE.Color() },
            lineColor: { value: new THREE.Color() },
        },
    });
}

function catmullRom(a: number, b: number, c: number, d: number, s: number): number {
    return b + 0.5 * s * (c - a + s * (2 * a - 5 * b + 4 * c - d + s * (3 * (b - c) + d - a)));
}

/// The height between the table's points, which goes on level outside [x, y in cells].
function heightAt(surface: Surface, x: number, y: number): number {
    const { columns, rows, heights } = surface;
    const clamp = (i: number, count: number): number => Math.min(count - 1, Math.max(0, i));
    const along = (row: number): number => {
        const i = Math.min(Math.floor(x), columns - 2);
        const at = (k: number): number => heights[clamp(row, rows) * columns + clamp(k, columns)];
        return catmullRom(at(i - 1), at(i), at(i + 1), at(i + 2), x - i);
    };
    const j = Math.min(Math.floor(y), rows - 2);
    return catmullRom(along(j - 1), along(j), along(j + 1), along(j + 2), y - j);
}

function heightsGeometry(surface: Surface): THREE.BufferGeometry {
    const { columns, rows, spacing } = surface;
    const nx = (columns - 1) * cellPieces;
    const ny = (rows - 1) * cellPieces;
    const geometry = new THREE.PlaneGeometry(1, 1, nx, ny);
    const positions = geometry.getAttribute("position");
    for (let k = 0; k < positions.count; ++k) {
        const x = (k % (nx + 1)) / cellPieces;
        const y = (ny - Math.floor(k / (nx + 1))) / cellPieces;
        positions.setXYZ(k, x * spacing[0], y * spacing[1], heightAt(surface, x, y));
    }
    geometry.computeVertexNormals();
    return geometry;
}

function surfaceGeometry(surface: Surface): THREE.BufferGeometry {
    const radius = Math.abs(surface.radius);
    switch (surface.kind) {
        case "plane":
            return new THREE.PlaneGeometry(wallSize, wallSize);
        case "sphere":
            return new THREE.SphereGeometry(radius, 64, 40);
        case "cylinder":
            return new THREE.CylinderGeometry(radius, radius, cylinderLength, 64, 1, true).rotateX(
                Math.PI / 2,
            );
        case "heights":
            return heightsGeometry(surface);
    }
}

/// Turns z to the axis, with the rest as level as it can be.
function turnTo(object: THREE.Object3D, axis: THREE.Vector3): void {
    object.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), axis);
}

export class Surfaces {
    readonly group = new THREE.Group();
    private readonly ground: THREE.Mesh;
    private readonly groundLook: THREE.ShaderMaterial;
    private readonly others = new THREE.MeshLambertMaterial({
        side: THREE.DoubleSide,
        transparent: true,
        opacity: 0.75,
    });

    /// `extent` is the size of the robot.
    constructor(surfaces: readonly Surface[], extent: number) {
        const ground = groundOf(surfaces);
        const radius = 12 * extent;
        this.groundLook = groundMaterial(radius, extent > 0.4 ? 0.1 : 0.01);
        this.ground = new THREE.Mesh(new THREE.CircleGeometry(radius, 48), this.groundLook);
        turnTo(this.ground, vectorOf(ground?.axis ?? [0, 0, 1]));
        this.ground.add(shadowCatcher(2 * extent));
        if (!surfaces.some(({ kind }) => kind === "heights")) this.group.add(this.ground);
        for (const surface of surfaces) if (surface !== ground) this.addOther(surface);
    }

    /// The ground has no end: it stays under the robot, its lines in their places.
    moveTo(place: THREE.Vector3): void {
        this.ground.position.copy(place);
    }

    setColors(palette: Palette): void {
        const { floorColor, lineColor } = this.groundLook.uniforms;
        floorColor.value.set(palette.floor).convertLinearToSRGB(); // as they go to the screen
        lineColor.value.set(palette.line).convertLinearToSRGB();
        this.others.color.set(palette.surface);
    }

    private addOther(surface: Surface): void {
        const mesh = new THREE.Mesh(surfaceGeometry(surface), this.others);
        mesh.position.copy(vectorOf(surface.position));
        if (surface.kind !== "heights") turnTo(mesh, vectorOf(surface.axis));
        mesh.receiveShadow = true;
        this.group.add(mesh);
    }
}

/// The part of the ground that the robot's shadow can reach.
function shadowCatcher(radius: number): THREE.Mesh {
    const material = new THREE.ShadowMaterial({ opacity: 0.28, depthWrite: false });
    const mesh = new THREE.Mesh(new THREE.CircleGeometry(radius, 32), material);
    mesh.receiveShadow = true;
    mesh.renderOrder = 1;
    return mesh;
}
