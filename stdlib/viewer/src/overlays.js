// What can be switched on over the mechanism: joint frames, force arrows, traces.
import { AxesHelper, ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, Quaternion, Vector3 } from "three";
import { Line2 } from "three/addons/lines/Line2.js";
import { LineGeometry } from "three/addons/lines/LineGeometry.js";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
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

// An arrow of unit length along y.
class Arrow {
  constructor(thick, material, label) {
    this.group = new Group();
    this.shaft = new Mesh(new CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0), material);
    this.head = new Mesh(new ConeGeometry(1, 1, 18).translate(0, -0.5, 0), material);
    this.thick = thick;
    for (const part of [this.shaft, this.head]) {
      part.renderOrder = 2;
      part.userData.label = label;
      this.group.add(part);
    }
  }
  set(at, vector) {
    const length = vector.length(),
      head = Math.min(6.5 * this.thick, 0.5 * length);
    this.group.visible = length > 1.5 * this.thick;
    if (!this.group.visible) return;
    this.group.position.copy(at);
    this.group.quaternion.setFromUnitVectors(y, vector.divideScalar(length));
    this.shaft.scale.set(this.thick, length - head, this.thick);
    this.head.scale.set(0.38 * head, head, 0.38 * head);
    this.head.position.y = length;
  }
}
const y = new Vector3(0, 1, 0);

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
        for (let k = 0; k < arrow.values.length; k += step) {
          const size = arrow.unit * Math.hypot(...arrow.values.subarray(k, k + step));
          if (size > 0) sizes.push(size);
        }
        const connection = m.run.connections[arrow.connection],
          name = connection ? connection.name : arrow.name;
        const make = () =>
          new Arrow(
            Math.min(0.0032 * world.size, 0.5 * m.radius),
            this.materials[arrow.kind],
            `${arrow.kind} ${name}`,
          );
        const arrows = step === 1 ? [make(), make()] : [make()];
        arrows.forEach((one) => this.group.add(one.group));
        this.items.push({ m, arrow, connection, arrows });
      }
    }
    sizes.sort((a, b) => a - b);
    // Short peaks must not make all other arrows tiny.
    const large = sizes[Math.floor(0.92 * (sizes.length - 1))] ?? 1;
    this.longest = 0.22 * world.size;
    const cuts = sizes.length > 0 && sizes[sizes.length - 1] > 1.05 * large;
    Object.assign(this, { perNewton: this.longest / large, large, scale: 1, cuts });
    this.depth = world.planar ? (mechanisms[0]?.depth ?? 0) : 0;
  }
  // Arrows as long as this are the longest by themselves; those of peaks end there, too.
  get scaleText() {
    return `× ${Number(this.scale.toPrecision(2))}: ${Number((this.large / this.scale).toPrecision(3))} N is ${Number(this.longest.toPrecision(3))} m long${this.cuts ? ", more is cut" : ""}`;
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
        this.items.push({ span, place, m });
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
    for (const { span, place, m } of this.items) {
      place(m.run.sample(t), p).project(camera);
      const hidden = !m.group.visible || p.z > 1;
      span.style.display = hidden ? "none" : "";
      const x = ((p.x + 1) * width) / 2 + 9;
      const y = ((1 - p.y) * height) / 2 - (span.className === "joint" ? 22 : 4);
      span.style.transform = `translate(${x}px, ${y}px)`;
    }
  }
}
const middle = (places) => {
  const sum = new Vector3();
  places.forEach((place) => sum.add(place));
  return (places.length ? sum.divideScalar(places.length) : sum).toArray();
};
