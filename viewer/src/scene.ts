// SPDX-License-Identifier: Apache-2.0
//
// The scene: robot, world and marks in three.js, drawn only when something has changed.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { makeRenderer } from "./canvas";
import type { Columns } from "./columns";
import { Contacts, groundOf, heightAbove } from "./contacts";
import { ContactPoints, ForceArrows, MassCentre, SupportPolygon, ZeroMomentPoint } from "./marks";
import { Moment, momentAt, valueAt } from "./moment";
import { Motion } from "./motion";
import { Body } from "./parts";
import { Patches } from "./patches";
import type { Report, Robot } from "./report";
import { Actor, actorOf } from "./robot";
import { Surfaces } from "./surfaces";
import { TargetBlock } from "./target";
import type { Theme } from "./theme";
import type { Ghost } from "./ghost";
import { Signal } from "./signal";
import type { Timeline } from "./timeline";
import { Trails } from "./trails";

export interface Visibility {
    contacts: boolean;
    forces: boolean;
    com: boolean;
    zmp: boolean;
    follow: boolean;
    frames: boolean;
    shapes: boolean;
    ghost: boolean;
}

/// Where the camera looks from, as seen from the robot.
export const cameraViews = {
    ahead: [1, 0, 0.12],
    right: [0, -1, 0.12],
    left: [0, 1, 0.12],
    above: [0.02, 0, 1],
    corner: [1, -0.85, 0.35],
} as const;
export type CameraView = keyof typeof cameraViews;

const leastMove = 4; // px; a pointer that moves less picks

const farFall = 8; // times the robot's size; what falls further is followed
const roomSamples = 8; // postures by which the camera finds its distance

/// A posture that was not recorded, and by how much its target is elsewhere.
export interface Posture {
    poses: THREE.Matrix4[];
    by: THREE.Vector3;
}

/// The numbers over time that the scene shows.
interface Recorded {
    motion: Motion | null;
    contacts: Contacts;
    com: Float64Array[] | null;
    zmp: Float64Array[] | null;
    target: Float64Array[] | null;
}

const absent = [NaN, NaN, NaN] as const;

/// The first three of several columns at a moment; those that there are not are absent.
function valuesAt(series: readonly Float64Array[], moment: Moment): [number, number, number] {
    const value = (i: number): number => (i < series.length ? valueAt(series[i], moment) : NaN);
    return [value(0), value(1), value(2)];
}

const emptyRobot: Robot = {
    name: "",
    base: "fixed",
    baseColumns: [],
    gravity: [0, 0, 0],
    loops: 0,
    root: 0,
    links: [],
    joints: [],
};

/// The shapes that touch, as a body of their own.
function collisionsOf(robot: Robot): Body {
    const links = robot.links.map((link) => ({ ...link, parts: link.collision }));
    return Body.of({ ...robot, links });
}

async function loadRecorded(report: Report, columns: Columns): Promise<Recorded> {
    return {
        motion: report.robot && (await Motion.load(report.robot, columns)),
        contacts: await Contacts.load(report, columns),
        com: report.com && (await columns.loadAll(report.com)),
        zmp: report.zmp && (await columns.loadAll(report.zmp)),
        target: report.target && (await columns.loadAll(report.target.position)),
    };
}

function addLights(scene: THREE.Scene, extent: number): THREE.DirectionalLight {
    scene.add(new THREE.HemisphereLight(0xffffff, 0x9a9fa8, 2.4));
    const sun = new THREE.DirectionalLight(0xffffff, 2.4);
    sun.castShadow = true;
    sun.shadow.mapSize.set(1024, 1024);
    sun.shadow.radius = 5;
    sun.shadow.normalBias = 0.01 * extent;
    const reach = 1.3 * extent;
    Object.assign(sun.shadow.camera, {
        left: -reach,
        right: reach,
        top: reach,
        bottom: -reach,
        near: 0.1 * extent,
        far: 8 * extent,
    });
    scene.add(sun, sun.target);
    return sun;
}

