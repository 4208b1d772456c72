// The parts of ECharts that the figures use.
import { BarChart, CustomChart, LineChart } from "echarts/charts";
import { AriaComponent, GridComponent, LegendComponent, LegendScrollComponent, MarkLineComponent, TooltipComponent } from "echarts/components";
import * as echarts from "echarts/core";
import { SVGRenderer } from "echarts/renderers";

echarts.use([
  AriaComponent, BarChart, CustomChart, GridComponent, LegendComponent, LegendScrollComponent, LineChart,
  MarkLineComponent, SVGRenderer, TooltipComponent,
]);

export { echarts };

/** One figure as the text of an SVG file. */
export function toSvg(option, width, height, background) {
  const chart = echarts.init(null, null, { renderer: "svg", ssr: true, width, height });
  chart.setOption({ ...option, backgroundColor: background, tooltip: undefined });
  const text = chart.renderToSVGString();
  chart.dispose();
  return text;
}
