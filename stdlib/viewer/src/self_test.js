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

export function test(page, player, { world, mechanisms, palette }) {
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
  const linesBefore = linesNow(mechanisms);
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
    ranges: Object.fromEntries(palette.ranges),
    legend: document.getElementById("legend").textContent,
    toggles: [...document.querySelectorAll("#toggles button")].map((button) => button.textContent),
  };
  const out = document.createElement("script");
  Object.assign(out, { type: "application/json", id: "test", textContent: JSON.stringify(result) });
  document.body.append(out);
}
