// Flexible lines: tubes along their samples, coloured by what varies along them, and the legend of the colours.
import { BufferAttribute, BufferGeometry, Color, MeshStandardMaterial, Vector3 } from "three";
import { bodyColour, curveColour, rampColour } from "./colours.js";

const sides = 14;

// A tube whose vertices are moved: a ring at each sample, and one without radius at each end that closes it.
class Tube {
  constructor(samples) {
    const rings = samples + 2,
      index = [];
    Object.assign(this, { samples, rings, geometry: new BufferGeometry() });
    for (let i = 0; i + 1 < rings; ++i) {
      for (let j = 0; j < sides; ++j) {
        const a = i * sides + j,
          b = i * sides + ((j + 1) % sides);
        index.push(a, b, a + sides, b, b + sides, a + sides);
      }
    }
    for (const name of ["position", "normal", "color"]) {
      this[name] = new BufferAttribute(new Float32Array(3 * sides * rings), 3);
      this.geometry.setAttribute(name, this[name]);
    }
    this.geometry.setIndex(index);
  }
  // The rings turn as little as possible about the line from one to the next.
  bend(points, radius, height) {
    let side = null;
    for (let i = 0; i < this.rings; ++i) {
      const k = Math.min(Math.max(i - 1, 0), this.samples - 1);
      along.copy(points[Math.min(k + 1, this.samples - 1)]).sub(points[Math.max(k - 1, 0)]);
      if (along.lengthSq() > 0) along.normalize();
      else along.set(1, 0, 0);
      if (!side) side = new Vector3(0, 0, Math.abs(along.z) < 0.9 ? 1 : 0).setX(Math.abs(along.z) < 0.9 ? 0 : 1);
      side.addScaledVector(along, -side.dot(along)).normalize();
      other.copy(along).cross(side);
      const end = i === 0 ? -1 : i === this.rings - 1 ? 1 : 0;
      for (let j = 0; j < sides; ++j) {
        const turn = (2 * Math.PI * j) / sides,
          n = i * sides + j;
        normal.copy(side).multiplyScalar(Math.cos(turn)).addScaledVector(other, Math.sin(turn));
        const r = end ? 0 : radius;
        this.position.setXYZ(
          n,
          points[k].x + r * normal.x,
          points[k].y + r * normal.y,
          points[k].z + r * normal.z + height,
        );
        if (end) normal.copy(along).multiplyScalar(end);
        this.normal.setXYZ(n, normal.x, normal.y, normal.z);
      }
    }
    this.position.needsUpdate = this.normal.needsUpdate = true;
    this.geometry.computeBoundingSphere();
  }
  // paint(k, colour) sets the colour of sample k.
  paint(paint) {
    for (let i = 0; i < this.rings; ++i) {
      paint(Math.min(Math.max(i - 1, 0), this.samples - 1), colour);
      for (let j = 0; j < sides; ++j) this.color.setXYZ(i * sides + j, colour.r, colour.g, colour.b);
    }
    this.color.needsUpdate = true;
  }
}
const along = new Vector3(),
  other = new Vector3(),
  normal = new Vector3(),
  colour = new Color();

