// The three-dimensional picture of one run: bodies, joints, springs, ground.
import {
  DoubleSide,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  Quaternion,
  Vector2,
  Vector3,
} from "three";
import { bodyColour, curveColour, sceneColours } from "./colours.js";
import { ball, barrel, basis, block, capsule, disc, hollow, net, plate, rim, ring, solid, tire } from "./geometry.js";
import { FlexibleLines } from "./lines.js";
import { drawJoint, groundSymbol } from "./joints.js";
import { drawSpring } from "./springs.js";

const sliders = new Set(["slider", "sleeve", "nut"]);
const lines = new Set(["bar", "rod"]);
// Kinds of connections, as the page hides them.
const partOf = { bar: "bars", rod: "bars", coil: "springs and dampers" };

export class Mechanism {
  constructor(run, index, page, radius, palette) {
    Object.assign(this, { run, page, radius, group: new Group(), moving: [], updates: [], materials: new Map() });
    this.colour = page.runs.length > 1 ? () => curveColour(run.colour) : bodyColour;
    this.places = run.frames.map(() => []);
    for (const { a, b } of run.connections) {
      for (const end of [a, b]) if (end.frame >= 0) this.places[end.frame].push(new Vector3().fromArray(end.at));
    }
    this.layers = this.findLayers();
    if (page.planar) this.group.position.z = 1.2 * index * this.depth; // runs lie above each other, too
    const make = (list, part, add) =>
      list.map((one, k) => {
        Object.assign(this, { part: part(one), making: one.name });
        return add(one, k);
      });
    this.frames = [];
    this.hollowed = new Set(); // circles that solids show
    make(run.frames, ({ kind }) => ({ point: "points", ground: "ground" })[kind] ?? "bodies", (one, k) => this.frames.push(this.addFrame(one, k)));
    make(run.connections, ({ mark }) => partOf[mark] ?? "joints", (one) => this.addConnection(one));
    make(run.rounds, () => "contacts", (one) => this.addRound(one));
    make(run.cams, () => "cams", (one) => this.addCam(one));
    make(run.patches, () => "surfaces", (one) => this.addPatch(one));
    this.part = "beams";
    this.lines = new FlexibleLines(this, palette);
  }

  // Planar links lie above each other, so that neighbours do not melt together.
  findLayers() {
    const { run, page } = this,
      layers = new Map();
    if (!page.planar) return layers;
    const keys = [...run.frames.keys(), ...run.connections.filter((c) => lines.has(c.mark)).map((c) => c.name)];
    const near = new Map(keys.map((key) => [key, new Set()]));
    const touch = (a, b) => {
      if (!near.has(a) || !near.has(b) || a === b) return;
      near.get(a).add(b);
      near.get(b).add(a);
    };
    const at = run.frames.map(() => []);
    for (const { mark, name, a, b } of run.connections) {
      if (!lines.has(mark)) touch(a.frame, b.frame);
      if (lines.has(mark)) for (const end of [a, b]) if (end.frame >= 0) at[end.frame].push(name);
    }
    at.forEach((names, frame) => names.forEach((name) => [frame, ...names].forEach((other) => touch(name, other))));
    for (const key of keys) {
      const taken = new Set([...near.get(key)].map((other) => layers.get(other)));
      let layer = 0;
      while (taken.has(layer)) ++layer;
      layers.set(key, layer);
    }
    return layers;
  }
  get thickness() {
    return 1.1 * this.radius;
  }
  height(key) {
    return this.page.planar ? ((this.layers.get(key) ?? 0) + 0.5) * 1.15 * this.thickness : 0;
  }
  // Of all layers together: how long pins are.
  get depth() {
    return (Math.max(0, ...this.layers.values()) + 1) * 1.15 * this.thickness;
  }

