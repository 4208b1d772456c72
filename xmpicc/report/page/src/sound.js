// What of a trace can be drawn: a file may be cut short, or hold anything. Behind this, numbers are
// numbers and lists are lists; texts may be any, and are only ever written as text.

const numbers = new Set([
  "time", "seconds", "iteration", "iterations", "number", "members", "domain", "interval", "process", "pe", "count", "displ", "work",
  "computation", "communication", "waiting", "cpu", "deviation", "io", "cost", "from", "to", "processes", "redistribution", "parting", "start", "background",
  "moving", "scheduling", "bytes", "messages", "total", "chosen", "speed", "calls", "reconfiguration", "reconfigurations", "reconfiguration_seconds",
  "static_seconds", "left_out", "payback", "rank", "rest", "age", "mean", "spread", "n", "added", "returned", "withdrawn", "pes",
]);
const lists = new Set(["layout", "members", "alternatives", "nodes", "idle", "rows"]);
const place = ["process", "count", "displ"];
const needed = {
  start: ["time"],
  interval: ["time", "seconds", "iterations", "members"],
  reconfiguration: ["time", "seconds"],
  decision: ["time", "iteration"],
  resources: ["time"],
  end: ["time", "seconds", "iterations"],
  matrix: ["time", "members", "rows"],
};
const inLists = { layout: place, members: [...place, "computation", "communication"], alternatives: [], nodes: [], idle: [], rows: ["rank", "peers", "messages", "bytes"] };

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const has = (object, names) => names.every((name) => object[name] != null);

function isSoundField(name, value) {
  if (value === null || typeof value === "string" || typeof value === "boolean") return !numbers.has(name) && !lists.has(name);
  if (Array.isArray(value)) return !lists.has(name) || value.every((item) => isObject(item) && has(item, inLists[name]) && isSoundObject(item));
  if (isObject(value)) return !lists.has(name) && isSoundObject(value);
  return Number.isFinite(value) && (!lists.has(name) || numbers.has(name));
}

function isSoundObject(object) {
  return Object.entries(object).every(([name, value]) => isSoundField(name, value));
}

function isSound(event) {
  if (!isObject(event) || !has(event, needed[event.event] ?? [])) return false;
  if (event.event === "interval" && !Array.isArray(event.members)) return false;
  if (event.event === "matrix" && !Array.isArray(event.rows)) return false;
  return event.event === "data" || isSoundObject(event);
}

/** The events that can be drawn, and how many cannot. */
export function sift(events) {
  const sound = Array.isArray(events) ? events.filter(isSound) : [];
  return { sound, damaged: Array.isArray(events) ? events.length - sound.length : 1 };
}
