// Bundles the viewer into one page, into which the executable writes a title and the data of runs.
// Usage: node build.mjs <folder with node_modules> <output file>
import { createRequire } from "node:module";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [modules, output] = process.argv.slice(2).map((path) => resolve(path));
const { build } = createRequire(join(modules, "package.json"))("esbuild");

async function bundle(entry) {
  const result = await build({
    entryPoints: [join(here, "src", entry)],
    nodePaths: [join(modules, "node_modules")],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2021",
    charset: "utf8",
    legalComments: "eof",
    logLevel: "warning",
    write: false,
  });
  return result.outputFiles[0].text;
}

// MIT: the notices go wherever the code goes.
const notices = ["gifenc/LICENSE.md", "three/LICENSE", "uplot/LICENSE"]
  .map((file) => `${dirname(file)}\n\n${readFileSync(join(modules, "node_modules", file), "utf8").trim()}`)
  .join("\n\n");

const parts = {
  "<!--NOTICES-->": `<!--\nThis page contains the following libraries.\n\n${notices.replaceAll("--", "- -")}\n-->`,
  "/*STYLE*/": await bundle("style.css"),
  "/*SCRIPT*/": await bundle("main.js"),
};
let page = readFileSync(join(here, "src", "page.html"), "utf8");
for (const [mark, text] of Object.entries(parts)) page = page.replace(mark, () => text);
writeFileSync(output, page);
