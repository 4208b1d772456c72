// The figures: from an arranged trace to options of ECharts. Nothing here needs a browser.
import { efficiency, imbalance, parts } from "./trace.js";

// Okabe and Ito's colours, which people with any colour vision tell apart, without the black.
const colours = ["#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7", "#999933", "#882255"];
const many = 16; // members, beyond which single lines say nothing
const manyChanges = 60; // beyond which lines for them would hide the rest

export function colourOf(process) {
  return colours[process % colours.length];
}

function inks(dark) {
  return dark
    ? { ink: "#e6eaf0", faint: "#9aa6b5", line: "#323b46" }
    : { ink: "#1d232b", faint: "#5a6472", line: "#d9dee5" };
}

/** Text inside of HTML, which only tooltips are made of: a name in a trace may be anything. */
const escaped = (text) => String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

const digits = (value) => Number(value).toPrecision(4).replace(/\.?0+($|e)/, "$1");
const withUnit = (unit) => (value) => (value == null ? "–" : `${digits(value)} ${unit}`);

function axis(ink, name, more) {
  return {
    type: "value",
    name,
    nameLocation: "middle",
    nameGap: 38,
    nameTextStyle: { color: ink.faint },
    axisLabel: { color: ink.faint },
    axisLine: { lineStyle: { color: ink.line } },
    splitLine: { lineStyle: { color: ink.line } },
    ...more,
  };
}

function timeAxis(trace, ink, more) {
  return axis(ink, "seconds since the start", { min: 0, max: trace.until, nameGap: 26, splitLine: { show: false }, axisLabel: { color: ink.faint, formatter: digits, hideOverlap: true, showMaxLabel: false }, ...more });
}

function base(ink, dark) {
  return {
    animation: false,
    aria: { enabled: true },
    backgroundColor: "transparent",
    color: colours,
    darkMode: dark,
    textStyle: { color: ink.ink, fontFamily: "system-ui, sans-serif" },
    legend: { type: "scroll", top: 0, formatter: (name) => name.replace(/^process /, "P"), itemGap: 8, icon: "roundRect", itemWidth: 14, itemHeight: 10, textStyle: { color: ink.ink }, pageTextStyle: { color: ink.faint }, pageIconColor: ink.ink, pageIconInactiveColor: ink.line },
    tooltip: { trigger: "axis", confine: true },
    grid: { left: 58, right: 16, top: 36, bottom: 44 },
  };
}

const done = (trace) => trace.reconfigurations.filter((r) => r.outcome === "done");

/** A line at every change of the layout. */
function changes(trace, ink) {
  const all = done(trace);
  return {
    symbol: "none",
    silent: true,
    label: { show: false },
    lineStyle: { color: ink.faint, type: [2, 4] },
    data: all.length <= manyChanges ? all.map((r) => ({ xAxis: r.time })) : [],
  };
}

/** Points of a line are shown where there are not too many of them. */
const dots = (trace, size) => (trace.points.length <= 200 ? { symbol: "circle", symbolSize: size } : { symbol: "none" });

/** The number of members, from each change to the next. */
function steps(trace) {
  return trace.stretches.flatMap(({ begin, end, layout }) => [
    [begin, layout.length],
    [end, layout.length],
  ]);
}

/* Figs 6.14-6.20 of the thesis: how many processes there are, and what an iteration takes. */
function membersAndTime(trace, ink, dark) {
  const line = (more) => ({ type: "line", symbol: "none", lineStyle: { width: 2 }, ...more });
  return {
    ...base(ink, dark),
    axisPointer: { link: [{ xAxisIndex: "all" }] },
    grid: [
      { left: 58, right: 16, top: 36, height: 90 },
      { left: 58, right: 16, top: 156, bottom: 44 },
    ],
    xAxis: [
      timeAxis(trace, ink, { gridIndex: 0, name: "", axisLabel: { show: false } }),
      timeAxis(trace, ink, { gridIndex: 1 }),
    ],
    yAxis: [
      axis(ink, "members", { gridIndex: 0, min: 0, minInterval: 1 }),
      axis(ink, "ms per iteration", { gridIndex: 1, min: 0 }),
    ],
    series: [
      line({ name: "members", step: "end", data: steps(trace), areaStyle: { opacity: 0.15 }, markLine: changes(trace, ink) }),
      line({
        name: "time per iteration",
        xAxisIndex: 1,
        yAxisIndex: 1,
        data: trace.points.map((i) => [i.time, 1e3 * i.perIteration]),
        markLine: changes(trace, ink),
        ...dots(trace, 5),
        tooltip: { valueFormatter: withUnit("ms") },
      }),
    ],
  };
}