  material(name, colour, more = {}) {
    if (!this.materials.has(name)) {
      const seen = this.run.ghost ? { transparent: true, opacity: 0.4 } : {};
      const material = new MeshStandardMaterial({ roughness: 0.55, metalness: 0.08, ...seen, ...more });
      this.materials.set(name, { material, colour });
      material.color.set(colour());
    }
    return this.materials.get(name).material;
  }
  steel(name) {
    return this.material(name, () => sceneColours()[name], { roughness: 0.4, metalness: 0.25 });
  }
  bodyMaterial(k) {
    if (k < 0 || this.run.frames[k].kind === "point") return this.steel("pin");
    if (this.run.frames[k].kind === "ground") {
      return this.material("ground", () => sceneColours().ground, { side: DoubleSide });
    }
    return this.material(`body ${k}`, () => this.colour(k), {
      side: this.run.frames[k].shapes.length ? DoubleSide : 0,
    });
  }
  recolour() {
    for (const { material, colour } of this.materials.values()) material.color.set(colour());
  }

  mesh(geometry, material, label, parent) {
    const mesh = new Mesh(geometry, material);
    mesh.castShadow = mesh.receiveShadow = !this.run.ghost;
    Object.assign(mesh.userData, { label, part: this.part, m: this, name: this.making });
    parent.add(mesh);
    return mesh;
  }
  edges(mesh, material) {
    const line = new LineSegments(new EdgesGeometry(mesh.geometry, 30), material);
    line.raycast = () => {};
    mesh.add(line);
  }

  addFrame(frame, k) {
    const { radius, page } = this,
      group = new Group(),
      label = frame.kind === "ground" ? frame.name : `${frame.kind} ${frame.name}`;
    this.group.add(group);
    this.moving.push(group);
    const material = this.bodyMaterial(k);
    if (frame.inner || frame.coordinate) return group; // the tube of its line shows it, or nothing
    if (frame.kind === "point") {
      const used = this.places[k].length > 0;
      const geometry =
        page.planar && used
          ? barrel(1.25 * radius, this.depth + 0.5 * radius).translate(0, 0, this.depth / 2)
          : ball((used ? 1.3 : 2.4) * radius);
      this.mesh(geometry, used ? this.steel("pin") : material, label, group);
      return group;
    }
    const edge = new LineBasicMaterial({ color: 0x000000, transparent: true, opacity: 0.28 });
    if (frame.shapes.length) {
      for (let shape of frame.shapes) {
        const found = this.holeOf(k, shape);
        if (found && shape.size[0] < 1.001 * found.radius) continue; // the ring is its picture
        if (found) {
          const [outer, , length] = shape.size;
          shape = { ...shape, size: [outer, found.radius, length] };
          this.hollowed.add(found.hole);
        }
        const mesh = this.mesh(solid(shape, 0.7 * radius), material, label, group);
        mesh.applyMatrix4(basis(shape.axes));
        mesh.position.fromArray(shape.at);
        if (shape.kind !== "sphere" && shape.kind !== "surface") this.edges(mesh, edge);
      }
      return group;
    }
    const places = this.distinct(this.places[k]);
    // The slider is all there is to see of a body that is guided at its reference point.
    const guided = this.run.connections.some(({ mark, a, b }) => sliders.has(mark) && (a.frame === k || b.frame === k));
    if (guided && places.length === 1 && places[0].length() < 0.05 * this.radius) return group;
    for (const geometry of page.planar ? this.planarLink(places, k) : this.spatialLink(places)) {
      this.mesh(geometry, material, label, group);
    }
    return group;
  }
  distinct(points) {
    const out = [];
    for (const p of points) if (!out.some((q) => q.distanceTo(p) < 0.05 * this.radius)) out.push(p);
    return out;
  }
  planarLink(places, k) {
    const { radius } = this,
      origin = new Vector3();
    const hub = places.length < 2 ? this.distinct([...places, origin]) : places;
    const flat = hub.map((p) => new Vector2(p.x, p.y));
    // The hub of a wheel leaves its rim to be seen.
    const wheel = this.run.rounds.find(({ kind, frame }) => kind === "wheel" && frame === k),
      most = wheel ? 0.3 * Math.hypot(wheel.axes[0], wheel.axes[3]) : Infinity,
      wide = flat.length > 1 ? 1.9 * radius : Math.min(3 * radius, most);
    const out = [plate(flat, wide, this.thickness, 0).translate(0, 0, this.height(k))];
    if (places.length === 1 && hub.length > 1)
      out.push(barrel(3.2 * radius, 1.4 * this.thickness, 40).translate(0, 0, this.height(k)));
    return out;
  }
  spatialLink(places) {
    const { radius } = this,
      origin = new Vector3();
    if (places.length === 2) {
      const [a, b] = places,
        along = b.clone().sub(a),
        off = origin.clone().sub(a).cross(along).length() / Math.max(along.length(), 1e-12);
      if (off < 4 * radius) return [capsule(a, b, radius)];
    }
    const out = places.map((p) => capsule(origin, p, radius));
    out.push(ball((places.length > 1 ? 1.6 : 2.8) * radius));
    return out;
  }

