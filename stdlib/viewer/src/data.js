// The data of the page: runs, sampled at common times. Arrays come as base64 of little-endian numbers.
import { Quaternion, Vector3 } from "three";
import { ghostColour } from "./colours.js";

function bytes(text) {
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) out[i] = raw.charCodeAt(i);
  return out.buffer;
}

// The motion of one frame: positions, and quaternions (x, y, z, w) unless it is a point.
class Motion {
  constructor(frame) {
    this.at = new Float32Array(bytes(frame.positions));
    this.turns = frame.quaternions ? new Int16Array(bytes(frame.quaternions)) : null;
  }
  position(sample, out = new Vector3()) {
    const k = sample.index * 3,
      s = sample.share,
      p = this.at;
    out.set(p[k], p[k + 1], p[k + 2]);
    if (s > 0) {
      out.x += s * (p[k + 3] - p[k]);
      out.y += s * (p[k + 4] - p[k + 1]);
      out.z += s * (p[k + 5] - p[k + 2]);
    }
    return out;
  }
  quaternion(sample, out = new Quaternion()) {
    if (!this.turns) return out.identity();
    const k = sample.index * 4,
      s = sample.share,
      q = this.turns;
    out.set(q[k], q[k + 1], q[k + 2], q[k + 3]).normalize();
    if (s > 0) out.slerp(next.set(q[k + 4], q[k + 5], q[k + 6], q[k + 7]).normalize(), s);
    return out;
  }
}
const next = new Quaternion();

// Numbers of a flexible line, `width` of them at each time, stored as shares of their range.
class Ranged {
  constructor(raw, width) {
    Object.assign(this, raw, { width, values: new Int16Array(bytes(raw.values)) });
  }
  at(sample, k) {
    const { low, high, values, width } = this,
      n = sample.index * width + k,
      x = sample.share > 0 ? values[n] + sample.share * (values[n + width] - values[n]) : values[n];
    return low + ((high - low) * (x + 32767)) / 65534;
  }
}

// A surface of a file: its corners, in the unit of the file, and which of them its triangles have.
class Surface {
  constructor({ lowest, highest, corners, triangles, wide }) {
    Object.assign(this, { lowest, highest });
    const shares = new Uint16Array(bytes(corners));
    this.corners = Float32Array.from(shares, (x, i) => lowest[i % 3] + ((highest[i % 3] - lowest[i % 3]) * x) / 65535);
    this.triangles = new (wide ? Uint32Array : Uint16Array)(bytes(triangles));
  }
}

class Run {
  constructor(raw, page) {
    Object.assign(this, raw);
    this.page = page;
    for (const { shapes = [] } of raw.frames) {
      for (const shape of shapes) if (shape.surface !== undefined) shape.surface = page.surfaces[shape.surface];
    }
    this.moving = [...raw.frames.keys()].filter((k) => raw.frames[k].kind !== "ground");
    this.motions = raw.frames.map((frame) => new Motion(frame));
    for (const patch of raw.patches) patch.points = new Float32Array(bytes(patch.points));
    for (const cam of raw.cams) cam.radii = new Float32Array(bytes(cam.radii));
    this.lines = raw.lines.map((line) => ({
      ...line,
      positions: new Ranged(line.positions, 3 * line.samples),
      quantities: line.quantities.map((quantity) => new Ranged(quantity, line.samples)),
    }));
    for (const arrow of raw.arrows) {
      arrow.values = new Int16Array(bytes(arrow.values));
      if (arrow.positions) arrow.path = new Motion(arrow);  // of where something touches
    }
    for (const drive of raw.drives) Object.assign(drive, { components: 3, values: new Int16Array(bytes(drive.values)) });
    for (const signal of raw.signals) {
      signal.values = Float64Array.from(new Float32Array(bytes(signal.values)), (x) => x + signal.offset);
    }
  }
  // Where the run stands at a time: the sample before it, and the share of the way to the next one.
  sample(t) {
    const { first, last } = this;
    const x = Math.min(Math.max(this.page.index(t), first), last);
    const index = Math.min(Math.floor(x), Math.max(last - 1, first));
    return { index: index - first, share: last > first ? x - index : 0 };
  }
  position(frame, sample, out = new Vector3()) {
    return frame < 0 ? out.set(0, 0, 0) : this.motions[frame].position(sample, out);
  }
  quaternion(frame, sample, out = new Quaternion()) {
    return frame < 0 ? out.identity() : this.motions[frame].quaternion(sample, out);
  }
  // The place of an attachment in space.
  place(end, sample, out = new Vector3()) {
    const turned = end.frame < 0 ? null : this.quaternion(end.frame, sample, placeTurn);
    out.fromArray(end.at);
    if (turned) out.applyQuaternion(turned);
    return out.add(this.position(end.frame, sample, placeShift));
  }
}
const placeTurn = new Quaternion(),
  placeShift = new Vector3();

export class Page {
  constructor(raw) {
    Object.assign(this, raw);
    this.surfaces = raw.surfaces.map((surface) => new Surface(surface));
    this.runs = raw.runs.map((run) => new Run(run, this));
    // A ghost, what once was, leaves the first colours to the others.
    let next = 0;
    for (const run of this.runs) run.colour = run.ghost ? ghostColour : next++;
    this.times = Float64Array.from(
      { length: this.count },
      (_, k) => this.start + (k * this.duration) / Math.max(1, this.count - 1),
    );
  }
  // A motion beside what it once was: both are to be seen all the time.
  get compares() {
    return this.runs.some((run) => run.ghost);
  }
  get end() {
    return this.start + this.duration;
  }
  index(t) {
    return this.duration > 0 ? ((t - this.start) / this.duration) * (this.count - 1) : 0;
  }
}

export function readPage() {
  return new Page(JSON.parse(document.getElementById("data").textContent));
}
