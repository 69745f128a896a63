// What is shown of the mechanisms, by kinds of objects: whole, seen through, or not at all; and single objects likewise.
const opacity = 0.25;
const looks = ["shown", "see-through", "hidden"];

// Materials are shared between objects, so that what is seen through has copies, which take colours from the others.
class Look {
  constructor(mesh) {
    Object.assign(this, { mesh, solid: mesh.material, glass: null });
  }
  set(look) {
    const { mesh, solid } = this;
    mesh.userData.hidden = look === "hidden";
    if (look === "see-through" && !this.glass) {
      this.glass = solid.clone();
      Object.assign(this.glass, { transparent: true, opacity: opacity * solid.opacity, depthWrite: false });
    }
    mesh.visible = look !== "hidden";
    mesh.material = look === "see-through" ? this.glass : solid;
    if (this.glass && solid.color) this.glass.color.copy(solid.color);
  }
}

export class Parts {
  constructor(mechanisms) {
    this.looks = [];
    this.ofKind = new Map();
    this.ofObject = new Map();
    for (const m of mechanisms) {
      m.group.traverse((object) => {
        const { part, label } = object.userData;
        if (!part) return;
        this.looks.push({ part, label, look: new Look(object) });
        this.ofKind.set(part, "shown");
      });
    }
  }
  apply() {
    for (const { part, label, look } of this.looks) look.set(this.ofObject.get(label) ?? this.ofKind.get(part));
  }
  // An object's own look goes before that of its kind; "shown" takes it back.
  setObject(label, look) {
    if (look === "shown") this.ofObject.delete(label);
    else this.ofObject.set(label, look);
    this.apply();
  }
  lookOf(label) {
    return this.ofObject.get(label) ?? "shown";
  }

  // The panel with a row for each kind.
  fill(panel, refresh) {
    for (const part of this.ofKind.keys()) {
      const row = document.createElement("label"),
        select = document.createElement("select");
      looks.forEach((look) => select.add(new Option(look, look)));
      select.addEventListener("change", () => {
        this.ofKind.set(part, select.value);
        this.apply();
        refresh();
      });
      row.append(part, select);
      panel.append(row);
    }
    const all = document.createElement("button");
    all.textContent = "Show all";
    all.addEventListener("click", () => {
      this.ofObject.clear();
      for (const part of this.ofKind.keys()) this.ofKind.set(part, "shown");
      panel.querySelectorAll("select").forEach((select) => (select.value = "shown"));
      this.apply();
      refresh();
    });
    panel.append(all);
  }
}

// How long arrows are, and what that means.
export function addScale(panel, { forces, drives }, refresh) {
  if (forces.empty && drives.empty) return;
  const row = document.createElement("label"),
    slider = document.createElement("input"),
    now = document.createElement("output");
  Object.assign(slider, { type: "range", min: -1, max: 1, step: 0.05, value: 0 });
  slider.setAttribute("aria-label", "Length of the arrows of forces and torques");
  const tell = () => (now.textContent = forces.scaleText);
  slider.addEventListener("input", () => {
    forces.scale = 10 ** Number(slider.value);
    tell();
    refresh();
  });
  tell();
  row.append("arrows", slider, now);
  panel.append(row);
}
