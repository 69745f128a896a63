// The motion as an animated GIF, as it is seen now: for a button, and for run:movie, which opens the page with #movie, or
// with #movie,frames for a series of PNG pictures.
import { GIFEncoder, applyPalette, quantize } from "gifenc";

const perSecond = 25,
  most = { gif: 400, frames: 4000 },
  clear = 255; // the colour of what has not changed since the frame before

function frame(world) {
  world.draw();
  const gl = world.renderer.getContext(),
    width = gl.drawingBufferWidth,
    height = gl.drawingBufferHeight,
    raw = new Uint8Array(4 * width * height),
    pixels = new Uint8Array(raw.length);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, raw);
  for (let y = 0; y < height; ++y) {
    const from = 4 * width * (height - 1 - y);
    pixels.set(raw.subarray(from, from + 4 * width), 4 * width * y);
  }
  return { pixels, width, height };
}

// One palette for all frames, so that nothing flickers.
function paletteOf({ from, to }, player, world) {
  const shares = to > from ? [0, 0.37, 0.81] : [0],
    seen = shares.map((share) => {
      player.jump(from + share * (to - from));
      return frame(world).pixels;
    }),
    all = new Uint8Array(seen.reduce((sum, { length }) => sum + length, 0));
  seen.reduce((at, pixels) => (all.set(pixels, at), at + pixels.length), 0);
  return quantize(all, clear);
}

// What is told behind the mark #: "#movie,frames,rate=10".
function wishes() {
  const all = location.hash.split(",").map((one) => one.split("="));
  return Object.fromEntries(all.map(([name, value]) => [name, value === undefined ? true : Number(value)]));
}

// The times of the pictures, and the time between two of them in the movie (ms). As fast as the page plays, and with
// fewer pictures a second in long motions, unless that is asked for.
function plan(page, player, kind, { rate, speed = player.speed, from = page.start, to = page.end }) {
  if (kind === "gif" && rate > 50)
    throw new Refusal(`a GIF has at most 50 pictures a second, not ${rate}; a series of .png files may have more`);
  const seconds = (to - from) / speed,
    steps = seconds * (rate ?? perSecond),
    exact = rate || kind === "frames", // else both ends are seen
    wanted = exact ? Math.floor(steps + 1e-6) + 1 : Math.max(Math.ceil(steps * (1 - 1e-12)), 1),
    limit = most[kind];
  if (rate && wanted > limit) {
    const advice = kind === "gif" ? ", a series of .png files up to 4000" : "";
    throw new Refusal(
      `${rate} pictures a second make ${wanted}; ${kind === "gif" ? "a GIF has" : "there are"} at most ${limit}${advice}: ask for a lower rate, a higher speed, or less of the motion by from and to`,
    );
  }
  const count = Math.min(wanted, limit),
    share = (k) => (exact && wanted <= limit ? k / steps : k / (count - 1)),
    times = Array.from({ length: count }, (_, k) => (count > 1 ? from + share(k) * (to - from) : from));
  return { from, to, times, delay: Math.max(20, rate ? 1000 / rate : (1000 * seconds) / count) };
}
class Refusal extends Error {}

// As large as it is asked for; the picture follows the size of the stage.
export function stageFilm(stage) {
  const { width, height } = wishes();
  if (width) stage.style.width = `${width}px`;
  if (height) stage.style.height = `${height}px`;
}

const base64 = (bytes) => {
  let text = "";
  for (let k = 0; k < bytes.length; k += 32768) text += String.fromCharCode(...bytes.subarray(k, k + 32768));
  return btoa(text);
};

function series(page, player, world) {
  return plan(page, player, "frames", wishes()).times.map((t) => {
    player.jump(t);
    world.draw(); // the canvas keeps its content until the next task only
    return world.canvas.toDataURL("image/png").replace(/^[^,]*,/, "");
  });
}

export function film(page, player, world, wanted = {}) {
  const steps = plan(page, player, "gif", wanted),
    { times, delay } = steps,
    palette = paletteOf(steps, player, world);
  while (palette.length < 256) palette.push([0, 0, 0]);
  const gif = GIFEncoder();
  let last = null;
  for (const t of times) {
    player.jump(t);
    const { pixels, width, height } = frame(world),
      now = applyPalette(pixels, palette.slice(0, clear)),
      shown = last ? now.map((colour, i) => (colour === last[i] ? clear : colour)) : now;
    const first = last ? {} : { palette, repeat: 0 };
    gif.writeFrame(shown, width, height, { ...first, delay, transparent: !!last, transparentIndex: clear, dispose: 1 });
    last = now;
  }
  gif.finish();
  return gif.bytes();
}

// For run:movie: the files as base64 in the document, each on a line of its own, or why there are none.
export function leaveFilm(page, player, world, trouble) {
  const out = document.createElement("script");
  Object.assign(out, { type: "text/plain", id: "movie" });
  try {
    if (!world) throw new Error(trouble);
    const wanted = wishes();
    out.textContent = wanted.frames
      ? series(page, player, world).join("\n")
      : base64(film(page, player, world, wanted));
  } catch (error) {
    out.textContent = `${error instanceof Refusal ? "refused" : "error"}: ${error.message}`;
  }
  document.body.append(out);
}
