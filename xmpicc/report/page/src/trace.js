// The events of a trace, sorted and completed for the figures.
import { talk } from "./talk.js";

const last = (list) => list[list.length - 1];
const sum = (list, value) => list.reduce((total, item) => total + value(item), 0);

/** More intervals than this are drawn as means of several: no screen shows more. */
const mostPoints = 500;
/** More rectangles than this are drawn as those that last longest in their column. */
const mostRectangles = 4000;

/** Sums of a member's seconds in one interval, by what they were spent on. */
export function parts(member) {
  const io = member.operations?.io?.seconds ?? member.io ?? 0;
  const waiting = Math.min(member.waiting ?? 0, Math.max(0, member.communication - io));
  return {
    computation: member.computation,
    communication: Math.max(0, member.communication - io - waiting),
    waiting,
    io,
  };
}

function completed(event) {
  const iterations = Math.max(1, event.iterations);
  const members = event.members.map((member) => ({ ...member, perIteration: member.computation / iterations }));
  return { ...event, members, begin: event.time - event.seconds, perIteration: event.seconds / iterations };
}

/** Spread of the computation times, as a share of the longest (TH1 of thesis Alg. 5 is its limit). */
export function imbalance(interval) {
  const seconds = interval.members.map((member) => member.perIteration);
  const most = Math.max(...seconds);
  return most > 0 ? (most - Math.min(...seconds)) / most : 0;
}

/** Share of the members' time that is computation. */
export function efficiency(intervals) {
  const of = (value) => sum(intervals, (interval) => sum(interval.members, value));
  const all = of((member) => member.computation + member.communication);
  return all > 0 ? of((member) => member.computation) / all : 0;
}

/* --- many intervals as fewer -------------------------------------------------------------------- */

function merged(group) {
  const iterations = sum(group, (interval) => Math.max(1, interval.iterations));
  const members = new Map();
  for (const interval of group)
    for (const member of interval.members) {
      const part = members.get(member.process) ?? { process: member.process, computation: 0, communication: 0, iterations: 0 };
      part.computation += member.computation;
      part.communication += member.communication;
      part.iterations += Math.max(1, interval.iterations);
      members.set(member.process, part);
    }
  const seconds = sum(group, (interval) => interval.seconds);
  const predicted = group.every((interval) => interval.predicted?.total > 0);
  return {
    ...last(group),
    begin: group[0].begin,
    seconds,
    iterations,
    perIteration: seconds / iterations,
    predicted: predicted ? { total: sum(group, (interval) => interval.predicted.total) } : undefined,
    members: [...members.values()].map((part) => ({ ...part, perIteration: part.computation / part.iterations })),
  };
}

function thinned(intervals) {
  const stride = Math.ceil(intervals.length / mostPoints);
  const points = [];
  for (let i = 0; i < intervals.length; i += stride) points.push(stride > 1 ? merged(intervals.slice(i, i + stride)) : intervals[i]);
  return { points, stride };
}

/* --- who had which rows when -------------------------------------------------------------------- */

function isAlike(one, other) {
  return one.length === other.length && one.every((place, i) => place.process === other[i].process && place.count === other[i].count);
}

/** Stretches of time with one layout. The time of a change belongs to none. */
function layouts(events, until) {
  const stretches = [];
  let open = null;
  const close = (time) => {
    if (open != null && time > open.begin) stretches.push({ ...open, end: time });
    open = null;
  };
  const begin = (time, layout) => {
    close(time);
    if (layout?.length > 0) open = { begin: time, layout };
  };
  for (const event of events)
    if (event.event === "start") begin(event.time, event.layout);
    else if (event.event === "interval" && event.members?.length > 0) {
      const began = event.time - event.seconds;
      if (open == null || !isAlike(open.layout, event.members)) begin(began, event.members);
      else open.begin = Math.min(open.begin, began); /* a trace that was begun late */
    }
    else if (event.event === "reconfiguration" && event.outcome === "done") {
      close(event.time - event.seconds);
      begin(event.time, event.layout);
    } else if (event.event === "end") close(event.time);
  close(until);
  return stretches;
}

/** Members beyond this number are shown node by node. */
const mostMembers = 64;

/** What a member is drawn as: its process, or its node where there are too many of them. */
function grouping(processes) {
  const byNode = processes.length > mostMembers;
  const name = byNode ? (member) => member.node : (member) => `process ${member.process}`;
  const names = [...new Set(processes.map(name))];
  const index = new Map(names.map((text, i) => [text, byNode ? i : processes[i].process]));
  return { byNode, names, name, index };
}

/** Neighbours of one group as one block. */
function joined({ begin, end, layout }, name) {
  const blocks = [];
  for (const place of layout) {
    const before = last(blocks);
    if (before?.group === name(place) && before.displ + before.count === place.displ) before.count += place.count;
    else blocks.push({ group: name(place), displ: place.displ, count: place.count });
  }
  return { begin, end, layout: blocks };
}

/** At most so many rectangles: of the stretches in a column the longest stands for all. */
function visible(stretches, until) {
  const widest = Math.max(1, ...stretches.map((stretch) => stretch.layout.length));
  if (stretches.length * widest <= mostRectangles) return stretches;
  const columns = Math.max(12, Math.floor(mostRectangles / widest));
  const kept = new Map();
  for (const stretch of stretches) {
    const column = Math.floor((columns * (stretch.begin + stretch.end)) / 2 / until);
    const there = kept.get(column);
    const seconds = stretch.end - stretch.begin;
    if (there == null) kept.set(column, { ...stretch, seconds });
    else kept.set(column, { ...(seconds > there.seconds ? { ...stretch, seconds } : there), begin: there.begin, end: stretch.end });
  }
  return [...kept.values()];
}