export class Scene {
    readonly visible: Visibility = {
        contacts: true,
        forces: true,
        com: true,
        zmp: true,
        follow: true,
        frames: false,
        shapes: false,
        ghost: true,
    };
    readonly picked = new Signal();
    pickedLink: number | null = null;
    readonly trails: Trails | null;
    forceFactor = 1; // of the arrows' length
    private readonly renderer: THREE.WebGLRenderer;
    private readonly scene = new THREE.Scene();
    private readonly camera = new THREE.PerspectiveCamera(38, 1, 0.01, 500);
    private readonly controls: OrbitControls;
    private readonly surfaces: Surfaces;
    private readonly patches: Patches;
    private readonly sun: THREE.DirectionalLight;
    private readonly points: ContactPoints;
    private readonly arrows: ForceArrows;
    private readonly polygon = new SupportPolygon();
    private readonly com: MassCentre;
    private readonly zmp: ZeroMomentPoint;
    private readonly target: TargetBlock | null;
    private readonly shapes: Body; // of collision
    private readonly frames: THREE.AxesHelper[];
    private readonly halo = new THREE.BoxHelper(new THREE.Object3D(), 0xffffff);
    private readonly actor: Actor;
    private readonly extent: number;
    private readonly forceScale: number;
    private level = 0; // m, of the ground where there is none: below everything
    private followsHeight = false;
    private focus: THREE.Vector3 | null = null; // what the camera followed last
    private stale = true;
    private posture: Posture | null = null;

    private constructor(
        private readonly host: HTMLElement,
        private readonly report: Report,
        private readonly recorded: Recorded,
        private readonly body: Body,
        private readonly timeline: Timeline,
        private readonly theme: Theme,
        readonly ghost: Ghost | null,
    ) {
        this.renderer = makeRenderer();
        this.actor = actorOf(report.robot ?? emptyRobot);
        this.target = report.target && new TargetBlock(report.target);
        this.setPoses({ row: 0, next: 0, fraction: 0 });
        const box = this.bodyBox();
        this.extent = Math.max(0.05, box.getSize(new THREE.Vector3()).length());
        this.surfaces = new Surfaces(report.surfaces, this.extent);
        this.patches = new Patches(report.summary.tables, 2 * this.extent);
        this.shapes = collisionsOf(report.robot ?? emptyRobot);
        this.frames = this.body.links.map(() => new THREE.AxesHelper(0.06 * this.extent));
        this.sun = addLights(this.scene, this.extent);
        const mark = 0.008 * this.extent;
        this.points = new ContactPoints(report.contacts.length, mark);
        this.arrows = new ForceArrows(report.contacts.length, 0.35 * mark);
        this.com = new MassCentre(1.6 * mark);
        this.zmp = new ZeroMomentPoint(2.2 * mark);
        this.forceScale = (0.22 * this.extent) / recorded.contacts.commonForce(timeline.t.length);
        this.trails = recorded.motion && new Trails(recorded.motion, timeline.t.length);
        this.controls = new OrbitControls(this.camera, this.renderer.domElement);
        this.build();
        const { min, max } = this.motionBox();
        const height = max.z - min.z;
        this.followsHeight = this.follows && height > farFall * this.extent;
        if (report.surfaces.length === 0 && !this.followsHeight) this.level = Math.min(0, min.z);
        this.resetCamera();
        this.listen();
    }

    /// Throws where the browser has no WebGL.
    static async load(
        host: HTMLElement,
        report: Report,
        columns: Columns,
        timeline: Timeline,
        theme: Theme,
        ghost: Ghost | null,
    ): Promise<Scene> {
        const recorded = await loadRecorded(report, columns);
        const body = await Body.load(report.robot ?? emptyRobot, report.meshes);
        return new Scene(host, report, recorded, body, timeline, theme, ghost);
    }

    get canvas(): HTMLCanvasElement {
        return this.renderer.domElement;
    }

    /// Whether the robot has shapes that touch.
    get hasShapes(): boolean {
        return this.report.robot?.links.some(({ collision }) => collision.length > 0) ?? false;
    }

