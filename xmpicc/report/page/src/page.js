// The page: reads the trace that is embedded in it and draws everything.
import { echarts, toSvg } from "./charts.js";
import { figures } from "./figures.js";
import { sift } from "./sound.js";
import { failure, remarks, summary, tables } from "./tables.js";
import { arrange } from "./trace.js";

const darkness = window.matchMedia("(prefers-color-scheme: dark)");

function save(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

function panel(figure, trace) {
  const node = document.createElement("figure");
  node.id = `figure-${figure.id}`;
  const caption = document.createElement("figcaption");
  const words = document.createElement("div");
  const title = document.createElement("h2");
  title.textContent = figure.title;
  const line = document.createElement("p");
  line.textContent = figure.caption;
  words.append(title, line);
  const button = document.createElement("button");
  button.textContent = "save SVG";
  button.addEventListener("click", () => {
    const light = figures(trace, false).find((other) => other.id === figure.id);
    save(`${figure.id}.svg`, toSvg(light.option, 900, light.height, "#ffffff"));
  });
  caption.append(words, button);
  const chart = document.createElement("div");
  chart.className = "chart";
  chart.style.height = `${figure.height}px`;
  node.append(caption, chart);
  return { node, chart };
}

function draw(trace) {
  const place = document.getElementById("figures");
  const panels = new Map();
  const charts = new Map();
  for (const figure of figures(trace, darkness.matches)) {
    panels.set(figure.id, panel(figure, trace));
    place.append(panels.get(figure.id).node);
  }
  const redraw = () => {
    for (const figure of figures(trace, darkness.matches)) {
      const chart = charts.get(figure.id) ?? echarts.init(panels.get(figure.id).chart, null, { renderer: "svg" });
      charts.set(figure.id, chart);
      chart.setOption(figure.option, true);
    }
  };
  redraw();
  darkness.addEventListener("change", redraw);
  new ResizeObserver(() => charts.forEach((chart) => chart.resize())).observe(place);
}

function subtitle({ start, starts }) {
  if (start == null) return "";
  const others = starts.length > 1 ? ` and ${starts.length - 1} more` : "";
  const calibrated = start.calibration ? ` · calibration: ${start.calibration}` : "";
  return `loop at ${start.loop}${others} · ${start.members} members at first · ${Number(start.domain).toLocaleString("en")} rows · work counted by ${start.counter}${calibrated}`;
}

/* Whatever is in the trace, there is a word about it and not an empty page. */
function show(text) {
  const { sound, damaged } = sift(JSON.parse(text.textContent));
  const trace = arrange(sound);
  document.getElementById("subtitle").textContent = subtitle(trace);
  document.getElementById("notes").append(...remarks(trace, damaged + Number(text.dataset.damaged ?? 0)));
  document.getElementById("summary").append(...summary(trace));
  draw(trace);
  document.getElementById("tables").append(...tables(trace));
  document.documentElement.dataset.drawn = "yes";
}

try {
  show(document.getElementById("trace"));
} catch (error) {
  document.getElementById("notes").append(failure(error));
  document.documentElement.dataset.drawn = "failed";
}
