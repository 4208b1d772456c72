// Usage: node report-svg.mjs FOLDER < EVENTS
// Writes every figure of the trace, a JSON array of events, to an SVG file of its own.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { toSvg } from "./charts.js";
import { figures } from "./figures.js";
import { sift } from "./sound.js";
import { arrange } from "./trace.js";

/** A new file, whatever is there by that name, which it then takes. */
function replace(path, text) {
  const unfinished = `${path}.${process.pid}.new`;
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, text, { flag: "wx" });
  renameSync(unfinished, path);
}

const folder = process.argv[2];
try {
  const drawn = figures(arrange(sift(JSON.parse(readFileSync(0, "utf8"))).sound), false);
  mkdirSync(folder, { recursive: true });
  for (const figure of drawn) replace(join(folder, `${figure.id}.svg`), toSvg(figure.option, 900, figure.height, "#ffffff"));
} catch (error) {
  console.error(`xmpi-report: ${error.message}`);
  process.exit(2);
}
