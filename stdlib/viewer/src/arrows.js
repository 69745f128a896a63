// Arrows: straight ones of forces, curved ones of torques.
import { BufferAttribute, BufferGeometry, ConeGeometry, CylinderGeometry, Group, Mesh, TorusGeometry, Vector3 } from "three";

// Straight along y, as long as it is set.
export class Arrow {
  constructor(thick, material, label) {
    this.group = new Group();
    this.shaft = new Mesh(new CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0), material);
    this.head = new Mesh(new ConeGeometry(1, 1, 18).translate(0, -0.5, 0), material);
    Object.assign(this, { thick, parts: [this.shaft, this.head] });
    for (const part of this.parts) {
      part.renderOrder = 2;
      part.userData.label = label;
      this.group.add(part);
    }
  }
  set(at, vector) {
    const length = vector.length(),
      head = Math.min(6.5 * this.thick, 0.5 * length);
    this.group.visible = length > 1.5 * this.thick;
    this.length = this.group.visible ? length : 0;
    if (!this.group.visible) return;
    this.group.position.copy(at);
    this.group.quaternion.setFromUnitVectors(y, vector.divideScalar(length));
    this.shaft.scale.set(this.thick, length - head, this.thick);
    this.head.scale.set(0.38 * head, head, 0.38 * head);
    this.head.position.y = length;
  }
}
const y = new Vector3(0, 1, 0);

// An arc of a torus about z from the side y on, of which a part is drawn, and a head at its end.
const sides = 10,
  rings = 120;
function arc(radius, thick, whole) {
  const torus = new TorusGeometry(radius, thick, sides, rings, whole),
    geometry = new BufferGeometry(),
    index = [];
  for (const name of ["position", "normal"]) geometry.setAttribute(name, torus.getAttribute(name));
  // Ring by ring, so that the first ones of these triangles are the beginning of the arc.
  for (let i = 0; i < rings; ++i) {
    for (let j = 0; j < sides; ++j) {
      const a = j * (rings + 1) + i,
        b = a + rings + 1;
      index.push(b, a, b + 1, a, a + 1, b + 1);
    }
  }
  geometry.setIndex(new BufferAttribute(new Uint16Array(index), 1));
  return geometry.rotateZ(Math.PI / 2);
}

export const wholeTurn = (300 * Math.PI) / 180; // of the largest torque, so that its head does not meet its tail

export class Turn {
  constructor(radius, thick, material, label) {
    Object.assign(this, { radius, thick, sweep: 0, group: new Group() });
    this.shaft = new Mesh(arc(radius, thick, wholeTurn), material);
    this.head = new Mesh(new ConeGeometry(1, 1, 18).translate(0, -0.5, 0), material);
    this.parts = [this.shaft, this.head];
    for (const part of this.parts) {
      part.renderOrder = 2;
      part.userData.label = label;
      this.group.add(part);
    }
  }
  // Counter-clockwise about z, by a share of the whole turn.
  set(share) {
    const { radius, thick, shaft, head } = this,
      sweep = Math.min(share, 1) * wholeTurn,
      length = Math.min(7 * thick, 0.6 * radius * sweep),
      drawn = Math.max(Math.round((rings * (sweep - (0.8 * length) / radius)) / wholeTurn), 0);
    this.group.visible = radius * sweep > 1.5 * thick;
    this.sweep = this.group.visible ? sweep : 0;
    shaft.geometry.setDrawRange(0, 6 * sides * drawn);
    head.scale.set(0.4 * length, length, 0.4 * length);
    // The head is straight: it ends where the arc does, along the chord of what it covers.
    head.position.set(-radius * Math.sin(sweep), radius * Math.cos(sweep), 0);
    head.rotation.z = Math.PI / 2 + sweep - length / radius / 2;
  }
}
