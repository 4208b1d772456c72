// Usage: node simulate-svg.mjs FILE < CURVES
// Draws what xmpi-simulate has found into an SVG file. CURVES is JSON: "title"; "axis", what the points are; "points",
// texts; "curves", each with a "name", its "mean" at each point and "half" of the interval around it.
import { renameSync, rmSync, writeFileSync, readFileSync } from "node:fs";

import { toSvg } from "./charts.js";
import { colourOf } from "./figures.js";

const wide = 30; // times the least point, from which on an axis of powers shows more

/** The axis of points: numbers, upwards from left to right only if they are given so; else as they are. */
function pointAxis(found) {
  const numbers = found.points.map(Number);
  const common = { name: found.axis, nameLocation: "middle", nameGap: 30 };
  if (numbers.some((number) => !Number.isFinite(number)) || numbers.length < 2)
    return { ...common, type: "category", data: found.points };
  const least = Math.min(...numbers), most = Math.max(...numbers);
  return {
    ...common,
    type: least > 0 && most > wide * least ? "log" : "value",
    min: least,
    max: most,
    inverse: numbers[0] > numbers[numbers.length - 1],
  };
}

/** The interval that the mean is in, with bars at its ends. */
function interval(name, colour, data) {
  return {
    type: "custom",
    name,
    data,
    silent: true,
    itemStyle: { color: colour },
    renderItem(parameters, api) {
      const [x, low] = api.coord([api.value(0), api.value(1)]);
      const high = api.coord([api.value(0), api.value(2)])[1];
      const line = (x1, y1, x2, y2) => ({ type: "line", shape: { x1, y1, x2, y2 }, style: { stroke: colour } });
      return { type: "group", children: [line(x, low, x, high), line(x - 4, low, x + 4, low), line(x - 4, high, x + 4, high)] };
    },
  };
}

export function option(found) {
  const axis = pointAxis(found);
  const place = (i) => (axis.type === "category" ? i : Number(found.points[i]));
  const series = found.curves.flatMap((curve, k) => [
    { type: "line", name: curve.name, color: colourOf(k), symbolSize: 6, data: curve.mean.map((mean, i) => [place(i), mean]) },
    interval(curve.name, colourOf(k), curve.mean.map((mean, i) => [place(i), mean - curve.half[i], mean + curve.half[i]])),
  ]);
  return {
    animation: false,
    textStyle: { fontFamily: "sans-serif" },
    grid: { left: 80, right: 30, top: 50, bottom: 50 },
    legend: { top: 8, data: found.curves.map((curve) => curve.name) },
    aria: { enabled: true, label: { description: found.title } },
    xAxis: axis,
    yAxis: { type: "value", name: "seconds", nameLocation: "middle", nameGap: 60, scale: true },
    series,
  };
}

const path = process.argv[2];
try {
  const found = JSON.parse(readFileSync(0, "utf8"));
  const unfinished = `${path}.${process.pid}.new`;
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, toSvg(option(found), 900, 480, "#ffffff"), { flag: "wx" });
  renameSync(unfinished, path);
} catch (error) {
  console.error(`xmpi-simulate: ${error.message}`);
  process.exit(2);
}
