// The page: the mechanism, what can be switched on, the signals, the time.
import { Vector3 } from "three";
import { curveColour, onColourChange } from "./colours.js";
import { readPage } from "./data.js";
import { Drives } from "./drives.js";
import { film, leaveFilm, stageFilm } from "./film.js";
import { Inspector } from "./inspect.js";
import { Palette } from "./lines.js";
import { Mechanism } from "./mechanism.js";
import { Forces, JointFrames, Names, Traces } from "./overlays.js";
import { Parts, addScale } from "./parts.js";
import { Player } from "./player.js";
import { Plots } from "./plots.js";
import { test } from "./self_test.js";
import { World } from "./world.js";

const $ = (id) => document.getElementById(id);

function showHead(page) {
  $("title").textContent = page.title;
  $("how").textContent = page.how;
}

function save(content, type, name) {
  const url = URL.createObjectURL(new Blob([content], { type })),
    link = document.createElement("a");
  Object.assign(link, { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

function switches(page, view) {
  const { world, mechanisms, plots, overlays } = view,
    bar = $("toggles");
  const add = (text, title, key, pressed, act) => {
    const button = document.createElement("button");
    button.textContent = text;
    button.title = `${title} (${key})`;
    if (pressed !== null) button.setAttribute("aria-pressed", pressed);
    const press = () => {
      if (pressed !== null) button.setAttribute("aria-pressed", (pressed = !pressed));
      act(pressed);
      view.refresh();
    };
    button.addEventListener("click", press);
    addEventListener("keydown", (event) => {
      if (event.key.toLowerCase() === key && !event.ctrlKey && !event.metaKey && !event.altKey) press();
    });
    bar.append(button);
  };
  add("Fit", "The whole motion in view", "f", null, () => world.fit());
  const names = {
    joints: ["Joint frames", "Axes of the joints: x red, y green, z blue", "j"],
    forces: ["Forces", "Forces and reactions", "r"],
    traces: ["Traces", "Paths of points", "t"],
    names: ["Names", "Names of bodies and joints", "n"],
  };
  for (const [name, [text, title, key]] of Object.entries(names)) {
    if (!overlays[name].empty) add(text, title, key, false, (on) => overlays[name].show(on));
  }
  if (world.travels)
    add("Follow", "The camera goes with the mechanism", "c", world.following, (on) => (world.following = on));
  add("Parts", "Hide objects, or see through them", "p", false, (on) => ($("parts").hidden = !on));
  add("Picture", "Save what is seen as a PNG file", "s", null, () => {
    world.draw(); // the canvas keeps its content until the next task only
    world.canvas.toBlob((blob) => save(blob, "image/png", `${page.title || "mechanism"}.png`));
  });
  add("Movie", "Save the motion as it is seen as an animated GIF file; takes some seconds", "g", null, () => {
    const { t } = view.player;
    save(film(page, view.player, world), "image/gif", `${page.title || "mechanism"}.gif`);
    view.player.jump(t);
  });
  view.parts.fill($("parts"), view.refresh);
  addScale($("parts"), overlays, view.refresh);
  if (page.runs.length < 2) return;
  const modes = page.runs.filter((run) => page.swing && !run.ghost);
  page.runs.forEach((run, k) => {
    // Of modes one is seen at a time, beside the position that they are about.
    const one = modes.length > 1 && !run.ghost,
      checked = !one || run === modes[0];
    mechanisms[k].group.visible = checked;
    const label = document.createElement("label"),
      box = document.createElement("input"),
      mark = document.createElement("i");
    Object.assign(box, { type: one ? "radio" : "checkbox", name: one ? "mode" : "", checked });
    mark.style.background = curveColour(run.colour);
    if (run.ghost) mark.className = "ghost";
    label.append(box, mark, run.name);
    box.addEventListener("change", () => {
      if (one) modes.forEach((other) => (mechanisms[page.runs.indexOf(other)].group.visible = false));
      mechanisms[k].group.visible = box.checked;
      plots.showRun(k, box.checked);
      world.redraw();
    });
    $("runs").append(label);
  });
}

function tooltip(world) {
  const tip = $("tooltip"),
    stage = $("stage");
  stage.addEventListener("pointermove", (event) => {
    const box = stage.getBoundingClientRect(),
      x = event.clientX - box.left,
      y = event.clientY - box.top;
    const label = event.buttons || event.target !== world.canvas ? null : world.pick(x, y)?.label;
    tip.hidden = !label;
    if (!label) return;
    tip.textContent = label;
    tip.style.left = `${Math.min(x + 14, box.width - tip.offsetWidth - 6)}px`;
    tip.style.top = `${Math.max(y - 30, 4)}px`;
  });
  stage.addEventListener("pointerleave", () => (tip.hidden = true));
}

// A click, which is not the end of a turn, picks what is there.
function picking(world, inspector, refresh) {
  let down = null;
  const at = ({ clientX: x, clientY: y }) => ({ x, y });
  world.canvas.addEventListener("pointerdown", (event) => (down = at(event)));
  world.canvas.addEventListener("pointerup", (event) => {
    const { x, y } = at(event),
      box = world.canvas.getBoundingClientRect();
    if (!down || Math.hypot(x - down.x, y - down.y) > 4) return;
    const what = world.pick(x - box.left, y - box.top);
    inspector.show(what?.m ? what : null);
    refresh();
  });
}

function splitter() {
  const bar = $("splitter"),
    plots = $("plots");
  bar.addEventListener("pointerdown", (event) => {
    bar.setPointerCapture(event.pointerId);
    const move = (e) =>
      (plots.style.flexBasis = `${Math.min(Math.max(innerWidth - e.clientX, 180), innerWidth - 260)}px`);
    bar.addEventListener("pointermove", move);
    bar.addEventListener("pointerup", () => bar.removeEventListener("pointermove", move), { once: true });
  });
}

// Without WebGL the signals remain.
function open3d(page, testing) {
  try {
    const world = new World($("canvas"), page, testing);
    const palette = new Palette(page);
    const mechanisms = page.runs.map((run, k) => new Mechanism(run, k, page, world.radius, palette));
    mechanisms.forEach((m) => world.scene.add(m.group));
    const forces = new Forces(mechanisms, world);
    const overlays = {
      joints: new JointFrames(mechanisms),
      forces,
      drives: new Drives(mechanisms, forces, world),
      traces: new Traces(mechanisms, page),
      names: new Names(mechanisms, $("names")),
    };
    world.scene.add(overlays.forces.group, overlays.traces.group);
    return { world, mechanisms, overlays, palette };
  } catch (error) {
    if (testing) throw error;
    $("trouble").textContent =
      `This browser draws no three-dimensional pictures (${error.message}). The signals are shown all the same.`;
    $("trouble").hidden = false;
    return null;
  }
}

function start() {
  const page = readPage(),
    testing = location.hash.startsWith("#test"),
    filming = /^#movie(,|$)/.test(location.hash);
  document.body.classList.toggle("movie", filming);
  if (filming) stageFilm($("stage"));
  showHead(page);
  let player;
  const plots = new Plots(page, $("plots"), (t) => player.jump(t));
  $("main").classList.toggle("plain", plots.empty && !$("report"));
  const view = open3d(page, testing),
    middle = new Vector3(),
    point = new Vector3();
  const setTime = (t) => {
    plots.set(t);
    if (!view) return;
    const { world, mechanisms, overlays } = view;
    mechanisms.forEach((m) => m.update(t));
    Object.values(overlays).forEach((overlay) => overlay.update(t));
    view.inspector.update(t);
    middle.set(0, 0, 0);
    const run = page.runs.find((one) => !one.ghost) ?? page.runs[0],
      sample = run.sample(t);
    const { followed } = view;
    if (followed) followed.m.run.position(followed.frame, followed.m.run.sample(t), middle);
    else
      run.moving.forEach((k) => middle.addScaledVector(run.position(k, sample, point), 1 / run.moving.length));
    world.follow(middle);
    world.redraw();
  };
  player = new Player(page, setTime);
  if (view) {
    const { world, mechanisms, overlays } = view;
    Object.assign(view, { plots, player });
    view.refresh = () => setTime(player.t);
    view.parts = new Parts(mechanisms);
    const follow = (m, frame) => {
      view.followed = m && frame >= 0 ? { m, frame } : null;
      world.followsOne = view.followed !== null;
      world.lastMiddle = null;
    };
    view.inspector = new Inspector($("picked"), view.parts, { follow, refresh: view.refresh });
    picking(world, view.inspector, view.refresh);
    world.onDraw = () =>
      overlays.names.place(player.t, world.camera, world.canvas.clientWidth, world.canvas.clientHeight);
    switches(page, view);
    view.palette.legend($("legend"), view.refresh);
    tooltip(world);
    onColourChange(() => {
      world.recolour();
      [...mechanisms, ...Object.values(overlays)].forEach((part) => part.recolour());
      view.parts.apply();
      view.refresh();
    });
  }
  splitter();
  onColourChange(() => plots.build());
  player.set(page.start);
  if (page.swing && !testing && !filming && !matchMedia("(prefers-reduced-motion: reduce)").matches) player.toggle();
  if (testing) test(page, player, view);
  if (filming) leaveFilm(page, player, view?.world, $("trouble").textContent);
}

start();
