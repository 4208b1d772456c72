// Usage: node build.mjs FOLDER
// Bundles the page into FOLDER/report.html, one file with everything in it but the trace, and what
// draws the same figures without a browser into FOLDER/report-svg.mjs, and what xmpi-simulate has found into
// FOLDER/simulate-svg.mjs.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
if (!folder) {
  console.error("usage: node build.mjs FOLDER");
  process.exit(2);
}

async function bundle(entry, platform) {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    legalComments: "none",
    target: "es2020",
    format: platform === "node" ? "esm" : "iife",
    platform,
  });
  return result.outputFiles[0].text;
}

// A function as the replacement: $ means nothing in what it returns.
function fill(page, place, text) {
  return page.replace(`<!-- ${place} -->`, () => text);
}

mkdirSync(folder, { recursive: true });
const script = (await bundle("src/page.js", "browser")).replace(/<\/script/gi, "<\\/script");
let page = readFileSync("src/page.html", "utf8");
page = fill(page, "style", `<style>\n${readFileSync("src/style.css", "utf8")}</style>`);
// Nothing runs but this script, and nothing is loaded: what a trace brings with it stays text.
const hash = createHash("sha256").update(script).digest("base64");
const policy = `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;
page = fill(page, "policy", `<meta http-equiv="Content-Security-Policy" content="${policy}">`);
page = fill(page, "script", `<script>${script}</script>`);
writeFileSync(join(folder, "report.html"), page);
writeFileSync(join(folder, "report-svg.mjs"), await bundle("src/svg.js", "node"));
writeFileSync(join(folder, "simulate-svg.mjs"), await bundle("src/curves.js", "node"));
