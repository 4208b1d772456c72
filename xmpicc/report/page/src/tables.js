// What is said in words and numbers: the tiles at the top, remarks, and tables.
import { efficiency, made, total } from "./trace.js";

const atOnce = 200; // rows of a table that are there before somebody asks for more

function element(name, attributes, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) node.setAttribute(key, value);
  node.append(...children.filter((child) => child != null));
  return node;
}

const number = (value, digits = 3) => (value == null ? "–" : Number(value).toLocaleString("en", { maximumSignificantDigits: digits }));

/** Seconds in the unit that suits them. */
function duration(value) {
  if (value == null) return "–";
  const [factor, unit] = Math.abs(value) >= 1 || value === 0 ? [1, "s"] : Math.abs(value) >= 1e-3 ? [1e3, "ms"] : [1e6, "µs"];
  return `${number(factor * value, factor === 1 ? 4 : 3)} ${unit}`;
}

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

function range(counts) {
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return counts.length === 0 ? "–" : least === most ? `${most}` : `${least} – ${most}`;
}

function nodeSeconds(nodes) {
  const parts = [`${number(100 * nodes.used / nodes.held)} % used`];
  if (nodes.lost > 0) parts.push(`${number(nodes.lost, 4)} lost (stood still, or done again)`);
  if (nodes.given_back > 0) parts.push(`${number(nodes.given_back, 4)} given back`);
  return `node-seconds held: ${parts.join(", ")}`;
}

export function summary(trace) {
  const { start, starts, intervals } = trace;
  const all = total(trace);
  const there = trace.reconfigurations.filter((r) => r.outcome === "done");
  const done = trace.end ? all.changes : there.length;
  const spent = trace.end ? all.changing : there.reduce((sum, r) => sum + r.seconds, 0);
  const counts = [...new Set([...intervals.map((i) => i.members.length), ...trace.stretches.map((s) => s.layout.length)])];
  const difference = trace.end && all.fixed > 0 && done > 0 ? 100 * (1 - all.seconds / all.fixed) : null;
  const saved = Math.abs(difference) < all.off ? null : difference; // what predictions may be off by is no claim
  return [
    trace.end ? tile(duration(all.seconds), starts.length > 1 ? `time of ${starts.length} loops` : "time of the loop") : tile(duration(trace.until), "so far (the trace has no end)"),
    tile(number(trace.end ? all.iterations : intervals.at(-1)?.iteration, 9), start?.iterations > 0 && !trace.end ? `of ${number(start.iterations, 9)} iterations` : "iterations"),
    tile(range(counts), "members"),
    tile(number(done, 9), `reconfigurations, ${duration(spent)} in all`),
    tile(`${number(100 * efficiency(intervals))} %`, "of the members' time is computation"),
    saved == null ? null : tile(`${number(Math.abs(saved))} %`, `${saved >= 0 ? "saved against" : "lost to"} the static program, as predicted`),
    all.cost > 0 ? tile(number(all.cost, 4), "cost units") : null,
    all.nodes.held > 0 ? tile(number(all.nodes.held, 4), nodeSeconds(all.nodes)) : null,
    tile(start?.policy ?? "–", `policy, ${start?.backend ?? "?"} backend`),
  ].filter((node) => node != null);
}

const note = (text) => element("p", { class: "note" }, text);

export function failure(error) {
  return note(`This page could not be drawn to its end: the trace is damaged, or not of a program of XMPI (${error.message}).`);
}

export function remarks(trace, damaged) {
  const calledOff = trace.reconfigurations.filter((r) => r.outcome !== "done").length;
  const all = total(trace).changes;
  const missing = all - (trace.reconfigurations.length - calledOff);
  return [
    trace.intervals.length === 0 ? note("The trace has no sampling interval: there is nothing to draw.") : null,
    trace.end == null ? note("The trace does not say that the loop ended: the job was killed, or is still running.") : null,
    damaged > 0 ? note(`The trace is damaged: ${damaged} of its lines could not be read and were left out.`) : null,
    ...trace.pinned.map((event) => note(`The loop keeps its processes and blocks from iteration ${number(event.iteration, 9)} on: ${event.why}`)),
    missing > 0 ? note(`${missing} of ${all} reconfigurations are not in the trace, which came near to its limit (XMPI_TRACE_LIMIT): layouts are shown as if they had not been.`) : null,
    calledOff > 0 ? note(`${calledOff} reconfigurations were called off; the table says why.`) : null,
  ].filter((node) => node != null);
}

/** A table; on a phone each row is a card. Long ones show their rows by and by. */
function table(title, columns, rows) {
  if (rows.length === 0) return null;
  const kind = (column) => (column.number ? { class: "number" } : column.class ? { class: column.class } : {});
  const line = (row) =>
    element("tr", row.chosen ? { class: "chosen" } : {}, ...columns.map((column) => element("td", { ...kind(column), "data-name": column.name }, column.text(row))));
  const body = element("tbody", {});
  const more = element("button", { class: "more" });
  const showMore = () => {
    const shown = body.childElementCount;
    body.append(...rows.slice(shown, shown + atOnce).map(line));
    const left = rows.length - body.childElementCount;
    more.textContent = `show ${Math.min(left, atOnce)} more of ${number(left, 9)}`;
    more.hidden = left === 0;
  };
  more.addEventListener("click", showMore);
  showMore();
  const head = element("tr", {}, ...columns.map((column) => element("th", kind(column), column.name)));
  return element("section", {}, title ? element("h2", {}, title) : null, element("div", { class: "scroll" }, element("table", {}, element("thead", {}, head), body)), more);
}

/** Whether an iteration came out the same in both layouts. */
function outcomeOf(check) {
  return check == null ? "" : check.why ? `${check.outcome}: ${check.why}` : check.outcome;
}