    /// Draws at once, for those who take the picture.
    drawNow(): void {
        this.stale = true;
        this.draw();
    }

    /// Shows a posture in place of the recorded ones, without their forces; null gives them back.
    setPosture(posture: Posture | null): void {
        this.posture = posture;
        this.refresh();
    }

    add(object: THREE.Object3D): void {
        this.scene.add(object);
    }

    /// Where the camera stands, and the point it looks at: six numbers, from the robot that it
    /// follows, or else from the origin.
    cameraNumbers(): number[] {
        const from = this.cameraOrigin();
        const points = [this.camera.position, this.controls.target];
        return points.flatMap((point) => point.clone().sub(from).toArray());
    }

    setCamera(numbers: readonly number[]): void {
        this.focus = this.focusAt(momentAt(this.timeline.t, this.timeline.time));
        const from = this.cameraOrigin();
        this.camera.position.fromArray(numbers).add(from);
        this.controls.target.fromArray(numbers, 3).add(from);
        this.refresh();
    }

    private cameraOrigin(): THREE.Vector3 {
        return this.follows && this.focus ? this.focus : new THREE.Vector3();
    }

    /// Where the camera looks to.
    get sight(): THREE.Vector3 {
        return this.camera.getWorldDirection(new THREE.Vector3());
    }

    /// While something else is dragged, the camera stays.
    holdCamera(on: boolean): void {
        this.controls.enabled = !on;
    }

    /// From the camera through the pointer.
    rayOf(event: PointerEvent): THREE.Raycaster {
        const box = this.canvas.getBoundingClientRect();
        const place = new THREE.Vector2(
            (2 * (event.clientX - box.left)) / box.width - 1,
            1 - (2 * (event.clientY - box.top)) / box.height,
        );
        const ray = new THREE.Raycaster();
        ray.setFromCamera(place, this.camera);
        return ray;
    }

    /// Chooses a link, or none.
    pick(link: number | null): void {
        this.pickedLink = link;
        this.refresh();
        this.picked.emit();
    }

    /// Looks at the robot from a side.
    look(view: CameraView): void {
        const target = this.controls.target;
        const away = new THREE.Vector3(...cameraViews[view]).normalize();
        const distance = this.camera.position.distanceTo(target);
        this.camera.position.copy(target).addScaledVector(away, distance);
        this.refresh();
    }

    /// Draws if something has changed.
    draw(): void {
        this.controls.update();
        if (!this.stale) return;
        this.stale = false;
        this.show(momentAt(this.timeline.t, this.timeline.time));
        this.renderer.render(this.scene, this.camera);
    }

    refresh(): void {
        this.stale = true;
    }

    /// Looks at the whole motion from ahead and from the robot's right.
    resetCamera(): void {
        const room = this.motionBox();
        const centre = room.getCenter(new THREE.Vector3());
        const distance =
            room.getSize(new THREE.Vector3()).length() * Math.max(1, 0.9 / this.camera.aspect);
        const away = new THREE.Vector3(1, -0.85, 0.35).normalize();
        this.controls.target.copy(centre);
        this.camera.position.copy(centre).addScaledVector(away, 1.6 * distance);
        this.camera.near = 0.01 * this.extent;
        this.camera.far = 100 * this.extent;
        this.camera.updateProjectionMatrix();
        this.refresh();
    }

    private build(): void {
        this.camera.up.set(0, 0, 1);
        this.controls.enableDamping = true;
        this.controls.dampingFactor = 0.15;
        this.host.prepend(this.renderer.domElement);
        this.scene.add(
            this.surfaces.group,
            this.patches.group,
            this.body.group,
            this.polygon.group,
            this.points.mesh,
            this.arrows.group,
            this.com.group,
            this.zmp.group,
        );
        this.scene.add(this.shapes.group, this.halo);
        if (this.ghost) this.scene.add(this.ghost.group);
        this.frames.forEach((frame, i) => this.addFrame(frame, i));
        this.shapes.makeGhost("#2f9e6e", true);
        this.canvas.setAttribute("role", "img");
        this.canvas.setAttribute("aria-label", "The robot in 3D; L picks a link");
        if (this.trails) this.scene.add(this.trails.group);
        if (this.target) this.scene.add(this.target.mesh);
        this.setColors();
        this.resize();
    }