  // The circle of a body in which something rolls; a solid of it about the same middle that would hide that is hollow.
  holeOf(k, shape) {
    const reach = ({ axes }) => Math.hypot(axes[0], axes[3], axes[6]),
      hole = this.run.rounds.find(({ kind, frame, at }) => {
        const apart = Math.hypot(at[0] - shape.at[0], at[1] - shape.at[1]);
        return kind === "ring" && frame === k && shape.kind === "cylinder" && apart < 0.05 * this.radius;
      });
    return hole && shape.size[1] < reach(hole) ? { hole, radius: reach(hole) } : null;
  }
  addRing(round) {
    if (this.hollowed.has(round)) return;
    const inner = Math.hypot(round.axes[0], round.axes[3], round.axes[6]),
      thickness = this.page.planar ? this.thickness : 4 * this.radius,
      mesh = this.mesh(
        hollow(inner, inner + Math.max(0.06 * inner, 1.5 * this.radius), thickness),
        this.bodyMaterial(round.frame),
        `circle of ${round.name}`,
        this.parent(round),
      );
    mesh.position.fromArray(round.at).setZ(-thickness);
  }
  // Whether a solid of the body, or the same round of another contact, lies on it: two surfaces at one place flicker.
  isShown(round) {
    const { frame, at, axes } = round,
      reach = [0, 1, 2].map((k) => Math.hypot(axes[k], axes[k + 3], axes[k + 6])),
      near = (a, b, size) => a.every((x, k) => Math.abs(x - b[k]) < 0.01 * size),
      kind = round.kind === "wheel" ? "cylinder" : "sphere",
      shapes = frame < 0 ? [] : this.run.frames[frame].shapes;
    if (kind === "cylinder" || near(reach, [reach[0], reach[0], reach[0]], reach[0])) {
      const isSame = (shape) =>
        shape.kind === kind && Math.abs(shape.size[0] - reach[0]) < 0.01 * reach[0] && near(shape.at, at, reach[0]);
      if (shapes.some(isSame)) return true;
    }
    const first = this.run.rounds.find(
      (one) => one.kind === round.kind && one.frame === frame && near(one.at, at, reach[0]) && near(one.axes, axes, reach[0]),
    );
    return first !== round;
  }
  // What touches a surface, seen through.
  addRound(round) {
    if (round.kind === "ring") return this.addRing(round);
    const label = `${round.kind === "wheel" ? "wheel" : "contact"} of ${round.name}`;
    // A wheel whose body has solids is one already.
    if (round.kind === "wheel" && round.frame >= 0 && !this.run.frames[round.frame].shapes.length) {
      const rubber = this.material("tire", () => "#2e3238", { roughness: 0.95, side: DoubleSide });
      for (const [geometry, material] of [
        [tire(), rubber],
        [rim(), this.steel("steel")],
      ]) {
        const mesh = this.mesh(geometry, material, label, this.parent(round));
        mesh.applyMatrix4(basis(round.axes));
        mesh.position.fromArray(round.at);
        // In the plane what is hinged to a wheel lies in front of it; column z is half of its width.
        if (this.page.planar) mesh.position.z = -Math.hypot(round.axes[2], round.axes[5], round.axes[8]);
      }
      return;
    }
    if (this.isShown(round)) return;
    const material = this.material("round", () => sceneColours().steel, { transparent: true, opacity: 0.3 });
    material.depthWrite = false;
    const geometry = round.kind === "wheel" ? barrel(1, 2, 64) : ball(1, 64);
    const mesh = this.mesh(geometry, material, label, this.parent(round));
    mesh.applyMatrix4(basis(round.axes));
    mesh.position.fromArray(round.at);
    mesh.castShadow = false;
  }
  addCam(cam) {
    const thickness = this.page.planar ? this.thickness : 4 * this.radius,
      mesh = this.mesh(disc(cam.radii, thickness), this.bodyMaterial(cam.frame), `cam ${cam.name}`, this.mount(cam));
    mesh.position.z = this.height(cam.frame);
  }
  addPatch(patch) {
    const material = this.material("surface", () => sceneColours().surface, { side: DoubleSide, roughness: 0.9 });
    const mesh = this.mesh(net(patch, 1.5 * this.radius), material, `surface of ${patch.name}`, this.parent(patch));
    mesh.castShadow = false;
  }

