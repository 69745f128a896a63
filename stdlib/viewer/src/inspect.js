// What was clicked: its name, its values at the present time, and what can be done with it.
import { Vector3 } from "three";
import { labelOf, read } from "./drives.js";

const short = (x) => (Number.isFinite(x) ? Number(x.toPrecision(4)).toString() : "not finite");
const p = new Vector3();

// Rows of name and value. The page has the numbers of its pictures and those signals that were asked for.
function rowsOf(m, what, t) {
  const { run, page } = m,
    sample = run.sample(t),
    rows = [];
  const vector = (name, v, unit) => rows.push([name, `${v.map(short).join(", ")} ${unit}`]);
  const planar = page.planar ? 2 : 3;
  const frame = run.frames.findIndex(({ name, kind }) => `${kind} ${name}` === what.label);
  if (frame >= 0) vector("position", run.position(frame, sample, p).toArray().slice(0, planar), "m");
  const number = run.connections.findIndex(({ name }) => name === what.name),
    connection = run.connections[number];
  if (connection) {
    vector("place", run.place(connection.b, sample, p).toArray().slice(0, planar), "m");
    if (["bar", "rod", "coil"].includes(connection.mark)) {
      const from = run.place(connection.a, sample, new Vector3());
      rows.push(["length", `${short(from.distanceTo(p))} m`]);
    }
  }
  const between = (values, k, step) => values[k] + sample.share * ((values[k + step] ?? values[k]) - values[k]);
  run.arrows
    .filter((arrow) => (connection ? arrow.connection === number : arrow.path && arrow.name === what.name))
    .forEach((arrow) => {
      const { components: n, values, unit } = arrow,
        list = [...Array(n).keys()].map((i) => unit * between(values, sample.index * n + i, n));
      rows.push([n === 1 ? "pull" : arrow.kind, `${short(n === 1 ? list[0] : Math.hypot(...list))} N`]);
    });
  const drive = run.drives.find((one) => labelOf(one) === what.label);
  if (drive) {
    const { turns, at } = drive,
      size = read(drive, sample, p),
      one = page.planar && turns ? size.z : size.length();
    rows.push([`${turns ? "torque" : "force"} on ${run.frames[at.frame]?.name ?? "ground"}`, `${short(one)} ${turns ? "N m" : "N"}`]);
  }
  for (const { name, unit, values } of run.signals) {
    if (name.startsWith(`${what.name}.`)) rows.push([name, `${short(between(values, sample.index, 1))} ${unit}`]);
  }
  return rows;
}

export class Inspector {
  // `act.follow(m, frame or -1)`, `act.refresh()`.
  constructor(panel, parts, act) {
    Object.assign(this, { panel, parts, act, what: null });
  }
  show(what) {
    this.what = what;
    this.panel.hidden = !what;
    if (!what) return this.act.follow(null, -1);
    const { panel, parts, act } = this,
      { m, label } = what,
      title = document.createElement("b"),
      buttons = document.createElement("div");
    this.values = document.createElement("table");
    title.textContent = label;
    const add = (text, press) => {
      const button = document.createElement("button");
      button.textContent = text;
      button.addEventListener("click", () => {
        press();
        act.refresh();
      });
      buttons.append(button);
    };
    const frame = m.run.frames.findIndex(({ name, kind }) => `${kind} ${name}` === label);
    if (frame >= 0) add("Follow", () => act.follow(m, frame));
    add("See through", () => parts.setObject(label, parts.lookOf(label) === "see-through" ? "shown" : "see-through"));
    add("Hide", () => parts.setObject(label, "hidden"));
    add("Close", () => this.show(null));
    panel.replaceChildren(title, this.values, buttons);
  }
  update(t) {
    if (!this.what) return;
    const rows = rowsOf(this.what.m, this.what, t).map((cells) => {
      const row = document.createElement("tr");
      cells.forEach((text) => (row.insertCell().textContent = text));
      return row;
    });
    this.values.replaceChildren(...rows);
  }
}
