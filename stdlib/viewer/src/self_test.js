// With the fragment #test the page examines itself and writes what it finds into the document, for headless browsers.
// #test=traces,forces also presses these switches, for screenshots; #test=colour:moment colours beams by that.

function picture(world) {
  world.draw();
  const gl = world.renderer.getContext(),
    width = gl.drawingBufferWidth,
    height = gl.drawingBufferHeight;
  const pixels = new Uint8Array(4 * width * height);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  return pixels;
}

function colours(pixels) {
  const seen = new Set();
  for (let i = 0; i < pixels.length; i += 4) seen.add((pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2]);
  return seen.size;
}

function changed(a, b) {
  let count = 0;
  for (let i = 0; i < a.length; i += 4) {
    if (Math.abs(a[i] - b[i]) + Math.abs(a[i + 1] - b[i + 1]) + Math.abs(a[i + 2] - b[i + 2]) > 24) ++count;
  }
  return count / (a.length / 4);
}

// What the tubes of flexible lines look like now: where their samples are, and the colours there.
function linesNow(mechanisms) {
  return mechanisms.flatMap(({ lines }) =>
    lines.parts.map(({ line, tube, points, radius }) => {
      const { array } = tube.color,
        { length } = points,
        step = array.length / (length + 2);
      return {
        name: line.name,
        radius,
        points: points.map((p) => p.toArray()),
        colours: points.map((_, k) =>
          Array.from(array.slice((k + 1) * step, (k + 1) * step + 3), (x) => x.toFixed(4)).join(" "),
        ),
      };
    }),
  );
}

// The arrows of motors and drivers: what they say, how far curved ones go around, and which way (in the plane: up is
// counter-clockwise), and how long straight ones are.
const drivesNow = ({ items }) =>
  items.map(({ drive, arrow, direction, mark }) => ({
    name: drive.name,
    direction: direction.toArray(),
    at: mark.position.toArray(),
    sweep: arrow.sweep,
    length: arrow.length,
    seen: arrow.group.visible,
  }));

// Names over the picture: how many are seen, how many lie on another one, and how many beyond the right edge.
function namesOf({ world, overlays: { names }, player }) {
  names.show(true);
  names.place(player.t, world.camera, world.canvas.clientWidth, world.canvas.clientHeight);
  const edge = world.canvas.getBoundingClientRect().right,
    boxes = [...document.querySelectorAll("#names span")]
      .filter(({ style }) => style.display !== "none")
      .map((span) => span.getBoundingClientRect()),
    meet = (a, b) => a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom;
  names.show(false);
  return {
    seen: boxes.length,
    over: boxes.filter((a, k) => boxes.some((b, i) => i < k && meet(a, b))).length,
    beyond: boxes.filter((box) => box.right > edge + 1 && box.left < edge).length,
  };
}

// Hides each kind of objects, then sees through it: which share of the picture changes.
function partsOf({ world, parts, refresh }) {
  const rows = [...document.querySelectorAll("#parts label")].filter((row) => row.querySelector("select"));
  return rows.map((row) => {
    const select = row.querySelector("select"),
      whole = picture(world);
    const [hidden, through] = ["hidden", "see-through"].map((look) => {
      select.value = look;
      select.dispatchEvent(new Event("change"));
      return changed(whole, picture(world));
    });
    select.value = "shown";
    select.dispatchEvent(new Event("change"));
    return { name: row.firstChild.textContent, hidden, through, back: changed(whole, picture(world)) };
  });
}

// Clicks on what is found in a net of places: what the panel then says, by the label of the object.
function picksOf({ world, inspector }) {
  const said = {},
    { clientWidth: width, clientHeight: height } = world.canvas,
    box = world.canvas.getBoundingClientRect();
  for (let y = 4; y < height; y += 9) {
    for (let x = 4; x < width; x += 9) {
      const label = world.pick(x, y)?.label;
      if (!label || said[label]) continue;
      for (const kind of ["pointerdown", "pointerup"]) {
        const at = { clientX: box.left + x, clientY: box.top + y, pointerId: 1, bubbles: true };
        world.canvas.dispatchEvent(new PointerEvent(kind, at));
      }
      said[label] = document.getElementById("picked").innerText;
    }
  }
  inspector.show(null);
  return said;
}

// How far the picture of a frame moves on the screen when it is followed, in its halves.
function followed(page, player, { world, mechanisms, inspector }) {
  const [m] = mechanisms,
    frame = m.run.frames.findIndex(({ kind }) => kind === "body"),
    seen = () => m.run.position(frame, m.run.sample(player.t)).project(world.camera).toArray().slice(0, 2);
  if (frame < 0) return null;
  inspector.show({ m, label: `body ${m.run.frames[frame].name}`, name: m.run.frames[frame].name });
  [...document.querySelectorAll("#picked button")].find(({ textContent }) => textContent === "Follow").click();
  const before = seen();
  player.jump(page.start + 0.8 * page.duration);
  world.camera.updateMatrixWorld();
  const after = seen();
  inspector.show(null);
  return Math.hypot(after[0] - before[0], after[1] - before[1]);
}

export function test(page, player, view) {
  const { world, mechanisms, overlays, palette } = view;
  const choice = document.querySelector("#legend select"),
    wanted = /colour:(\w*)/.exec(location.hash);
  if (choice && wanted) {
    choice.value = wanted[1];
    choice.dispatchEvent(new Event("change"));
  }
  for (const button of document.querySelectorAll("#toggles button")) {
    const word = button.textContent.toLowerCase();
    if (
      location.hash
        .slice(6)
        .split(",")
        .some((name) => name && word.includes(name))
    )
      button.click();
  }
  const linesBefore = linesNow(mechanisms),
    drivesBefore = drivesNow(overlays.drives);
  const before = picture(world),
    shown = document.getElementById("now").textContent;
  const slider = document.getElementById("time"),
    share = Number(/at([\d.]+)/.exec(location.hash)?.[1] ?? 0.37);
  slider.value = page.start + share * page.duration;
  slider.dispatchEvent(new Event("input"));
  const after = picture(world);
  const result = {
    colours: colours(before),
    changed: changed(before, after),
    time: player.t,
    shown: [shown, document.getElementById("now").textContent],
    charts: document.querySelectorAll(".uplot canvas").length,
    curves: document.querySelectorAll(".u-legend .u-series").length,
    lines: [linesBefore, linesNow(mechanisms)],
    drives: [drivesBefore, drivesNow(overlays.drives)],
    perNewton: overlays.forces.perNewton,
    longestArrow: overlays.forces.longest,
    ranges: Object.fromEntries(palette.ranges),
    legend: document.getElementById("legend").textContent,
    toggles: [...document.querySelectorAll("#toggles button")].map((button) => button.textContent),
  };
  // What changes the view comes last; screenshots do without it.
  if (location.hash === "#test") {
    const { t } = player;
    Object.assign(result, { names: namesOf(view), parts: partsOf(view), picks: picksOf(view), followed: followed(page, player, view) });
    player.jump(t);
    world.fit();
  }
  const out = document.createElement("script");
  Object.assign(out, { type: "application/json", id: "test", textContent: JSON.stringify(result) });
  document.body.append(out);
}
