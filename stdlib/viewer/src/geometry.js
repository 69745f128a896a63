// Shapes of bodies, links, joints and springs, in metres.
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  ExtrudeGeometry,
  LatheGeometry,
  Matrix4,
  Path,
  Quaternion,
  Shape,
  SphereGeometry,
  TorusGeometry,
  Vector2,
  Vector3,
} from "three";
import { toCreasedNormals } from "three/addons/utils/BufferGeometryUtils.js";

const up = new Vector3(0, 1, 0),
  forward = new Vector3(0, 0, 1);

// A patch of a surface: a net of points, row by row. One row alone is a strip as deep as `below` along the normal.
export function net({ points, columns, normal }, below) {
  const rows = points.length / 3 / columns,
    all = rows > 1 ? points : new Float32Array(2 * points.length),
    index = [];
  if (rows === 1) {
    all.set(points);
    for (let k = 0; k < points.length; ++k) all[points.length + k] = points[k] - below * normal[k % 3];
  }
  for (let j = 0; j + 1 < Math.max(rows, 2); ++j) {
    for (let i = 0; i + 1 < columns; ++i) {
      const a = j * columns + i;
      index.push(a, a + 1, a + columns, a + 1, a + columns + 1, a + columns);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(all, 3));
  geometry.setIndex(index);
  geometry.computeVertexNormals();
  return geometry;
}

// Axes as the columns of a row-major 3 x 3 list; none are those of the frame.
export function basis(axes) {
  const m = new Matrix4();
  if (axes) m.set(axes[0], axes[1], axes[2], 0, axes[3], axes[4], axes[5], 0, axes[6], axes[7], axes[8], 0, 0, 0, 0, 1);
  return m;
}

// Triangles of a file, smooth but for edges sharper than this (rad).
const crease = 0.6;
function triangles({ corners, triangles }, unit) {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(corners.map((x, i) => x * unit[i % 3]), 3));
  geometry.setIndex(new BufferAttribute(triangles, 1));
  return toCreasedNormals(geometry, crease);
}

// What a solid of the model looks like, about its middle.
export function solid(shape, thin) {
  const s = shape.size;
  if (shape.kind === "surface") return triangles(shape.surface, s);
  if (shape.kind === "box") return new BoxGeometry(s[0], s[1], s[2]);
  if (shape.kind === "sphere") return new SphereGeometry(s[0], 40, 24);
  if (shape.kind === "rod") return new CylinderGeometry(thin, thin, s[0], 16).rotateX(Math.PI / 2);
  if (!(s[1] > 0)) return new CylinderGeometry(s[0], s[0], s[2], 48).rotateX(Math.PI / 2);
  const h = s[2] / 2,
    ring = [
      [s[1], -h],
      [s[0], -h],
      [s[0], h],
      [s[1], h],
      [s[1], -h],
    ];
  const turned = new LatheGeometry(
    ring.map(([x, y]) => new Vector2(x, y)),
    64,
  );
  return toCreasedNormals(turned.rotateX(Math.PI / 2), crease);
}

// A disc about z whose edge is at these distances, at equal angles.
export function disc(radii, thickness) {
  const at = (k) => (2 * Math.PI * k) / radii.length;
  const outline = new Shape(Array.from(radii, (r, k) => new Vector2(r * Math.cos(at(k)), r * Math.sin(at(k)))));
  return new ExtrudeGeometry(outline, { depth: thickness, bevelEnabled: false }).translate(0, 0, -thickness / 2);
}

// A flat ring about z, between two radii.
export function hollow(inner, outer, thickness) {
  const outline = new Shape().absarc(0, 0, outer, 0, 2 * Math.PI, false);
  outline.holes.push(new Path().absarc(0, 0, inner, 0, 2 * Math.PI, true));
  return new ExtrudeGeometry(outline, { depth: thickness, bevelEnabled: false, curveSegments: 96 }).translate(
    0,
    0,
    -thickness / 2,
  );
}

// A tire and its rim about z, of the radius 1 and from -1 to 1, to be stretched.
export function tire() {
  const edge = [
    [0.66, -0.8],
    [0.9, -1],
    [0.975, -0.85],
    [1, -0.55],
    [1, 0.55],
    [0.975, 0.85],
    [0.9, 1],
    [0.66, 0.8],
  ];
  return new LatheGeometry([...edge, edge[0]].map(([x, y]) => new Vector2(x, y)), 64).rotateX(Math.PI / 2);
}
export function rim() {
  const outline = new Shape();
  outline.absarc(0, 0, 0.68, 0, 2 * Math.PI, false);
  for (let k = 0; k < 5; ++k) {
    const hole = new Path(),
      from = (2 * Math.PI * (k + 0.14)) / 5,
      to = (2 * Math.PI * (k + 0.86)) / 5;
    hole.absarc(0, 0, 0.58, from, to, false);
    hole.absarc(0, 0, 0.2, to, from, true);
    hole.closePath();
    outline.holes.push(hole);
  }
  return new ExtrudeGeometry(outline, { depth: 1, bevelEnabled: false, curveSegments: 48 }).translate(0, 0, -0.5);
}

