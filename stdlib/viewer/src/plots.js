// Signals over time: one chart per unit, or per signal where several runs are compared.
import uPlot from "uplot";
import { curveColour, sceneColours } from "./colours.js";

// What is zero all the time has an axis about it; of angles and lengths, but for rounding.
const rounding = { rad: 1e-9, m: 1e-12 };
const rangeOf = (unit) => (_, low, high) => {
  if (low == null) return [low, high];
  if (Math.max(Math.abs(low), Math.abs(high)) <= (rounding[unit] ?? 0)) return [-1, 1];
  return uPlot.rangeNum(low, high, 0.1, true);
};

export function shortNumber(x) {
  if (x == null || !Number.isFinite(x)) return "–";
  const size = Math.abs(x);
  if (size !== 0 && (size >= 1e5 || size < 1e-3)) {
    return Number(x.toPrecision(4)).toExponential().replace("e+", "e").replaceAll("-", "−");
  }
  return Number(x.toPrecision(5)).toString().replace("-", "−");
}

function groups(page) {
  const charts = new Map(),
    several = page.runs.length > 1;
  page.runs.forEach((run, index) => {
    for (const signal of run.signals) {
      const key = several ? signal.name : signal.unit;
      if (!charts.has(key)) charts.set(key, { title: several ? signal.name : "", unit: signal.unit, curves: [] });
      const chart = charts.get(key),
        colour = several ? run.colour : chart.curves.length;
      const values = Array.from(page.times, (_, k) =>
        k < run.first || k > run.last ? null : signal.values[k - run.first],
      );
      chart.curves.push({
        name: several ? run.name : signal.name,
        run: index,
        colour,
        values: values.map((x) => (Number.isFinite(x) ? x : null)),
      });
    }
  });
  return [...charts.values()];
}

export class Plots {
  constructor(page, holder, onTime) {
    Object.assign(this, { page, holder, onTime, charts: [] });
    this.groups = groups(page);
    this.build();
    // In the next frame: the charts' own size must not be part of this round of layout.
    new ResizeObserver(() => requestAnimationFrame(() => this.resize())).observe(holder);
  }
  get empty() {
    return this.groups.length === 0;
  }
  height() {
    if (document.getElementById("report")) return 150; // below it, all the same
    const free = this.holder.clientHeight - 12,
      count = Math.max(1, this.groups.length);
    return Math.max(110, Math.min(300, free / count - 58));
  }
  width() {
    return Math.max(180, this.holder.clientWidth - 16);
  }
  build() {
    const hidden = this.hiddenRuns ?? new Set();
    for (const { chart } of this.charts) chart.destroy();
    this.charts = this.groups.map((group) => {
      const colours = sceneColours();
      const axis = {
        stroke: colours.ink,
        grid: { stroke: colours.grid, width: 1 },
        ticks: { stroke: colours.grid, width: 1 },
        font: "11px system-ui, sans-serif",
      };
      const unit = group.unit ? ` [${group.unit}]` : "";
      const chart = new uPlot(
        {
          width: this.width(),
          height: this.height(),
          title: `${
            group.title ||
            group.curves
              .map((c) => c.name)
              .slice(0, 3)
              .join(", ")
          }${group.curves.length > 3 && !group.title ? ", …" : ""}${unit}`,
          cursor: { sync: { key: "time" }, focus: { prox: 16 }, points: { size: 6 } },
          focus: { alpha: 0.35 },
          scales: {
            x: { time: false, range: (_, low, high) => [low, high > low ? high : low + 1] },
            y: { range: rangeOf(group.unit) },
          },
          axes: [
            { ...axis, size: 26, values: (_, ticks) => ticks.map(shortNumber) },
            { ...axis, size: 64, values: (_, ticks) => ticks.map(shortNumber) },
          ],
          series: [
            { label: "t", value: (_, x) => `${shortNumber(x)} s` },
            ...group.curves.map((curve) => ({
              label: curve.name,
              stroke: curveColour(curve.colour),
              width: 1.7,
              points: { show: false },
              show: !hidden.has(curve.run),
              value: (_, x) => shortNumber(x),
            })),
          ],
          hooks: { setScale: [() => this.moveLine()], setCursor: [(u) => u.cursor.left < 0 && this.legend()] },
        },
        [this.page.times, ...group.curves.map((curve) => curve.values)],
        this.holder,
      );
      const line = document.createElement("div");
      line.className = "now";
      chart.over.append(line);
      let pressed = 0;
      chart.over.addEventListener("mousedown", (event) => (pressed = event.clientX));
      chart.over.addEventListener("click", (event) => {
        // A drag zooms, a click goes to the time.
        if (Math.abs(event.clientX - pressed) < 3)
          this.onTime(chart.posToVal(event.clientX - chart.over.getBoundingClientRect().left, "x"));
      });
      return { chart, line };
    });
    this.set(this.t ?? this.page.start);
  }
  resize() {
    const size = { width: this.width(), height: this.height() };
    for (const { chart } of this.charts)
      if (chart.width !== size.width || chart.height !== size.height) chart.setSize(size);
    this.moveLine();
  }
  showRun(index, on) {
    this.hiddenRuns ??= new Set();
    this.hiddenRuns[on ? "delete" : "add"](index);
    this.groups.forEach((group, g) =>
      group.curves.forEach((curve, k) => curve.run === index && this.charts[g].chart.setSeries(k + 1, { show: on })),
    );
  }
  set(t) {
    this.t = t;
    this.moveLine();
    this.legend();
  }
  moveLine() {
    for (const { chart, line } of this.charts ?? []) {
      const x = chart.valToPos(this.t ?? this.page.start, "x");
      line.style.display = x >= 0 && x <= chart.over.clientWidth ? "" : "none";
      line.style.transform = `translateX(${x - 1}px)`;
    }
  }
  // The values at the time of the picture, unless the pointer asks for another one.
  legend() {
    const idx = Math.round(this.page.index(this.t ?? this.page.start));
    for (const { chart } of this.charts ?? []) if (!(chart.cursor.left >= 0)) chart.setLegend({ idx }, false);
  }
}