function reconfigurations(trace) {
  const checks = trace.reconfigurations.some((r) => r.check != null);
  return table("Reconfigurations", [
    { name: "iteration", number: true, text: (r) => number(r.iteration, 9) },
    { name: "kind", text: (r) => r.kind },
    { name: "members", text: (r) => (r.from === r.to ? `${r.to}` : `${r.from} → ${r.to}`) },
    { name: "took", number: true, text: (r) => duration(r.seconds) },
    { name: "predicted", number: true, text: (r) => duration(r.predicted?.total) },
    { name: "processes", number: true, text: (r) => duration(r.processes) },
    { name: "data", number: true, text: (r) => duration(r.redistribution) },
    { name: "moved", number: true, text: (r) => bytes(r.bytes) },
    { name: "outcome", text: (r) => r.outcome },
    ...(checks ? [{ name: "checked", class: "reason", text: (r) => outcomeOf(r.check) }] : []),
    { name: "reason", class: "reason", text: (r) => r.reason },
  ], trace.reconfigurations);
}

function alternatives(decision) {
  const rows = (decision.alternatives ?? []).map((row, i) => ({ ...row, chosen: i === decision.chosen }));
  const pays = rows.some((a) => a.payback != null);
  return table(null, [
    { name: "alternative", text: (a) => a.label ?? "" },
    { name: "members", number: true, text: (a) => number(a.members) },
    { name: "predicted", number: true, text: (a) => duration(a.seconds) },
    { name: "change", number: true, text: (a) => duration(a.reconfiguration) },
    { name: "cost", number: true, text: (a) => number(a.cost) },
    ...(pays ? [{ name: "paid back after", number: true, text: (a) => (a.payback == null ? "–" : `${number(a.payback)} iterations`) }] : []),
    { name: pays ? "pays" : "meets the goal", text: (a) => (a.feasible == null ? "–" : a.feasible ? "yes" : "no") },
  ], rows) ?? "";
}

/** What was chosen, and why; the alternatives when they are asked for. */
function decision(d) {
  const chosen = d.alternatives?.[d.chosen];
  const change = chosen == null || !(chosen.reconfiguration > 0) ? "no change" : chosen.label;
  const title = element("summary", {}, element("b", {}, `iteration ${number(d.iteration, 9)}: ${change}`), ` · ${d.reason ?? ""}`);
  const details = element("details", {}, title);
  details.addEventListener("toggle", () => details.childElementCount > 1 || details.append(alternatives(d)));
  return details;
}

function decisions(trace) {
  if (trace.decisions.length === 0) return null;
  const list = element("div", {});
  const more = element("button", { class: "more" });
  const showMore = () => {
    const shown = list.childElementCount;
    list.append(...trace.decisions.slice(shown, shown + atOnce).map(decision));
    const left = trace.decisions.length - list.childElementCount;
    more.textContent = `show ${Math.min(left, atOnce)} more of ${number(left, 9)}`;
    more.hidden = left === 0;
  };
  more.addEventListener("click", showMore);
  showMore();
  return element("section", {}, element("h2", {}, "Decisions and their alternatives"), list, more);
}

function processes(trace) {
  return table("Processes", [
    { name: "process", number: true, text: (p) => String(p.process) },
    { name: "node", text: (p) => p.node ?? "" },
    { name: "class", text: (p) => p.class ?? "" },
    { name: "from", number: true, text: (p) => duration(p.from) },
    { name: "to", number: true, text: (p) => duration(p.until) },
    { name: "a member for", number: true, text: (p) => duration(p.seconds) },
    { name: "computed", number: true, text: (p) => duration(p.computation) },
  ], trace.processes);
}

function resources(trace) {
  const nodes = (event, value) => (event.nodes ?? []).map((node) => `${node.node}: ${value(node)}`).join(", ");
  return table("Processing elements that came and went", [
    { name: "iteration", number: true, text: (e) => number(e.iteration, 9) },
    { name: "source", text: (e) => e.source ?? "" },
    { name: "new", number: true, text: (e) => number(e.added) },
    { name: "back", number: true, text: (e) => number(e.returned) },
    { name: "withdrawn", number: true, text: (e) => number(e.withdrawn) },
    { name: "members of the elements of each node", class: "reason", text: (e) => nodes(e, (node) => `${node.members} of ${node.pes - node.withdrawn}`) },
  ], trace.resources);
}

function loops(trace) {
  if (trace.starts.length < 2) return null;
  return table("Loops", [
    { name: "loop", text: ({ start }) => start.loop ?? "" },
    { name: "rows", number: true, text: ({ start }) => number(start.domain, 9) },
    { name: "iterations", number: true, text: ({ end }) => number(made(end), 9) },
    { name: "time", number: true, text: ({ end }) => duration(end?.seconds) },
    { name: "members at the end", number: true, text: ({ end }) => number(end?.members) },
    { name: "reconfigurations", number: true, text: ({ end }) => number(end?.reconfigurations, 9) },
  ], trace.starts.map((start, i) => ({ start, end: trace.ends[i] })));
}

function modelErrors(trace) {
  const model = trace.end?.model;
  if (model == null) return null;
  return table("How far predictions were off", [
    { name: "phase", text: ([name]) => name },
    { name: "mean", number: true, text: ([, e]) => `${number(e.mean)} %` },
    { name: "spread", number: true, text: ([, e]) => `${number(e.spread)} %` },
    { name: "predictions", number: true, text: ([, e]) => number(e.n, 9) },
  ], Object.entries(model));
}

export function tables(trace) {
  return [loops(trace), reconfigurations(trace), decisions(trace), resources(trace), processes(trace), modelErrors(trace)].filter((node) => node != null);
}