/** A rectangle in time and what else there is, coloured by the last value. */
function rectangle(_, api) {
  const [x0, y0] = api.coord([api.value(0), api.value(3)]);
  const [x1, y1] = api.coord([api.value(1), api.value(2)]);
  return {
    type: "rect",
    shape: { x: x0, y: Math.min(y0, y1), width: Math.max(1, x1 - x0), height: Math.max(0.5, Math.abs(y1 - y0)) },
    style: { fill: colourOf(api.value(4)), stroke: "none" },
  };
}

/** What fits beside an axis; the rest is told under the mouse. */
const shortened = (name) => (name == null ? "" : name.length <= 14 ? name : `…${name.slice(-13)}`);

/* Rectangles in time and rows: one for each member, or node, and stretch of time with one layout. */
function ownership(trace, ink, dark) {
  const { index, names } = trace.groups;
  const data = trace.rectangles.flatMap(({ begin, end, layout }) => layout.map((m) => [begin, end, m.displ, m.displ + m.count, index.get(m.group)]));
  const named = new Map([...index].map(([name, i]) => [i, name]));
  const legend = names.slice(0, many).map((name) => ({ name, itemStyle: { color: colourOf(index.get(name)) } }));
  return {
    ...base(ink, dark),
    legend: { ...base(ink, dark).legend, data: legend, selectedMode: false },
    tooltip: {
      confine: true,
      formatter: ({ value }) => `${escaped(named.get(value[4]))}<br>rows ${value[2]} to ${value[3] - 1} (${value[3] - value[2]})`,
    },
    xAxis: timeAxis(trace, ink),
    yAxis: axis(ink, "row", { inverse: true, min: 0, max: trace.domain, nameGap: 44, splitLine: { show: false } }),
    series: [
      { type: "custom", renderItem: rectangle, data, encode: { x: [0, 1], y: [2, 3] }, clip: true },
      ...legend.map((entry) => ({ type: "line", name: entry.name, data: [], itemStyle: entry.itemStyle })),
    ],
  };
}

/** Lanes of processing elements in time, each coloured by the rank that was there. */
function placesOfRanks(trace, ink, dark) {
  const { names, ranks, rectangles } = trace.whereabouts;
  const data = rectangles.flatMap(({ begin, end, layout }) => layout.map((m) => [begin, end, m.from, m.to, m.rank]));
  const legend = Array.from({ length: Math.min(ranks, many) }, (_, rank) => ({ name: `rank ${rank}`, itemStyle: { color: colourOf(rank) } }));
  const few = names.length <= 2 * many;
  return {
    ...base(ink, dark),
    grid: { left: few ? 96 : 58, right: 16, top: 36, bottom: 44 },
    legend: { ...base(ink, dark).legend, data: legend, selectedMode: false },
    tooltip: {
      confine: true,
      formatter: ({ value }) => `rank ${value[4]}<br>${escaped(names[Math.floor(value[2] + 1e-6)])}`,
    },
    xAxis: timeAxis(trace, ink),
    yAxis: axis(ink, few ? "" : "processing element", {
      inverse: true,
      min: 0,
      max: names.length,
      interval: few ? 1 : undefined,
      axisLabel: { color: ink.faint, formatter: few ? (value) => shortened(names[value]) : digits, ...(few ? { verticalAlign: "top" } : {}) },
    }),
    series: [
      { type: "custom", renderItem: rectangle, data, encode: { x: [0, 1], y: [2, 3] }, clip: true },
      ...legend.map((entry) => ({ type: "line", name: entry.name, data: [], itemStyle: entry.itemStyle })),
    ],
  };
}

