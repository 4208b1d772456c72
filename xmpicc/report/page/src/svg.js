// Usage: node report-svg.mjs FOLDER < EVENTS
// Writes every figure of the trace, a JSON array of events, to an SVG file of its own.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { toSvg } from "./charts.js";
import { figures } from "./figures.js";
import { arrange } from "./trace.js";

const folder = process.argv[2];
try {
  const drawn = figures(arrange(JSON.parse(readFileSync(0, "utf8"))), false);
  mkdirSync(folder, { recursive: true });
  for (const figure of drawn) writeFileSync(join(folder, `${figure.id}.svg`), toSvg(figure.option, 900, figure.height, "#ffffff"));
} catch (error) {
  console.error(`xmpi-report: ${error.message}`);
  process.exit(2);
}
