import { Color } from "three";

// Colours that go with the page, light or dark.
const dark = matchMedia("(prefers-color-scheme: dark)");

const bodies = {
  light: ["#4f7cac", "#e08e45", "#5fa55a", "#c8555b", "#6fb3b8", "#9a76b5", "#cfa93a", "#8d7461"],
  dark: ["#6f9fd4", "#eda564", "#7cc277", "#e27a7f", "#8ed0d4", "#b899d3", "#e3c25f", "#b39a86"],
};
const curves = {
  light: ["#2f6fde", "#d9622b", "#2c9a5b", "#b0368f", "#8a6d0f", "#1794a5", "#6a55c9", "#6b7280"],
  dark: ["#6ea2ff", "#ff9a62", "#5fd093", "#f07fd0", "#e0c154", "#4fd0e0", "#a593ff", "#a8b1bd"],
};
const scene = {
  light: {
    page: "#eef1f5",
    steel: "#59636f",
    pin: "#2c333c",
    ground: "#79838f",
    grid: "#cfd6de",
    surface: "#c3ccbf",
    ink: "#1d2530",
    force: "#d11f4a",
    reaction: "#7a3fd1",
    drive: "#c77700",
    trace: "#2f6fde",
  },
  dark: {
    page: "#171c24",
    steel: "#aab4c0",
    pin: "#dfe5ec",
    ground: "#8994a1",
    grid: "#2c3542",
    surface: "#4a5547",
    ink: "#e4e8ee",
    force: "#ff6285",
    reaction: "#b58cff",
    drive: "#ffbe3d",
    trace: "#6ea2ff",
  },
};

const pick = (both) => (dark.matches ? both.dark : both.light);
export const bodyColour = (k) => pick(bodies)[k % pick(bodies).length];
export const curveColour = (k) => pick(curves)[k % pick(curves).length];
export const ghostColour = 7; // grey, among those of curves
export const sceneColours = () => pick(scene);
export const onColourChange = (f) => dark.addEventListener("change", f);

// Of quantities: from dark to light where they have one sign, else from blue over white to red.
const ramps = {
  oneSign: ["#5557b5", "#2f72b8", "#1c93a3", "#43b87b", "#a8d04b", "#fbe04a"],
  bothSigns: ["#1f4fb4", "#6f9fe0", "#eceff2", "#ec8a66", "#b8202f"],
};
const stops = Object.fromEntries(
  Object.entries(ramps).map(([name, list]) => [name, list.map((text) => new Color(text))]),
);
// At a share of the range, into `out`.
export function rampColour(signed, share, out) {
  const list = signed ? stops.bothSigns : stops.oneSign,
    x = share * (list.length - 1),
    k = Math.min(Math.floor(x), list.length - 2);
  return out.copy(list[k]).lerp(list[k + 1], x - k);
}
