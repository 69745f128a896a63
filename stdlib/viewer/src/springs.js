// Springs as coils, dampers as pistons in cylinders, actuators as thicker ones.
import { Vector3 } from "three";
import { Coil, barrel } from "./geometry.js";

const forward = new Vector3(0, 0, 1);

// A cylinder at a and a rod in it from b: both keep their sizes, so that the stroke is seen.
function piston(m, connection, label, { wide, body }) {
  const length = m.distance(connection),
    size = 0.52 * length;
  const unit = () => barrel(1, 1, 24).translate(0, 0, 0.5),
    cylinder = m.mesh(unit(), body, label, m.group),
    rod = m.mesh(unit(), m.steel("pin"), label, m.group),
    eye = m.mesh(unit(), m.steel("pin"), label, m.group),
    along = new Vector3();
  return (from, to) => {
    along.copy(to).sub(from);
    const now = Math.max(along.length(), 1e-9),
      inside = Math.min(size, 0.85 * now),
      start = 0.12 * inside;
    along.divideScalar(now);
    for (const part of [cylinder, rod, eye]) part.quaternion.setFromUnitVectors(forward, along);
    cylinder.position.copy(from).addScaledVector(along, start);
    cylinder.scale.set(wide, wide, inside - start);
    eye.position.copy(from);
    eye.scale.set(0.4 * wide, 0.4 * wide, start);
    rod.position.copy(from).addScaledVector(along, 0.9 * inside);
    rod.scale.set(0.42 * wide, 0.42 * wide, now - 0.9 * inside);
  };
}

function coil(m, connection, label, wide) {
  const length = m.distance(connection),
    turns = Math.round(Math.min(Math.max(length / (1.6 * wide + 1e-9), 6), 14)),
    shape = new Coil(turns, wide, 0.17 * wide),
    mesh = m.mesh(shape.geometry, m.steel("steel"), label, m.group);
  mesh.frustumCulled = false;
  return (from, to) => shape.update(from, to);
}

export function drawSpring(m, connection, label) {
  const { kind } = connection,
    wide = Math.min(1.9 * m.radius, 0.16 * m.distance(connection)),
    grey = () => m.steel("ground"),
    parts = [];
  if (kind.startsWith("spring")) parts.push(coil(m, connection, label, wide));
  if (kind === "spring-damper") parts.push(piston(m, connection, label, { wide: 0.55 * wide, body: grey() }));
  if (kind === "damper") parts.push(piston(m, connection, label, { wide: 0.8 * wide, body: grey() }));
  if (kind === "actuator") {
    const body = m.material("actuator", () => "#c9a227", { roughness: 0.5 });
    parts.push(piston(m, connection, label, { wide, body }));
  }
  const lift = new Vector3(0, 0, m.page.planar ? m.depth / 2 : 0);
  m.updates.push((from, to) => {
    from.add(lift);
    to.add(lift);
    parts.forEach((update) => update(from, to));
  }, connection);
}