    private listen(): void {
        new ResizeObserver(() => this.resize()).observe(this.host);
        this.controls.addEventListener("change", () => this.refresh());
        this.timeline.moved.listen(() => this.refresh());
        this.listenToPicks();
        this.theme.changed.listen(() => this.setColors());
    }

    private addFrame(frame: THREE.AxesHelper, link: number): void {
        const material = frame.material as THREE.Material;
        material.depthTest = false;
        frame.renderOrder = 4;
        this.body.links[link].add(frame);
    }

    /// A press without a move picks what is under the pointer; on nothing, nothing.
    private listenToPicks(): void {
        let down: PointerEvent | null = null;
        this.canvas.addEventListener("pointerdown", (event) => (down = event));
        this.canvas.addEventListener("pointerup", (event) => {
            const moved = down
                ? Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY)
                : Infinity;
            if (moved < leastMove && event.button === 0) this.pick(this.linkUnder(event));
        });
    }

    private linkUnder(event: PointerEvent): number | null {
        const hits = this.rayOf(event).intersectObjects(this.body.links, true);
        const hit = hits.find(({ object }) => object instanceof THREE.Mesh);
        return hit ? this.body.linkOf(hit.object) : null;
    }

    private resize(): void {
        const { clientWidth, clientHeight } = this.host;
        if (clientWidth === 0 || clientHeight === 0) return;
        this.renderer.setSize(clientWidth, clientHeight, false);
        this.camera.aspect = clientWidth / clientHeight;
        this.camera.updateProjectionMatrix();
        this.refresh();
    }

    private setColors(): void {
        const { palette } = this.theme;
        this.scene.background = new THREE.Color(palette.background);
        this.body.setColor(palette.robot);
        this.surfaces.setColors(palette);
        this.patches.setColor(palette.patch);
        this.arrows.setColor(palette.force);
        this.polygon.setColor(palette.support);
        this.com.setColor(palette.com);
        this.zmp.setColor(palette.zmp);
        this.trails?.setColors(palette);
        this.target?.setColor(palette.target);
        this.refresh();
    }

    /// The room of the robot at present.
    private bodyBox(): THREE.Box3 {
        this.body.group.updateMatrixWorld(true);
        const box = new THREE.Box3();
        for (const link of this.actor.links) box.expandByObject(this.body.links[link]);
        if (!box.isEmpty()) return box;
        return new THREE.Box3(new THREE.Vector3(-0.5, -0.5, 0), new THREE.Vector3(0.5, 0.5, 1));
    }

    /// Whether the robot can leave its place.
    get canFollow(): boolean {
        return this.actor.moves;
    }

    private get follows(): boolean {
        return this.visible.follow && this.canFollow;
    }

    /// The room that the robot takes over time, as seen from where the camera follows it to.
    private motionBox(): THREE.Box3 {
        const room = new THREE.Box3();
        const { t, time } = this.timeline;
        const now = momentAt(t, time);
        const here = this.focusAt(now);
        for (let i = 0; i <= roomSamples; ++i) {
            const row = Math.round((i / roomSamples) * (t.length - 1));
            const moment = { row, next: row, fraction: 0 };
            this.setPoses(moment);
            const box = this.bodyBox();
            if (this.follows) box.translate(here.clone().sub(this.focusAt(moment)));
            room.union(box);
        }
        this.setPoses(now);
        if (this.target?.mesh.visible) room.expandByObject(this.target.mesh);
        return room;
    }

    private setPoses(moment: Moment): void {
        const poses = this.posture?.poses ?? this.recorded.motion?.at(moment);
        if (poses && poses.every((pose) => Number.isFinite(pose.elements[12]))) {
            this.body.setPoses(poses);
            this.shapes?.setPoses(poses);
        }
        const touch = this.posture ? momentAt(this.timeline.t, 0) : moment;
        const place = new THREE.Vector3(...valuesAt(this.recorded.target ?? [], touch));
        this.target?.show(this.posture ? place.add(this.posture.by) : place);
    }

    private show(moment: Moment): void {
        this.setPoses(moment);
        this.showExtras(moment);
        this.showContacts(moment);
        this.showBalance(moment);
        this.trails?.show(moment.row);
        this.follow(moment);
    }

    private showExtras(moment: Moment): void {
        const { visible, pickedLink } = this;
        this.ghost?.show(this.timeline, moment, visible.ghost && !this.posture);
        this.shapes.group.visible = visible.shapes;
        for (const frame of this.frames) frame.visible = visible.frames;
        const link = pickedLink === null ? undefined : this.body.links[pickedLink];
        this.halo.visible = link !== undefined;
        if (!link) return;
        this.halo.setFromObject(link);
        (this.halo.material as THREE.LineBasicMaterial).color.set(this.theme.palette.accent);
    }

    private showContacts(moment: Moment): void {
        const { visible, recorded } = this;
        const states = recorded.contacts.at(moment);
        this.points.mesh.visible = visible.contacts;
        this.arrows.group.visible = visible.forces && !this.posture;
        this.points.show(states, this.theme.palette);
        this.arrows.show(states, this.forceScale * this.forceFactor, 2 * this.extent);
        this.polygon.show(recorded.contacts.support(states));
        this.polygon.group.visible &&= visible.zmp;
    }

    private showBalance(moment: Moment): void {
        const { com, zmp } = this.recorded;
        const centre = new THREE.Vector3(...(com ? valuesAt(com, moment) : absent));
        this.com.show(centre, this.groundHeight(centre.x, centre.y));
        const point = new THREE.Vector3(...(zmp ? valuesAt(zmp, moment) : absent));
        this.zmp.show(zmp?.length === 3 ? point : this.onGround(point));
        this.com.group.visible &&= this.visible.com && !this.posture;
        this.zmp.group.visible &&= this.visible.zmp && !this.posture;
    }

    /// The height of the ground below or above a place.
    private groundHeight(x: number, y: number): number {
        const ground = groundOf(this.report.surfaces);
        return ground ? -heightAbove(ground, x, y, 0) / ground.axis[2] : this.level;
    }

    /// What the camera follows: the place of the robot on the ground; its height too where it falls
    /// out of sight.
    private focusAt(moment: Moment): THREE.Vector3 {
        const { com, motion } = this.recorded;
        const place = new THREE.Vector3();
        const isAll = this.actor.root === this.report.robot?.root; // com is that of the robot alone
        if (com && isAll) place.set(...valuesAt(com, moment));
        else if (motion && this.body.links.length > 0) {
            place.setFromMatrixPosition(this.body.links[this.actor.root].matrix);
        }
        return this.followsHeight ? place : this.onGround(place);
    }

    /// The place on the ground below or above.
    private onGround({ x, y }: THREE.Vector3): THREE.Vector3 {
        return new THREE.Vector3(x, y, this.groundHeight(x, y));
    }

    /// Keeps camera, ground and light with the robot.
    private follow(moment: Moment): void {
        const place = this.focusAt(moment);
        if (!Number.isFinite(place.x) || !Number.isFinite(place.y)) return;
        if (this.focus && this.follows) {
            const step = place.clone().sub(this.focus);
            this.camera.position.add(step);
            this.controls.target.add(step);
        }
        this.focus = place;
        this.surfaces.moveTo(this.onGround(place));
        this.moveSun(this.onGround(place));
    }

    private moveSun(ground: THREE.Vector3): void {
        this.sun.target.position.copy(ground).setZ(ground.z + 0.3 * this.extent);
        this.sun.position
            .copy(this.sun.target.position)
            .addScaledVector(new THREE.Vector3(0.4, -0.35, 1), 2.5 * this.extent);
    }
}