// A capsule from a to b.
export function capsule(a, b, radius) {
  const along = b.clone().sub(a),
    length = along.length();
  if (length < 1e-12) return new SphereGeometry(radius, 20, 14).translate(a.x, a.y, a.z);
  const turn = new Quaternion().setFromUnitVectors(up, along.divideScalar(length));
  const middle = a.clone().add(b).multiplyScalar(0.5);
  return new CapsuleGeometry(radius, length, 6, 18).applyQuaternion(turn).translate(middle.x, middle.y, middle.z);
}

// A cylinder along z, centred.
export const barrel = (radius, length, sides = 28) =>
  new CylinderGeometry(radius, radius, length, sides).rotateX(Math.PI / 2);
export const ball = (radius, sides = 28) => new SphereGeometry(radius, sides, Math.round(0.65 * sides));
export const block = (x, y, z) => new BoxGeometry(x, y, z);
export const ring = (radius, wire) => new TorusGeometry(radius, wire, 12, 36);

function hull(points) {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const turn = (o, a, b) => (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
  const half = (list) => {
    const out = [];
    for (const p of list) {
      while (out.length > 1 && turn(out[out.length - 2], out[out.length - 1], p) <= 0) out.pop();
      out.push(p);
    }
    out.pop();
    return out;
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

// A flat link in the plane: the convex hull of its places (Vector2), rounded by the radius, with a hole for each pin.
export function plate(points, radius, thickness, hole) {
  const outline = new Shape();
  const corners = points.length > 1 ? hull(points) : points;
  const n = corners.length;
  if (n < 2) {
    outline.absarc(points[0].x, points[0].y, radius, 0, 2 * Math.PI, false);
  } else {
    for (let k = 0; k < n; ++k) {
      const before = corners[(k + n - 1) % n],
        here = corners[k],
        after = corners[(k + 1) % n];
      const from = Math.atan2(here.y - before.y, here.x - before.x) - Math.PI / 2;
      let to = Math.atan2(after.y - here.y, after.x - here.x) - Math.PI / 2;
      while (to < from) to += 2 * Math.PI;
      outline.absarc(here.x, here.y, radius, from, to, false);
    }
    outline.closePath();
  }
  if (hole > 0) {
    for (const p of points) outline.holes.push(new Path().absarc(p.x, p.y, hole, 0, 2 * Math.PI, true));
  }
  const bevel = 0.12 * thickness;
  return new ExtrudeGeometry(outline, {
    depth: thickness - 2 * bevel,
    bevelThickness: bevel,
    bevelSize: bevel,
    bevelOffset: -bevel,
    bevelSegments: 2,
    curveSegments: 20,
  }).translate(0, 0, -thickness / 2 + bevel);
}

// A coil between two points, as one tube whose vertices are moved.
export class Coil {
  constructor(turns, radius, wire) {
    Object.assign(this, { turns, radius, wire, sides: 7, rings: turns * 14 + 1 });
    const { sides, rings } = this,
      index = [];
    for (let i = 0; i + 1 < rings; ++i) {
      for (let j = 0; j < sides; ++j) {
        const a = i * sides + j,
          b = i * sides + ((j + 1) % sides);
        index.push(a, a + sides, b, b, a + sides, b + sides);
      }
    }
    this.geometry = new BufferGeometry();
    this.positions = new BufferAttribute(new Float32Array(3 * sides * rings), 3);
    this.normals = new BufferAttribute(new Float32Array(3 * sides * rings), 3);
    this.geometry.setAttribute("position", this.positions);
    this.geometry.setAttribute("normal", this.normals);
    this.geometry.setIndex(index);
  }
  update(a, b) {
    const { turns, radius, wire, sides, rings } = this;
    const along = b.clone().sub(a),
      length = Math.max(along.length(), 1e-9);
    along.divideScalar(length);
    const side = (Math.abs(along.z) < 0.9 ? forward : up).clone().cross(along).normalize(),
      other = along.clone().cross(side);
    const eye = Math.min(0.12 * length, 2.5 * radius),
      center = new Vector3(),
      out = new Vector3(),
      normal = new Vector3();
    for (let i = 0; i < rings; ++i) {
      const u = i / (rings - 1),
        ramp = Math.min(1, 8 * Math.min(u, 1 - u)),
        angle = 2 * Math.PI * turns * u;
      out.copy(side).multiplyScalar(Math.cos(angle)).addScaledVector(other, Math.sin(angle));
      center.copy(a).addScaledVector(along, eye + u * (length - 2 * eye) - (u === 0 ? eye : 0) + (u === 1 ? eye : 0));
      center.addScaledVector(out, radius * ramp);
      for (let j = 0; j < sides; ++j) {
        const w = (2 * Math.PI * j) / sides,
          k = i * sides + j;
        normal.copy(out).multiplyScalar(Math.cos(w)).addScaledVector(along, Math.sin(w));
        this.normals.setXYZ(k, normal.x, normal.y, normal.z);
        this.positions.setXYZ(k, center.x + wire * normal.x, center.y + wire * normal.y, center.z + wire * normal.z);
      }
    }
    this.positions.needsUpdate = this.normals.needsUpdate = true;
    this.geometry.computeBoundingSphere();
  }
}
