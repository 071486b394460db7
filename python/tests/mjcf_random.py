# SPDX-License-Identifier: Apache-2.0
"""Random MJCF files: every way to say where things are, how they move and what they weigh."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np

Element = ElementTree.Element


def _text(values) -> str:
    return " ".join(repr(float(x)) for x in np.atleast_1d(values))


class RandomMjcf:
    """Makes one file of a seed."""

    def __init__(self, seed: int, *, meshes: tuple[str, ...] = ()) -> None:
        self.rng = np.random.default_rng(seed)
        self.meshes = meshes
        self.count = 0
        self.classes: list[str] = []
        self.root = Element("mujoco", model=f"random_{seed}")
        self._compiler()
        self._defaults()
        if meshes:
            self._assets()
        self.floating = bool(self.rng.random() < 0.5)
        self._world()

    @property
    def xml(self) -> str:
        """The file."""
        return ElementTree.tostring(self.root, encoding="unicode")

    def _chance(self, probability: float) -> bool:
        return bool(self.rng.random() < probability)

    def _pick(self, values):
        return values[self.rng.integers(len(values))]

    # ---- Sections

    def _compiler(self) -> None:
        compiler = ElementTree.SubElement(self.root, "compiler")
        self.degrees = self._chance(0.6)
        if not self.degrees:
            compiler.set("angle", "radian")
        if self._chance(0.6):
            compiler.set("eulerseq", "".join(self._pick("xyzXYZ") for _ in range(3)))
        if self._chance(0.2):
            compiler.set("boundmass", "0.5")
            compiler.set("boundinertia", "0.02")
        if self._chance(0.2):
            compiler.set("balanceinertia", "true")
        if self._chance(0.2):
            compiler.set("settotalmass", "12.5")
        if self._chance(0.2):
            compiler.set("inertiafromgeom", "true")
        if self._chance(0.2):
            compiler.set("inertiagrouprange", "0 3")
        if self._chance(0.3):
            ElementTree.SubElement(self.root, "option", gravity=_text(3 * self.rng.normal(size=3)))

    def _defaults(self) -> None:
        outermost = ElementTree.SubElement(self.root, "default")
        self._class_content(outermost)
        parents = [outermost]
        for i in range(self.rng.integers(0, 5)):
            inner = ElementTree.SubElement(self._pick(parents), "default")
            inner.set("class", f"class_{i}")
            self._class_content(inner)
            parents.append(inner)
            self.classes.append(f"class_{i}")
        if self._chance(0.5):  # nested classes come before what they inherit
            for parent in parents:
                parent[:] = sorted(parent, key=lambda child: child.tag != "default")

    def _class_content(self, parent: Element) -> None:
        if self._chance(0.7):
            joint = ElementTree.SubElement(parent, "joint")
            self._drag(joint)
            if self._chance(0.3):
                joint.set("axis", _text(self.rng.normal(size=3)))
            if self._chance(0.3):
                joint.set("pos", _text(self.rng.normal(size=3)))
        if self._chance(0.7):
            geom = ElementTree.SubElement(parent, "geom", density=_text(self.rng.uniform(50, 500)))
            if self._chance(0.4):
                geom.set("group", str(self.rng.integers(0, 5)))
            if self._chance(0.4):
                self._orient(geom)

    def _assets(self) -> None:
        asset = ElementTree.SubElement(self.root, "asset")
        for i, file in enumerate(self.meshes):
            for kind in ("legacy", "exact", "shell"):
                mesh = ElementTree.SubElement(asset, "mesh", name=f"{kind}_{i}", file=file)
                if kind != "legacy" or self._chance(0.5):  # it is the default
                    mesh.set("inertia", kind)
                if self._chance(0.7):
                    mesh.set("scale", _text(self.rng.choice([-1, 1]) * self.rng.uniform(0.5, 2, 3)))
                if self._chance(0.5):
                    mesh.set("refpos", _text(self.rng.normal(size=3)))
                if self._chance(0.5):
                    mesh.set("refquat", _text(self.rng.normal(size=4)))

    def _world(self) -> None:
        world = ElementTree.SubElement(self.root, "worldbody")
        ElementTree.SubElement(world, "geom", type="plane", size="1 1 1")
        if self.floating:
            body = self._body(world, depth=0, joints=False)
            body.insert(self.rng.integers(0, len(body) + 1), Element("freejoint", name="free"))
            return
        for _ in range(self.rng.integers(1, 4)):
            if self._chance(0.25):  # a free body among others
                body = self._body(world, depth=3, joints=False)
                body.insert(0, Element("joint", type="free", armature="0", damping="0"))
                body[0].set("frictionloss", "0")
            else:
                self._body(world, depth=0)

    # ---- Bodies

    def _body(self, parent: Element, depth: int, joints: bool = True) -> Element:
        self.count += 1
        if self._chance(0.2):
            parent = self._frame(parent)
        body = ElementTree.SubElement(parent, "body", name=f"body_{self.count}")
        self._place(body)
        if self.classes and self._chance(0.3):
            body.set("childclass", self._pick(self.classes))
        kinds = ["hinge", "hinge", "slide", "ball"]
        for i in range(self.rng.integers(0, 4) if joints else 0):
            kind = self._pick(kinds)
            within = body
            if self._chance(0.15):
                within = self._frame(body)
            self._joint(within, kind, f"joint_{self.count}_{i}")
            if kind == "ball":  # MuJoCo wants no rotation behind a ball
                kinds = ["slide"]
        self._mass(body)
        if depth < 4:
            for _ in range(self.rng.integers(0, 3)):
                self._body(body, depth + 1)
        return body

    def _frame(self, parent: Element) -> Element:
        frame = ElementTree.SubElement(parent, "frame")
        self._place(frame)
        if self.classes and self._chance(0.3):
            frame.set("childclass", self._pick(self.classes))
        return frame

    def _joint(self, body: Element, kind: str, name: str) -> None:
        joint = ElementTree.SubElement(body, "joint", name=name)
        if kind != "hinge" or self._chance(0.5):
            joint.set("type", kind)
        self._class(joint)
        if kind == "ball":  # rotors of the three hinges would be other rotors
            joint.set("armature", "0")
        else:
            self._drag(joint)
            if self._chance(0.7):
                joint.set("axis", _text(self.rng.normal(size=3)))
            if self._chance(0.3):
                joint.set("ref", _text(self.rng.normal() * (60 if self.degrees else 1)))
            if self._chance(0.3):
                joint.set("range", _text(sorted(self.rng.normal(size=2))))
        if self._chance(0.4):
            joint.set("pos", _text(self.rng.normal(size=3)))

    def _drag(self, joint: Element) -> None:
        for name in ("damping", "frictionloss", "armature", "stiffness"):
            if self._chance(0.3):
                joint.set(name, _text(self.rng.uniform(0, 0.5)))

    def _class(self, element: Element) -> None:
        if self.classes and self._chance(0.3):
            element.set("class", self._pick(self.classes))

    def _place(self, element: Element) -> None:
        if self._chance(0.8):
            element.set("pos", _text(self.rng.normal(size=3)))
        if self._chance(0.7):
            self._orient(element)

    def _orient(self, element: Element) -> None:
        way = self._pick(["quat", "axisangle", "xyaxes", "zaxis", "euler"])
        size = {"quat": 4, "axisangle": 4, "xyaxes": 6, "zaxis": 3, "euler": 3}[way]
        values = self.rng.normal(size=size)
        if way == "zaxis" and self._chance(0.2):
            values = np.array([0.0, 0.0, self._pick([-2.0, 2.0])])
        if self.degrees and way in ("euler", "axisangle"):
            values[3 if way == "axisangle" else 0 :] *= 60
        element.set(way, _text(values))

    # ---- Mass

    def _mass(self, body: Element) -> None:
        if self._chance(0.4):
            self._inertial(body)
        geom = self._geom(body)  # at least one that weighs, where there is no <inertial>
        geom.set("group", "1")
        for _ in range(self.rng.integers(0, 3)):
            self._geom(self._frame(body) if self._chance(0.2) else body)
        if self._chance(0.3):
            site = ElementTree.SubElement(body, "site", name=f"site_{self.count}")
            self._place(site)

    def _inertial(self, body: Element) -> None:
        inertial = ElementTree.SubElement(body, "inertial", mass=_text(self.rng.uniform(0.1, 3)))
        inertial.set("pos", _text(self.rng.normal(size=3)))
        a = self.rng.uniform(0.01, 0.1, 3)
        moments = np.array([a[1] + a[2], a[0] + a[2], a[0] + a[1]])
        if self._chance(0.5):
            inertial.set("diaginertia", _text(moments))
            if self._chance(0.7):
                self._orient(inertial)
        else:
            Q = np.linalg.qr(self.rng.normal(size=(3, 3)))[0]
            I = Q @ np.diag(moments) @ Q.T
            inertial.set(
                "fullinertia", _text([I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]])
            )

    def _geom(self, body: Element) -> Element:
        geom = ElementTree.SubElement(body, "geom")
        kinds = ["sphere", "capsule", "cylinder", "box", "ellipsoid"] + ["mesh"] * bool(self.meshes)
        kind = self._pick(kinds)
        self._class(geom)
        geom.set("type", kind)
        size = self.rng.uniform(0.1, 0.4, 3)
        if kind == "mesh":
            mesh = f"{self._pick(['legacy', 'exact', 'shell'])}_"
            geom.set("mesh", mesh + str(self.rng.integers(len(self.meshes))))
            self._place(geom)
        elif kind != "sphere" and self._chance(0.3):
            geom.set("size", _text(size[0]))
            geom.set("fromto", _text(self.rng.normal(size=6)))
        else:
            geom.set("size", _text(size[: {"sphere": 1, "capsule": 2, "cylinder": 2}.get(kind, 3)]))
            self._place(geom)
        if self._chance(0.3):
            geom.set("mass", _text(self.rng.uniform(0.2, 2)))
        elif self._chance(0.3):
            geom.set("density", _text(self.rng.uniform(100, 300)))
        if self._chance(0.3):
            geom.set("group", str(self.rng.integers(0, 6)))
        return geom


def star(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A closed mesh that is not convex: vertices and outward triangles of a dented sphere."""
    rings, spokes = 6, 8
    polar, around = np.linspace(0, np.pi, rings + 1)[1:-1], np.linspace(0, 2 * np.pi, spokes + 1)
    points = [(0, 0, 1)]
    for a in polar:
        points += [(np.sin(a) * np.cos(b), np.sin(a) * np.sin(b), np.cos(a)) for b in around[:-1]]
    points.append((0, 0, -1))
    vertices = np.array(points) * rng.uniform(0.1, 0.5, (len(points), 1)) + rng.normal(size=3)
    triangles, last = [], len(points) - 1
    for k in range(spokes):
        n = (k + 1) % spokes
        triangles.append((0, 1 + k, 1 + n))
        for ring in range(rings - 2):
            a, b = 1 + ring * spokes, 1 + (ring + 1) * spokes
            triangles += [(a + k, b + k, b + n), (a + k, b + n, a + n)]
        a = 1 + (rings - 2) * spokes
        triangles.append((last, a + n, a + k))
    return vertices.astype(np.float32), np.array(triangles)


def write_stl(path, vertices: np.ndarray, triangles: np.ndarray) -> None:
    """Binary."""
    record = np.zeros(len(triangles), dtype=[("normal", "<f4", 3), ("v", "<f4", (3, 3)), ("x", "<u2")])
    record["v"] = vertices[triangles]
    count = np.array([len(triangles)], dtype="<u4")
    path.write_bytes(bytes(80) + count.tobytes() + record.tobytes())


def write_obj(path, vertices: np.ndarray, triangles: np.ndarray) -> None:
    """Text, with digits that a float keeps."""
    lines = ["v " + " ".join(repr(float(x)) for x in vertex) for vertex in vertices]
    lines += ["f " + " ".join(str(i + 1) for i in triangle) for triangle in triangles]
    path.write_text("\n".join(lines) + "\n")