// The lines of one run, as parts of its mechanism.
export class FlexibleLines {
  constructor(mechanism, palette) {
    const { run, page, radius } = mechanism;
    Object.assign(this, { run, page, palette });
    this.parts = run.lines.map((line, number) => {
      const tube = new Tube(line.samples),
        ghost = run.ghost ? { transparent: true, opacity: 0.4 } : {},
        material = new MeshStandardMaterial({ vertexColors: true, roughness: 0.6, metalness: 0, ...ghost });
      const mesh = mechanism.mesh(tube.geometry, material, `beam ${line.name}`, mechanism.group);
      mesh.userData.name = line.name;
      mesh.frustumCulled = false;
      return {
        line,
        tube,
        plain: () => (page.runs.length > 1 ? curveColour(run.colour) : bodyColour(number)),
        radius: Math.max(line.radius, 0.3 * radius), // what is thinner could not be seen
        height: page.planar ? mechanism.depth / 2 : 0,
        points: Array.from({ length: line.samples }, () => new Vector3()),
      };
    });
  }
  update(sample) {
    const { run, page } = this;
    for (const { line, tube, plain, radius, height, points } of this.parts) {
      points.forEach((p, k) =>
        p.set(
          line.positions.at(sample, 3 * k),
          line.positions.at(sample, 3 * k + 1),
          line.positions.at(sample, 3 * k + 2),
        ),
      );
      tube.bend(points, radius, height);
      const quantity = !(page.swing && run.ghost) && line.quantities.find(({ name }) => name === this.palette.chosen);
      if (quantity) tube.paint((k, out) => this.palette.paint(quantity.at(sample, k), out));
      else tube.paint((_, out) => out.set(plain()));
    }
  }
}

// What lines are coloured by: the same colours for all lines and runs of the page, at all times.
export class Palette {
  constructor(page) {
    this.ranges = new Map();
    for (const { lines } of page.runs) {
      for (const { name, unit, low, high } of lines.flatMap((line) => line.quantities)) {
        const known = this.ranges.get(name) ?? { unit, low, high };
        this.ranges.set(name, { unit, low: Math.min(known.low, low), high: Math.max(known.high, high) });
      }
    }
    for (const range of this.ranges.values()) {
      // What changes its sign is white where it is zero, and what does not begins there.
      range.signed = range.low < 0;
      const most = Math.max(Math.abs(range.low), Math.abs(range.high));
      range.low = range.signed ? -most : 0;
      range.high = most;
    }
    // Several runs are told apart by their own colours, unless the reader chooses otherwise.
    this.chosen = page.runs.length > 1 && !page.swing ? "" : (this.ranges.keys().next().value ?? "");
  }
  get range() {
    return this.ranges.get(this.chosen);
  }
  share(value) {
    const { low, high } = this.range;
    return high > low ? Math.min(Math.max((value - low) / (high - low), 0), 1) : 0;
  }
  paint(value, out) {
    return rampColour(this.range.signed, this.share(value), out);
  }

  // The legend: a choice, a bar of colours, and what its ends mean.
  legend(box, changed) {
    if (!this.ranges.size) return;
    box.hidden = false;
    const choice = document.createElement("select"),
      bar = document.createElement("i"),
      low = document.createElement("span"),
      middle = document.createElement("span"),
      high = document.createElement("span"),
      ends = document.createElement("div");
    choice.title = "What the beams are coloured by";
    for (const name of [...this.ranges.keys(), ""]) {
      choice.append(new Option(name ? name.replaceAll("_", " ") : "no colours", name));
    }
    choice.value = this.chosen;
    ends.append(low, middle, high);
    box.append(choice, bar, ends);
    const show = () => {
      this.chosen = choice.value;
      const range = this.range;
      bar.hidden = ends.hidden = !range;
      if (!range) return;
      const stops = Array.from({ length: 13 }, (_, k) => `#${rampColour(range.signed, k / 12, colour).getHexString()}`);
      bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
      const [factor, prefix] = scale(range.high);
      const text = (x) => `${Number((x / factor).toPrecision(3))}`.replace("-", "−");
      low.textContent = text(range.low);
      middle.textContent = `${prefix}${range.unit}`;
      high.textContent = text(range.high);
    };
    choice.addEventListener("change", () => {
      show();
      changed();
    });
    show();
  }
}

// A factor of a thousand to some power, and its prefix, for values up to this one.
function scale(most) {
  const prefixes = { "-3": "n", "-2": "µ", "-1": "m", 0: "", 1: "k", 2: "M", 3: "G" };
  const power = most > 0 ? Math.min(Math.max(Math.floor(Math.log10(most) / 3 + 1e-9), -3), 3) : 0;
  return [1000 ** power, prefixes[power]];
}