  addConnection(connection) {
    const { kind, mark, name, a, b } = connection,
      label = `${kind} ${name}`.replaceAll("_", " ");
    if (mark === "arrow") return;
    for (const end of [a, b]) {
      if (end.frame >= 0 || ["table", "foot"].includes(mark)) continue;
      const { part } = this;
      this.part = "ground";
      groundSymbol(this, connection, end);
      this.part = part;
    }
    if (lines.has(mark)) return this.addLine(connection, label);
    if (mark === "coil") return drawSpring(this, connection, label);
    drawJoint(this, connection, label);
  }
  distance({ a, b }) {
    const sample = this.run.sample(this.page.start);
    return this.run.place(a, sample, new Vector3()).distanceTo(this.run.place(b, sample, new Vector3()));
  }
  // A bar or a massless rod: a link between two places.
  addLine(connection, label) {
    const { radius, page } = this,
      length = this.distance(connection),
      bar = connection.mark === "bar";
    const number = this.run.connections.indexOf(connection);
    const material = bar ? this.material(`bar ${number}`, () => this.colour(number)) : this.steel("steel");
    const thick = (bar ? 1.9 : 1.1) * radius;
    const geometry = page.planar
      ? plate([new Vector2(0, 0), new Vector2(length, 0)], thick, this.thickness, 0).translate(
          0,
          0,
          this.height(connection.name),
        )
      : capsule(new Vector3(), new Vector3(length, 0, 0), bar ? radius : 0.55 * radius);
    const mesh = this.mesh(geometry, material, label, this.group),
      x = new Vector3(1, 0, 0),
      along = new Vector3();
    this.updates.push((from, to) => {
      along.copy(to).sub(from);
      mesh.scale.x = length > 0 ? along.length() / length : 1;
      mesh.quaternion.setFromUnitVectors(x, along.normalize());
      mesh.position.copy(from);
    }, connection);
  }

  update(t) {
    const sample = this.run.sample(t);
    this.moving.forEach((group, k) => {
      this.run.position(k, sample, group.position);
      this.run.quaternion(k, sample, group.quaternion);
    });
    this.lines.update(sample);
    for (let i = 0; i < this.updates.length; i += 2) {
      const { a, b } = this.updates[i + 1];
      this.updates[i](this.run.place(a, sample, from), this.run.place(b, sample, to));
    }
  }
  // The group that an attachment moves with, and its pose in it.
  parent(end) {
    return end.frame < 0 ? this.group : this.frames[end.frame];
  }
  mount(end) {
    const holder = new Group();
    holder.applyMatrix4(basis(end.axes));
    holder.position.fromArray(end.at);
    this.parent(end).add(holder);
    return holder;
  }
}
const from = new Vector3(),
  to = new Vector3();
