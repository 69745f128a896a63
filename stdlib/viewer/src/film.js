// The motion as an animated GIF, as it is seen now: for a button, and for run:movie, which opens the page with #movie.
import { GIFEncoder, applyPalette, quantize } from "gifenc";

const perSecond = 25,
  most = 400,
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
function paletteOf(page, player, world) {
  const shares = page.duration > 0 ? [0, 0.37, 0.81] : [0],
    seen = shares.map((share) => {
      player.jump(page.start + share * page.duration);
      return frame(world).pixels;
    }),
    all = new Uint8Array(seen.reduce((sum, { length }) => sum + length, 0));
  seen.reduce((at, pixels) => (all.set(pixels, at), at + pixels.length), 0);
  return quantize(all, clear);
}

// As fast as the page plays. Long motions have fewer frames a second.
export function film(page, player, world) {
  const seconds = page.duration / player.speed,
    count = Math.min(Math.max(Math.ceil(seconds * perSecond), 1), most),
    delay = Math.max(20, (1000 * seconds) / count),
    palette = paletteOf(page, player, world);
  while (palette.length < 256) palette.push([0, 0, 0]);
  const gif = GIFEncoder();
  let last = null;
  for (let k = 0; k < count; ++k) {
    player.jump(page.start + (count > 1 ? (k * page.duration) / (count - 1) : 0));
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

// For run:movie: the film as base64 in the document, or why there is none.
export function leaveFilm(make) {
  const out = document.createElement("script");
  Object.assign(out, { type: "text/plain", id: "movie" });
  try {
    const bytes = make();
    let text = "";
    for (let k = 0; k < bytes.length; k += 32768) text += String.fromCharCode(...bytes.subarray(k, k + 32768));
    out.textContent = btoa(text);
  } catch (error) {
    out.textContent = `error: ${error.message}`;
  }
  document.body.append(out);
}
