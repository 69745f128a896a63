// What can be switched on over the mechanism: joint frames, force arrows, traces.
import { AxesHelper, Group, MeshBasicMaterial, Quaternion, Vector3 } from "three";
import { Line2 } from "three/addons/lines/Line2.js";
import { LineGeometry } from "three/addons/lines/LineGeometry.js";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { Arrow } from "./arrows.js";
import { bodyColour, curveColour, sceneColours } from "./colours.js";
import { basis } from "./geometry.js";

const unplaced = new Set(["arrow", "none"]);

// The axes of both markers of every joint: x red, y green, z blue.
export class JointFrames {
  constructor(mechanisms) {
    this.groups = [];
    for (const m of mechanisms) {
      for (const { mark, a, b } of m.run.connections) {
        if (unplaced.has(mark)) continue;
        [a, b].forEach((end, k) => {
          if (!end.axes) return;
          const axes = new AxesHelper((k === 0 ? 6.5 : 4.5) * m.radius),
            holder = m.mount(end);
          axes.material.depthTest = false;
          axes.renderOrder = 3;
          axes.raycast = () => {};
          holder.visible = false;
          holder.add(axes);
          this.groups.push(holder);
        });
      }
    }
  }
  get empty() {
    return this.groups.length === 0;
  }
  show(on) {
    for (const group of this.groups) group.visible = on;
  }
  update() {}
  recolour() {}
}

// What is not zero among the sizes of an arrow.
function sizesOf({ values, unit, components: step }) {
  const out = [];
  for (let k = 0; k < values.length; k += step) {
    const size = unit * Math.hypot(...values.subarray(k, k + step));
    if (size > 0) out.push(size);
  }
  return out;
}

// Reactions of joints on b, forces of laws, what surfaces do to what touches them, and the pull of springs and bars at
// both of their ends.
export class Forces {
  constructor(mechanisms, world) {
    this.group = new Group();
    this.group.visible = false;
    this.items = [];
    this.materials = {};
    for (const kind of ["force", "reaction", "contact"])
      this.materials[kind] = new MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.9 });
    this.recolour();
    const sizes = [];
    for (const m of mechanisms) {
      for (const arrow of m.run.arrows) {
        const step = arrow.components;
        sizes.push(...sizesOf(arrow));
        const connection = m.run.connections[arrow.connection],
          name = connection ? connection.name : arrow.name;
        const make = () =>
          new Arrow(
            Math.max(0.0012 * world.size, Math.min(0.0032 * world.size, 0.5 * m.radius)),
            this.materials[arrow.kind],
            `${arrow.kind} ${name}`,
          );
        const arrows = step === 1 ? [make(), make()] : [make()];
        arrows.forEach((one) => this.group.add(one.group));
        this.items.push({ m, arrow, connection, arrows });
      }
    }
    const turning = [];
    for (const m of mechanisms)
      for (const drive of m.run.drives) (drive.turns ? turning : sizes).push(...sizesOf(drive));
    for (const list of [sizes, turning]) list.sort((a, b) => a - b);
    // Short peaks must not make all other arrows tiny.
    const usual = (list) => list[Math.floor(0.92 * (list.length - 1))];
    // Where nothing pushes, as in free fall, what is left of the reactions is rounding, of the energies of the motion.
    let energy = 0;
    for (const { signals } of mechanisms.map((m) => m.run))
      for (const { name, values } of signals)
        if (name.startsWith("energy.")) for (const value of values) energy = Math.max(energy, Math.abs(value));
    if (usual(sizes) * world.size < 1e-10 * energy) sizes.length = 0;
    const large = usual(sizes) ?? Infinity;
    this.torque = usual(turning); // of an arrow that goes around nearly once
    this.hasForces = sizes.length > 0;
    this.longest = Math.min(0.22 * world.size, Math.max(0.44 * world.now, 0.09 * world.size)); // of what goes far, by its own size
    const cuts = sizes.length > 0 && sizes[sizes.length - 1] > 1.05 * large;
    Object.assign(this, { perNewton: this.longest / large, large, scale: 1, cuts }); // no arrows without forces
    this.depth = world.planar ? (mechanisms[0]?.depth ?? 0) : 0;
  }
  // Arrows as long as this are the longest by themselves; those of peaks end there, too.
  get scaleText() {
    const short = (x, digits = 3) => Number(x.toPrecision(digits)),
      all = [];
    if (this.hasForces) all.push(`${short(this.large / this.scale)} N is ${short(this.longest)} m long`);
    if (this.torque) all.push(`${short(this.torque / this.scale)} N m goes around`);
    if (this.cuts) all.push("more is cut");
    return `× ${short(this.scale, 2)}: ${all.join(", ")}`;
  }
  get empty() {
    return this.items.length === 0;
  }
  show(on) {
    this.group.visible = on;
  }
  recolour() {
    for (const [kind, material] of Object.entries(this.materials))
      material.color.set(sceneColours()[kind === "contact" ? "reaction" : kind]);
  }
  update(t) {
    if (!this.group.visible) return;
    const most = this.longest * Math.max(1, this.scale);
    for (const { m, arrow, connection, arrows } of this.items) {
      const sample = m.run.sample(t),
        k = sample.index * arrow.components;
      const read = (i) => {
        const now = arrow.values[k + i],
          next = arrow.values[k + i + arrow.components] ?? now;
        return arrow.unit * this.perNewton * this.scale * (now + sample.share * (next - now));
      };
      if (arrow.path) {
        const force = new Vector3(read(0), read(1), read(2)).clampLength(0, 1.4 * most);
        arrow.path.position(sample, p);
        arrows[0].set(p.setZ(p.z + this.depth), force);
        continue;
      }
      const { a, b } = connection;
      if (arrow.components === 1) {
        m.run.place(a, sample, p);
        m.run.place(b, sample, q);
        const along = new Vector3()
          .subVectors(q, p)
          .normalize()
          .multiplyScalar(Math.min(Math.max(read(0), -most), most));
        arrows[0].set(p.setZ(p.z + this.depth), along.clone());
        arrows[1].set(q.setZ(q.z + this.depth), along.negate());
        continue;
      }
      const force = new Vector3(read(0), read(1), read(2)).clampLength(0, 1.4 * most);
      if (arrow.along) force.applyMatrix4(basis(a.axes)).applyQuaternion(m.run.quaternion(a.frame, sample, turn));
      arrows[0].set(m.run.place(arrow.kind === "reaction" ? b : a, sample, p).setZ(p.z + this.depth), force);
    }
  }
}
const p = new Vector3(),
  q = new Vector3(),
  turn = new Quaternion();

