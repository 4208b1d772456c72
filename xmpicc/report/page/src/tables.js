// What is said in words and numbers: the tiles at the top, remarks, and tables.
import { efficiency } from "./trace.js";

function element(name, attributes, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) node.setAttribute(key, value);
  node.append(...children.filter((child) => child != null));
  return node;
}

const number = (value, digits = 3) => (value == null ? "–" : Number(value).toLocaleString("en", { maximumSignificantDigits: digits }));
const milliseconds = (seconds) => (seconds == null ? "–" : `${number(1e3 * seconds)} ms`);
const seconds = (value) => (value == null ? "–" : `${number(value, 4)} s`);

function bytes(value) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let i = 0;
  let rest = value ?? 0;
  for (; rest >= 1000 && i < units.length - 1; i++) rest /= 1000;
  return `${number(rest)} ${units[i]}`;
}

function tile(text, label) {
  return element("div", { class: "tile" }, element("b", {}, text), element("span", {}, label));
}

export function summary(trace) {
  const { start, end, intervals } = trace;
  const done = trace.reconfigurations.filter((r) => r.outcome === "done");
  const spent = done.reduce((sum, r) => sum + r.seconds, 0);
  const counts = intervals.map((i) => i.members.length);
  const saved = end?.static_seconds > 0 ? 100 * (1 - end.seconds / end.static_seconds) : null;
  return [
    tile(seconds(end?.seconds ?? trace.until), end ? "time of the loop" : "so far (the trace has no end)"),
    tile(number(end?.iterations ?? intervals.at(-1)?.iteration, 9), "iterations"),
    tile(counts.length ? `${Math.min(...counts)} – ${Math.max(...counts)}` : "–", "members"),
    tile(String(done.length), `reconfigurations, ${seconds(spent)} in all`),
    tile(`${number(100 * efficiency(intervals))} %`, "of the members' time is computation"),
    saved == null ? null : tile(`${number(saved)} %`, "saved against static, as predicted"),
    end?.cost > 0 ? tile(number(end.cost, 4), "cost units") : null,
    tile(start?.policy ?? "–", `policy, ${start?.backend ?? "?"} backend`),
  ].filter((node) => node != null);
}

export function remarks(trace, damaged) {
  const note = (text) => element("p", { class: "note" }, text);
  const calledOff = trace.reconfigurations.filter((r) => r.outcome !== "done").length;
  return [
    trace.intervals.length === 0 ? note("The trace has no sampling interval: there is nothing to draw.") : null,
    trace.end == null ? note("The trace does not say that the loop ended: the job was killed, or is still running.") : null,
    damaged > 0 ? note(`${damaged} lines of the trace could not be read and were left out.`) : null,
    calledOff > 0 ? note(`${calledOff} reconfigurations were called off; the table says why.`) : null,
  ].filter((node) => node != null);
}

function table(title, columns, rows) {
  if (rows.length === 0) return null;
  const cell = (name, column, ...content) => element(name, column.number ? { class: "number" } : column.class ? { class: column.class } : {}, ...content);
  const head = element("tr", {}, ...columns.map((column) => cell("th", column, column.name)));
  const body = rows.map((row) => element("tr", row.chosen ? { class: "chosen" } : {}, ...columns.map((column) => cell("td", column, column.text(row)))));
  return element("section", {}, title ? element("h2", {}, title) : null,
    element("div", { class: "scroll" }, element("table", {}, element("thead", {}, head), element("tbody", {}, ...body))));
}

function reconfigurations(trace) {
  return table("Reconfigurations", [
    { name: "iteration", number: true, text: (r) => number(r.iteration, 9) },
    { name: "kind", text: (r) => r.kind },
    { name: "members", text: (r) => (r.from === r.to ? `${r.to}` : `${r.from} → ${r.to}`) },
    { name: "took", number: true, text: (r) => milliseconds(r.seconds) },
    { name: "predicted", number: true, text: (r) => milliseconds(r.predicted?.total) },
    { name: "processes", number: true, text: (r) => milliseconds(r.processes) },
    { name: "data", number: true, text: (r) => milliseconds(r.redistribution) },
    { name: "moved", number: true, text: (r) => bytes(r.bytes) },
    { name: "outcome", text: (r) => r.outcome },
    { name: "reason", class: "reason", text: (r) => r.reason },
  ], trace.reconfigurations);
}

function alternatives(decision) {
  const rows = (decision.alternatives ?? []).map((row, i) => ({ ...row, chosen: i === decision.chosen }));
  return table(null, [
    { name: "alternative", text: (a) => a.label ?? "" },
    { name: "members", number: true, text: (a) => number(a.members) },
    { name: "predicted", number: true, text: (a) => seconds(a.seconds) },
    { name: "change", number: true, text: (a) => seconds(a.reconfiguration) },
    { name: "cost", number: true, text: (a) => number(a.cost) },
    { name: "meets the goal", text: (a) => (a.feasible == null ? "–" : a.feasible ? "yes" : "no") },
  ], rows) ?? "";
}

function decisions(trace) {
  if (trace.decisions.length === 0) return null;
  const entry = (d) => element("details", {}, element("summary", {}, `iteration ${number(d.iteration, 9)}: ${d.reason ?? ""}`), alternatives(d));
  return element("section", {}, element("h2", {}, "Decisions and their alternatives"), ...trace.decisions.map(entry));
}

function modelErrors(trace) {
  const model = trace.end?.model;
  if (model == null) return null;
  return table("Error of the model", [
    { name: "phase", text: ([name]) => name },
    { name: "mean", number: true, text: ([, e]) => `${number(e.mean)} %` },
    { name: "spread", number: true, text: ([, e]) => `${number(e.spread)} %` },
    { name: "predictions", number: true, text: ([, e]) => number(e.n, 9) },
  ], Object.entries(model));
}

export function tables(trace) {
  return [reconfigurations(trace), decisions(trace), modelErrors(trace)].filter((node) => node != null);
}
