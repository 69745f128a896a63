// How joints and the ground are drawn.
import { DoubleSide, Mesh, MeshBasicMaterial, PlaneGeometry, Vector3 } from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import { sceneColours } from "./colours.js";
import { ball, barrel, basis, block, ring } from "./geometry.js";

// How far b moves along an axis of a, over the run.
function travel(mechanism, { a, b }, axis) {
  const { run, page } = mechanism,
    range = [0, 0],
    p = new Vector3(),
    q = new Vector3(),
    d = new Vector3();
  for (let k = 0; k <= 120; ++k) {
    const sample = run.sample(page.start + (page.duration * k) / 120);
    d.setFromMatrixColumn(basis(a.axes), axis).applyQuaternion(run.quaternion(a.frame, sample));
    const s = d.dot(run.place(b, sample, p).sub(run.place(a, sample, q)));
    if (k === 0) range[0] = range[1] = s;
    range[0] = Math.min(range[0], s);
    range[1] = Math.max(range[1], s);
  }
  return range;
}

// Along z of the holder, or along x.
const laid = (geometry, alongX) => (alongX ? geometry.rotateY(Math.PI / 2) : geometry);

function rail(m, connection, label, { round, slider }) {
  const r = m.radius,
    flat = m.page.planar,
    [low, high] = travel(m, connection, flat ? 0 : 2);
  const from = Math.min(low, 0) - 5 * r,
    to = Math.max(high, 0) + 5 * r,
    length = to - from,
    middle = (from + to) / 2;
  const guide = round ? barrel(0.45 * r, length) : block(0.7 * r, 0.7 * r, length);
  const shifted = guide.translate(0, 0, middle),
    lift = flat ? m.depth / 2 : 0;
  m.mesh(laid(shifted, flat).translate(0, 0, lift), m.steel("ground"), label, m.mount(connection.a));
  if (slider)
    m.mesh(
      laid(slider, flat).translate(0, 0, lift),
      m.bodyMaterial(connection.b.frame),
      label,
      m.mount(connection.b),
    );
}

function plane(m, { a, b }, label, pad) {
  const r = m.radius,
    sheet = new Mesh(
      new PlaneGeometry(24 * r, 24 * r),
      new MeshBasicMaterial({
        color: sceneColours().ground,
        transparent: true,
        opacity: 0.22,
        side: DoubleSide,
        depthWrite: false,
      }),
    );
  sheet.raycast = () => {};
  m.mount(a).add(sheet);
  m.mesh(pad, m.steel("pin"), label, m.mount(b));
}

