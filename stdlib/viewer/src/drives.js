// Motors, drivers and springs of angles: where they are, and what they do now, as arrows.
import { MeshBasicMaterial, Quaternion, Vector3 } from "three";
import { Arrow, Turn } from "./arrows.js";
import { sceneColours } from "./colours.js";
import { barrel, basis, ring } from "./geometry.js";

const forward = new Vector3(0, 0, 1),
  still = 1e-3; // shares of the largest value below which an arrow keeps its direction

export const labelOf = ({ kind, name }) => `${kind} ${name}`;
// The part of the page's list that a drive belongs to.
const partOf = ({ spring }) => (spring ? "springs and dampers" : "actuators");

// Drawn over what is before it, as force arrows are.
function material(m, spring) {
  const name = spring ? "spring arrow" : "drive arrow",
    colour = () => sceneColours()[spring ? "steel" : "drive"];
  if (!m.materials.has(name)) {
    const made = new MeshBasicMaterial({ depthTest: false, transparent: true, opacity: m.run.ghost ? 0.4 : 0.95 });
    made.color.set(colour());
    m.materials.set(name, { material: made, colour });
  }
  return m.materials.get(name).material;
}

export class Drives {
  constructor(mechanisms, forces, world) {
    // Among many links, which are short, arrows are as large as can be seen.
    this.least = 0.02 * (world.travels ? world.now : world.size);
    Object.assign(this, { forces, items: [] });
    for (const m of mechanisms) for (const drive of m.run.drives) this.items.push(this.add(m, drive));
  }
  add(m, drive) {
    Object.assign(m, { part: partOf(drive), making: drive.name });
    const reach = Math.max(4.4 * m.radius, this.least),
      label = labelOf(drive),
      look = material(m, drive.spring),
      thick = 0.1 * reach,
      // A thin ring, or a thin rod, says where it is while it does nothing.
      mark = m.mesh(
        drive.turns ? ring(reach, 0.035 * reach) : barrel(0.07 * reach, 2 * reach),
        m.steel(drive.spring ? "steel" : "pin"),
        label,
        m.group,
      ),
      arrow = drive.turns ? new Turn(reach, thick, look, label) : new Arrow(thick, look, label);
    mark.castShadow = false;
    for (const { userData } of arrow.parts) Object.assign(userData, { part: m.part, m, name: drive.name });
    m.group.add(arrow.group);
    return { m, drive, mark, arrow, direction: first(drive) };
  }
  get empty() {
    return this.items.length === 0;
  }
  recolour() {}
  update(t) {
    for (const { m, drive, mark, arrow, direction } of this.items) {
      const { run, page } = m,
        sample = run.sample(t),
        size = read(drive, sample, value).length();
      run.place(drive.at, sample, at);
      if (page.planar) at.z += m.depth + 0.9 * m.radius;
      if (size > still * 32767 * drive.unit) direction.copy(value).divideScalar(size);
      mark.position.copy(at);
      mark.quaternion.copy(turn.setFromUnitVectors(forward, direction));
      if (drive.turns) {
        arrow.group.position.copy(at);
        arrow.group.quaternion.copy(turn);
        arrow.set(this.forces.torque > 0 ? (size * this.forces.scale) / this.forces.torque : 0);
      } else {
        const { perNewton, scale, longest } = this.forces;
        arrow.set(at, value.multiplyScalar(perNewton * scale).clampLength(0, 1.4 * longest * Math.max(1, scale)));
      }
    }
  }
}
const at = new Vector3(),
  value = new Vector3(),
  turn = new Quaternion();

// What a drive does at a time, in N or N m.
export function read({ values, unit }, { index, share }, out) {
  const k = 3 * index,
    between = (i) => unit * (values[k + i] + share * ((values[k + i + 3] ?? values[k + i]) - values[k + i]));
  return out.set(between(0), between(1), between(2));
}

// The direction of its largest value, or where there is none an axis of its place.
function first({ values, at: end }) {
  let best = 0;
  const out = new Vector3().setFromMatrixColumn(basis(end.axes), 2);
  for (let k = 0; k < values.length; k += 3) {
    const size = Math.hypot(values[k], values[k + 1], values[k + 2]);
    if (size > best) out.set(values[k], values[k + 1], values[k + 2]).divideScalar((best = size));
  }
  return out;
}