// The paths of points and of the reference points of bodies: faint as a whole, strong up to now.
export class Traces {
  constructor(mechanisms, page) {
    this.group = new Group();
    this.group.visible = false;
    this.lines = [];
    mechanisms.forEach((m) => {
      m.run.frames.forEach((frame, k) => {
        if (frame.coordinate) return; // its body has the path
        const points = m.run.motions[k].at,
          lift = page.planar ? m.group.position.z + m.depth : 0;
        let moved = 0;
        for (let i = 3; i < points.length; ++i) moved = Math.max(moved, Math.abs(points[i] - points[i % 3]));
        if (this.lines.length >= 120 || moved < 0.2 * m.radius || points.length < 6) return;
        const lifted = points.slice();
        for (let i = 2; i < lifted.length; i += 3) lifted[i] += lift;
        const geometry = new LineGeometry().setPositions(lifted),
          colour = () => (page.runs.length > 1 ? curveColour(m.run.colour) : bodyColour(k));
        const line = (width, opacity) => {
          const material = new LineMaterial({ linewidth: width, transparent: true, opacity, depthWrite: false });
          const one = new Line2(geometry, material);
          one.raycast = () => {};
          one.renderOrder = 1;
          this.group.add(one);
          return one;
        };
        const past = line(2.6, 0.95);
        past.geometry = new LineGeometry().setPositions(lifted);
        this.lines.push({ whole: line(1.2, 0.35), past, run: m.run, colour, segments: lifted.length / 3 - 1 });
      });
    });
    this.recolour();
  }
  get empty() {
    return this.lines.length === 0;
  }
  show(on) {
    this.group.visible = on;
  }
  recolour() {
    for (const { whole, past, colour } of this.lines) {
      whole.material.color.set(colour());
      past.material.color.set(colour());
    }
  }
  update(t) {
    if (!this.group.visible) return;
    for (const { past, run, segments } of this.lines)
      past.geometry.instanceCount = Math.min(run.sample(t).index, segments);
  }
}

// Names of bodies, points and joints beside them, as text over the canvas.
export class Names {
  constructor(mechanisms, holder) {
    Object.assign(this, { holder, items: [], on: false });
    for (const m of mechanisms) {
      const add = (text, kind, place) => {
        const span = document.createElement("span");
        span.textContent = text;
        span.className = kind;
        holder.append(span);
        this.items.push({ span, place, m, shift: 0 });
      };
      m.run.frames.forEach((frame, k) => {
        if (frame.kind === "ground") return;
        add(frame.name, "body", (sample, out) => m.run.place({ frame: k, at: middle(m.places[k]) }, sample, out));
      });
      for (const { mark, name, b } of m.run.connections) {
        if (!unplaced.has(mark) && !["bar", "rod", "coil"].includes(mark))
          add(name, "joint", (sample, out) => m.run.place(b, sample, out));
      }
    }
    this.show(false);
  }
  get empty() {
    return this.items.length === 0 || this.items.length > 150;
  }
  show(on) {
    this.on = on;
    this.holder.hidden = !on;
  }
  recolour() {}
  update() {}
  place(t, camera, width, height) {
    if (!this.on) return;
    const taken = [];
    for (const item of this.items) {
      const { span, place, m } = item;
      place(m.run.sample(t), p).project(camera);
      const hidden = !m.group.visible || p.z > 1;
      span.style.display = hidden ? "none" : "";
      if (hidden) continue;
      item.wide ??= span.offsetWidth;
      const x = ((p.x + 1) * width) / 2 + 9,
        y = ((1 - p.y) * height) / 2 - (span.className === "joint" ? 22 : 4),
        left = x > width ? x : Math.min(x, width - item.wide - 2),
        // Beside others: where it was before, or the nearest place above or below; there is none in a crowd.
        shift = [item.shift, ...shifts].find((by) => taken.every((box) => isApart(box, left, y + by, item.wide)));
      item.shift = shift ?? 0;
      span.style.display = shift === undefined ? "none" : "";
      if (shift === undefined) continue;
      taken.push({ left, top: y + shift, wide: item.wide });
      span.style.transform = `translate(${left}px, ${y + shift}px)`;
    }
  }
}
const line = 19, // px, from one name to the next below it
  shifts = [0, -1, 1, -2, 2, -3, 3].map((k) => (k * line) / 2),
  isApart = (box, left, top, wide) =>
    Math.abs(box.top - top) >= line - 0.5 || left >= box.left + box.wide + 2 || left + wide + 2 <= box.left;
const middle = (places) => {
  const sum = new Vector3();
  places.forEach((place) => sum.add(place));
  return (places.length ? sum.divideScalar(places.length) : sum).toArray();
};