/* Fig. 1 of Cores et al.: a cell for each pair, the darker the more; by orders of magnitude. */
function whoTalksToWhom(trace, ink, dark) {
  const { names, cells, byNode } = trace.talk;
  const most = Math.max(1, ...cells.map((cell) => cell.bytes));
  const shade = (bytes) => Math.max(0.12, 1 + Math.log10(Math.max(bytes, 1) / most) / 6);
  const what = byNode ? "node" : "rank";
  const lane = (name, more) => {
    const few = names.length <= many && byNode;
    return axis(ink, name, { min: -0.5, max: names.length - 0.5, minInterval: 1, axisLine: { onZero: false, lineStyle: { color: ink.line } }, splitLine: { show: false }, axisLabel: { color: ink.faint, showMinLabel: false, showMaxLabel: false, formatter: few ? (value) => shortened(names[value]) : digits }, ...more });
  };
  return {
    ...base(ink, dark),
    legend: { show: false },
    grid: { left: 110, right: 30, top: 12, bottom: 44 },
    tooltip: {
      confine: true,
      formatter: ({ value }) => `${escaped(names[value[7]])} to ${escaped(names[value[6]])}<br>${digits(value[4])} bytes in ${digits(value[5])} messages`,
    },
    xAxis: lane(`to ${what}`, { nameGap: 26 }),
    yAxis: lane(`from ${what}`, { inverse: true, nameGap: byNode ? 92 : 38 }),
    series: [
      {
        type: "custom",
        renderItem: (_, api) => {
          const drawn = rectangle(_, api);
          return { ...drawn, style: { fill: colours[0], opacity: shade(api.value(4)), stroke: "none" } };
        },
        data: cells.map(({ from, to, bytes, messages }) => [to - 0.5, to + 0.5, from - 0.5, from + 0.5, bytes, messages, to, from]),
        encode: { x: [0, 1], y: [2, 3] },
        clip: true,
      },
    ],
  };
}

function timeOfMembers(trace, ink, dark) {
  const names = ["computation", "communication", "waiting", "io"];
  const { names: groups, name: groupOf } = trace.groups;
  const sums = new Map(groups.map((group) => [group, { computation: 0, communication: 0, waiting: 0, io: 0 }]));
  for (const interval of trace.intervals)
    for (const member of interval.members) {
      const part = parts(member);
      for (const name of names) sums.get(groupOf(member))[name] += part[name];
    }
  return {
    ...base(ink, dark),
    grid: { left: 84, right: 16, top: 36, bottom: 44 },
    tooltip: { ...base(ink, dark).tooltip, axisPointer: { type: "shadow" }, valueFormatter: withUnit("s") },
    xAxis: axis(ink, "seconds", { nameGap: 26 }),
    yAxis: {
      type: "category",
      inverse: true,
      data: groups,
      axisLabel: { color: ink.faint },
      axisLine: { lineStyle: { color: ink.line } },
    },
    series: names
      .map((name) => ({
        type: "bar",
        stack: "time",
        name: name === "io" ? "I/O" : name,
        data: groups.map((group) => sums.get(group)[name]),
      }))
      .filter((series) => series.data.some((value) => value > 0)),
  };
}

function computationOfMembers(trace, ink, dark) {
  const ofProcess = (process) =>
    trace.points.map((interval) => {
      const member = interval.members.find((m) => m.process === process);
      return [interval.time, member ? 1e3 * member.perIteration : null];
    });
  const extreme = (pick) => trace.points.map((interval) => [interval.time, 1e3 * pick(...interval.members.map((m) => m.perIteration))]);
  const lines =
    trace.processes.length <= many
      ? trace.processes.map(({ process }) => ({ name: `process ${process}`, data: ofProcess(process), itemStyle: { color: colourOf(process) } }))
      : [
          { name: "slowest", data: extreme(Math.max) },
          { name: "fastest", data: extreme(Math.min) },
        ];
  return {
    ...base(ink, dark),
    tooltip: { ...base(ink, dark).tooltip, valueFormatter: withUnit("ms") },
    xAxis: timeAxis(trace, ink),
    yAxis: axis(ink, "ms per iteration", { min: 0 }),
    series: lines.map((line, i) => ({ type: "line", ...dots(trace, 4), ...line, markLine: i === 0 ? changes(trace, ink) : undefined })),
  };
}

function balance(trace, ink, dark) {
  const line = (name, value, more) => ({ type: "line", name, ...dots(trace, 4), data: trace.points.map((i) => [i.time, 100 * value(i)]), ...more });
  return {
    ...base(ink, dark),
    tooltip: { ...base(ink, dark).tooltip, valueFormatter: withUnit("%") },
    xAxis: timeAxis(trace, ink),
    yAxis: axis(ink, "%", { min: 0, max: 100 }),
    series: [line("imbalance", imbalance, { markLine: changes(trace, ink) }), line("efficiency", (i) => efficiency([i]))],
  };
}

