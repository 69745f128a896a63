// How large a mechanism is, over all of its motion, and how thick its links shall be drawn.
import { Box3, Vector3 } from "three";

const samples = 240,
  mostPoints = 50000;

// The middle of a shape in its frame, and how far it reaches from there.
function shapeMiddle({ at, axes, size, surface }) {
  if (!surface) return at;
  const own = size.map((unit, k) => (unit * (surface.lowest[k] + surface.highest[k])) / 2);
  return at.map((x, k) => x + axes[3 * k] * own[0] + axes[3 * k + 1] * own[1] + axes[3 * k + 2] * own[2]);
}
function shapeRadius({ kind, size: s, surface }) {
  if (surface) return Math.hypot(...s.map((unit, k) => unit * (surface.highest[k] - surface.lowest[k]))) / 2;
  if (kind === "box") return Math.hypot(...s) / 2;
  if (kind === "sphere") return s[0];
  if (kind === "rod") return s[0] / 2;
  return Math.hypot(s[0], s[2] / 2);
}

const hasShapes = (page) =>
  page.runs.some((run) => run.rounds.length || run.cams.length || run.lines.length || run.frames.some((f) => f.shapes.length));

export function extent(page) {
  const path = new Box3(),
    start = new Box3(),
    points = { path: [], start: [] },
    lengths = [],
    p = new Vector3(),
    q = new Vector3();
  for (const run of page.runs) {
    for (let k = 0; k <= samples; ++k) {
      const sample = run.sample(page.start + (page.duration * k) / samples);
      const include = (point, radius = 0) => {
        for (const box of k === 0 ? [path, start] : [path]) {
          box.expandByPoint(q.copy(point).addScalar(radius));
          box.expandByPoint(q.copy(point).addScalar(-radius));
        }
        if (k === 0) points.start.push({ at: point.clone(), radius });
        if (points.path.length < mostPoints) points.path.push({ at: point.clone(), radius });
      };
      run.frames.forEach((frame, index) => {
        if (frame.kind === "ground") return; // a floor may be much larger than what moves on it
        include(run.position(index, sample, p));
        for (const shape of frame.shapes)
          include(run.place({ frame: index, at: shapeMiddle(shape) }, sample, p), shapeRadius(shape));
      });
      for (const { samples: count, positions, radius } of run.lines) {
        for (let i = 0; i < 3 * count; i += 3) {
          p.set(positions.at(sample, i), positions.at(sample, i + 1), positions.at(sample, i + 2));
          include(p, radius);
        }
      }
      for (const { frame, at, radii } of run.cams) include(run.place({ frame, at }, sample, p), Math.max(...radii));
      for (const { frame, at, axes } of run.rounds) {
        const reach = Math.max(...[0, 1, 2].map((k) => Math.hypot(axes[k], axes[k + 3], axes[k + 6])));
        include(run.place({ frame, at }, sample, p), reach);
      }
      for (const connection of run.connections) {
        for (const end of connection.mark === "arrow" ? [connection.a] : [connection.a, connection.b])
          include(run.place(end, sample, p));
      }
    }
    const sample = run.sample(page.start);
    const ends = new Map();
    // Pins and joints at a line look as those of links a third as long do.
    for (const { samples: count, positions } of run.lines) {
      const last = 3 * (count - 1);
      p.set(positions.at(sample, 0), positions.at(sample, 1), positions.at(sample, 2));
      q.set(positions.at(sample, last), positions.at(sample, last + 1), positions.at(sample, last + 2));
      lengths.push(p.distanceTo(q) / 3);
    }
    for (const { mark, a, b } of run.connections) {
      if (mark === "arrow") continue;
      const distance = run.place(a, sample, p).distanceTo(run.place(b, sample, q));
      lengths.push(distance);
      for (const end of [a, b])
        if (end.frame >= 0) ends.set(end.frame, [...(ends.get(end.frame) ?? []), new Vector3().fromArray(end.at)]);
    }
    for (const places of ends.values()) {
      const farthest = Math.max(
        ...places.map((one) => Math.max(one.length(), ...places.map((other) => one.distanceTo(other)))),
      );
      lengths.push(farthest);
    }
  }
  if (path.isEmpty()) path.expandByPoint(new Vector3());
  let size = path.getSize(new Vector3()).length();
  if (!(size > 1e-9)) path.expandByScalar((size = 1) / 2);
  // Where motions are compared, points without anything about them are seen beside the whole of their paths.
  // One thing alone, as a thrown ball, is seen on the whole of its way, too.
  const alone = page.runs.every((run) => run.moving.length <= 1);
  const least = (page.compares || alone) && Math.max(0, ...lengths) <= 1e-9 * size && !hasShapes(page) ? 0.2 : 0.02;
  const now = Math.max(start.isEmpty() ? 0 : start.getSize(new Vector3()).length(), least * size);
  // Joints have no length but for rounding.
  const links = lengths.filter((length) => length > 0.01 * now).sort((a, b) => a - b);
  const typical = links.length ? links[links.length >> 1] : 0.4 * now;
  const ofLinks = Math.min(Math.max(0.045 * typical, 0.0025 * now), (page.planar ? 0.014 : 0.02) * now),
    travels = size > (alone ? 50 : 5.001) * now,
    radius = alone && !travels ? Math.max(ofLinks, 0.0025 * size) : ofLinks;
  return { path, start, points, size, radius, travels };
}