/* --- which rank was on which processing element when ----------------------------------------------- */

/** A stretch with one entry for each rank: its lane, that of its processing element, and which part of it, as ranks may share one. */
function lanes({ begin, end, layout }, lane) {
  const sharing = new Map();
  for (const place of layout) sharing.set(place.pe, (sharing.get(place.pe) ?? 0) + 1);
  const used = new Map();
  const entries = layout.map((place, rank) => {
    const part = used.get(place.pe) ?? 0;
    used.set(place.pe, part + 1);
    const height = 1 / sharing.get(place.pe);
    return { rank, pe: place.pe, from: lane.get(place.pe) + part * height, to: lane.get(place.pe) + (part + 1) * height };
  });
  return { begin, end, layout: entries };
}

/** The processing elements that ranks were on, in order, and who was there when. */
function whereabouts(stretches, until) {
  const known = stretches.filter(({ layout }) => layout.every((place) => Number.isInteger(place.pe)));
  const nodes = new Map(known.flatMap(({ layout }) => layout.map((place) => [place.pe, place.node])));
  const pes = [...nodes.keys()].sort((a, b) => a - b);
  const lane = new Map(pes.map((pe, i) => [pe, i]));
  const where = ({ layout }) => layout.map((place) => place.pe).join(" ");
  return {
    names: pes.map((pe) => `${nodes.get(pe)}, PE ${pe}`),
    ranks: Math.max(0, ...known.map(({ layout }) => layout.length)),
    change: new Set(known.map(where)).size > 1,
    rectangles: visible(known.map((stretch) => lanes(stretch, lane)), until),
  };
}

/* --- all ------------------------------------------------------------------------------------------ */

/** What is known of each process: where it ran, from when to when, and how long it computed. */
function processes(stretches, intervals) {
  const all = new Map();
  for (const { begin, end, layout } of stretches)
    for (const place of layout) {
      const entry = all.get(place.process) ?? { ...place, from: begin, seconds: 0, computation: 0 };
      all.set(place.process, { ...entry, until: end, seconds: entry.seconds + end - begin });
    }
  for (const interval of intervals)
    for (const member of interval.members) {
      const entry = all.get(member.process) ?? { ...member, from: interval.begin, until: interval.time, seconds: interval.seconds, computation: 0 };
      all.set(member.process, { ...entry, computation: entry.computation + member.computation });
    }
  return [...all.values()].sort((a, b) => a.process - b.process);
}

/** Changes, each with the check that was made of it: that of the same iteration of the same loop. */
function checked(events) {
  let loop = 0;
  const changes = [];
  const checks = new Map();
  for (const event of events)
    if (event.event === "start") loop++;
    else if (event.event === "reconfiguration") changes.push({ loop, change: event });
    else if (event.event === "check") checks.set(`${loop} ${event.iteration}`, event);
  return changes.map(({ loop, change }) => ({ ...change, check: checks.get(`${loop} ${change.iteration}`) }));
}

export function arrange(events) {
  const of = (name) => events.filter((event) => event.event === name);
  const starts = of("start");
  const ends = of("end");
  const until = Math.max(0, ...events.map((event) => event.time ?? 0));
  const intervals = of("interval").filter((event) => event.members?.length > 0).map(completed);
  const stretches = layouts(events, until);
  const all = processes(stretches, intervals);
  const groups = grouping(all);
  return {
    starts,
    ends,
    intervals,
    ...thinned(intervals),
    until,
    stretches,
    groups,
    whereabouts: whereabouts(stretches, until),
    rectangles: visible(stretches.map((stretch) => joined(stretch, groups.name)), until),
    reconfigurations: checked(events),
    talk: talk(events, stretches),
    pinned: of("pinned"),
    decisions: of("decision"),
    resources: of("resources"),
    start: starts[0],
    end: ends.length > 0 && ends.length >= starts.length ? last(ends) : undefined,
    domain: Math.max(0, ...starts.map((start) => start.domain ?? 0)),
    processes: all,
  };
}

/** Those that were made in its seconds: what was done before the checkpoint that it went on from is not among them. */
export const made = (end) => end && end.iterations - (end.from ?? 0);

/** Sums over the loops of the program: seconds, iterations, cost, and the static time where every loop has one; the percentage that predictions of intervals were off by, at most. */
export function total({ ends }) {
  const fixed = ends.every((end) => end.static_seconds > 0);
  return {
    seconds: sum(ends, (end) => end.seconds),
    iterations: sum(ends, made),
    changes: sum(ends, (end) => end.reconfigurations ?? 0),
    changing: sum(ends, (end) => end.reconfiguration_seconds ?? 0),
    cost: sum(ends, (end) => end.cost ?? 0),
    fixed: fixed ? sum(ends, (end) => end.static_seconds) : 0,
    off: Math.max(0, ...ends.map((end) => Number(end.model?.interval?.mean) || 0)),
    nodes: Object.fromEntries(["held", "used", "lost", "given_back"].map((part) => [part, sum(ends, (end) => Number(end.node_seconds?.[part]) || 0)])),
  };
}