function predictedAndMeasured(trace, ink, dark) {
  const predicted = trace.points.filter((interval) => interval.predicted?.total > 0);
  const per = (interval, seconds) => (1e3 * seconds) / Math.max(1, interval.iterations);
  return {
    ...base(ink, dark),
    tooltip: { ...base(ink, dark).tooltip, valueFormatter: withUnit("ms") },
    xAxis: timeAxis(trace, ink),
    yAxis: axis(ink, "ms per iteration", { min: 0 }),
    series: [
      { type: "line", name: "measured", ...dots(trace, 5), data: trace.points.map((i) => [i.time, per(i, i.seconds)]), markLine: changes(trace, ink) },
      { type: "line", name: "predicted", symbol: predicted.length <= 200 ? "emptyDiamond" : "none", symbolSize: 7, lineStyle: { type: "dashed" }, data: predicted.map((i) => [i.time, per(i, i.predicted.total)]) },
    ],
  };
}

function cost(trace, ink, dark) {
  return {
    ...base(ink, dark),
    legend: { show: false },
    grid: { left: 64, right: 16, top: 12, bottom: 44 },
    xAxis: timeAxis(trace, ink),
    yAxis: axis(ink, "cost units", { min: 0, nameGap: 46 }),
    series: [{ type: "line", name: "cost", areaStyle: { opacity: 0.15 }, symbol: "none", data: [...trace.points.filter((i) => i.cost != null), ...trace.ends].map((i) => [i.time, i.cost]).sort((a, b) => a[0] - b[0]) }],
  };
}

function marks(trace) {
  const count = done(trace).length;
  const lines = count === 0 ? "The layout has never changed." : count <= manyChanges ? "Dotted lines are changes of the layout." : `${count} changes of the layout are too many to mark.`;
  return trace.stride > 1 ? `${lines} Each point stands for ${trace.stride} intervals.` : lines;
}

/**
 * The figures that this trace has something for: id, title, caption, height in pixels, and the option.
 */
export function figures(trace, dark) {
  const ink = inks(dark);
  const height = Math.max(160, 28 * trace.groups.names.length + 90);
  const each = trace.groups.byNode ? "node" : "process";
  const course = trace.points.length > 1; /* there is a time to draw along */
  const all = [
    { id: "members", title: "Members and time per iteration", caption: marks(trace), height: 340, make: membersAndTime, when: course },
    { id: "rows", title: "Who computed which rows", caption: trace.groups.byNode ? "Each colour is a node." : "Each colour is a process: P0 is process 0.", height: 320, make: ownership, when: trace.domain > 0 },
    { id: "places", title: "Which rank was where", caption: "Each lane is a processing element (PE), each colour a rank.", height: Math.min(900, Math.max(220, 24 * trace.whereabouts.names.length + 90)), make: placesOfRanks, when: trace.whereabouts.change },
    { id: "computation", title: "Computation time of each member", caption: "Equal times are a balanced load.", height: 300, make: computationOfMembers, when: course },
    { id: "imbalance", title: "Imbalance and efficiency", caption: "Difference of the computation times, as a share of the longest; share of the members' time that is computation.", height: 260, make: balance, when: course },
    { id: "time", title: `Where the time of each ${each} went`, caption: "Communication includes waiting that could not be told apart.", height: Math.min(height, 1200), make: timeOfMembers },
    { id: "talk", title: "Who sends how much to whom", caption: trace.talk && `${digits(trace.talk.bytes)} bytes in the last ${trace.talk.iterations} iterations; the darker, the more, six orders of magnitude from the lightest.`, height: 420, make: whoTalksToWhom, when: trace.talk != null },
    { id: "prediction", title: "Predicted against measured", caption: "What the model expected of each interval before it began, the time of a change not counted.", height: 280, make: predictedAndMeasured, when: course && trace.intervals.some((i) => i.predicted?.total > 0) },
    { id: "cost", title: "Cost", caption: "Cost units spent so far.", height: 220, make: cost, when: course && trace.intervals.some((i) => i.cost > 0) },
  ];
  return trace.intervals.length === 0
    ? []
    : all
        .filter((figure) => figure.when !== false)
        .map(({ id, title, caption, height, make }) => ({ id, title, caption, height, option: make(trace, ink, dark) }));
}