// By the mark of the connection.
const draw = {
  pin(m, { b }, label) {
    const r = m.radius,
      holder = m.mount(b),
      pin = m.steel("pin");
    if (m.page.planar) {
      m.mesh(barrel(0.95 * r, m.depth + 0.7 * r).translate(0, 0, m.depth / 2), pin, label, holder);
      m.mesh(barrel(0.42 * r, m.depth + 0.9 * r).translate(0, 0, m.depth / 2), m.steel("page"), label, holder);
      return;
    }
    m.mesh(barrel(1.35 * r, 3.6 * r), m.steel("steel"), label, holder);
    m.mesh(barrel(0.8 * r, 5.4 * r), pin, label, holder);
  },
  ball(m, { b }, label) {
    m.mesh(ball(1.75 * m.radius), m.steel("steel"), label, m.mount(b));
  },
  cross(m, { a, b }, label) {
    for (const end of [a, b]) m.mesh(barrel(0.6 * m.radius, 5 * m.radius), m.steel("pin"), label, m.mount(end));
    m.mesh(ball(0.95 * m.radius), m.steel("pin"), label, m.mount(b));
  },
  slider(m, connection, label) {
    const r = m.radius;
    rail(m, connection, label, {
      slider: m.page.planar ? block(m.depth, 3.4 * r, 5.4 * r) : block(2.8 * r, 2.8 * r, 5 * r),
    });
  },
  sleeve(m, connection, label) {
    rail(m, connection, label, { round: true, slider: barrel(1.3 * m.radius, 4.4 * m.radius) });
  },
  nut(m, connection, label) {
    draw.sleeve(m, connection, label);
    for (const k of [-1, 0, 1])
      m.mesh(
        ring(1.35 * m.radius, 0.2 * m.radius).translate(0, 0, 1.3 * k * m.radius),
        m.steel("steel"),
        label,
        m.mount(connection.b),
      );
  },
  bead(m, connection, label) {
    rail(m, connection, label, { round: true, slider: ball(1.3 * m.radius) });
  },
  table: (m, connection, label) => plane(m, connection, label, barrel(1.7 * m.radius, 1.2 * m.radius)),
  foot: (m, connection, label) => plane(m, connection, label, ball(1.2 * m.radius)),
  clamp(m, { b }, label) {
    const r = m.radius,
      size = block(2.2 * r, 2.2 * r, m.page.planar ? m.depth + 0.3 * r : 2.2 * r);
    m.mesh(size.translate(0, 0, m.page.planar ? m.depth / 2 : 0), m.steel("pin"), label, m.mount(b));
  },
  rubber(m, { b }, label) {
    const r = m.radius,
      lift = m.page.planar ? m.depth / 2 : 0;
    m.mesh(
      ring(1.5 * r, 0.7 * r).translate(0, 0, lift),
      m.material("rubber", () => "#3a3f47", { roughness: 0.95 }),
      label,
      m.mount(b),
    );
  },
};

// Joints without a place of their own (axes kept parallel) have no picture.
export function drawJoint(mechanism, connection, label) {
  if (Object.hasOwn(draw, connection.mark)) draw[connection.mark](mechanism, connection, label);
}

function groundLines(mechanism) {
  if (!mechanism.materials.has("ground lines")) {
    const colour = () => sceneColours().ground;
    mechanism.materials.set("ground lines", {
      material: new LineMaterial({ linewidth: 1.7, color: colour() }),
      colour,
    });
  }
  return mechanism.materials.get("ground lines").material;
}

// Something fixed: in the plane the hatched triangle of textbooks, in space a block behind the joint.
export function groundSymbol(mechanism, { mark, name }, end) {
  const { radius: r, page } = mechanism,
    label = `ground at ${name}`,
    at = new Vector3().fromArray(end.at);
  if (!page.planar) {
    if (["slider", "sleeve", "nut", "bead"].includes(mark)) return;
    mechanism.mesh(
      block(2.3 * r, 2.3 * r, 2.3 * r),
      mechanism.steel("ground"),
      label,
      mechanism.mount({ ...end, axes: end.axes }),
    );
    return;
  }
  if (["slider", "bead", "clamp"].includes(mark)) return;
  const w = 2.6 * r,
    h = 3.6 * r,
    points = [];
  const line = (...list) => points.push(...list.flatMap(([x, y]) => [x, y, 0]));
  line([0, 0], [-w, -h], [-w, -h], [w, -h], [w, -h], [0, 0], [-1.5 * w, -h], [1.5 * w, -h]);
  for (let k = 0; k < 6; ++k) {
    const x = -1.35 * w + (k * 2.7 * w) / 5;
    line([x, -h], [x - 0.9 * r, -h - 1.1 * r]);
  }
  const lines = new LineSegments2(new LineSegmentsGeometry().setPositions(points), groundLines(mechanism));
  lines.raycast = () => {};
  // Gravity points away from the place in most mechanisms; upright triangles are what readers know.
  lines.position.copy(at);
  lines.userData.part = mechanism.part;
  mechanism.group.add(lines);
  mechanism.mesh(barrel(1.5 * r, 0.2 * r), mechanism.steel("ground"), label, mechanism.mount(end));
}
