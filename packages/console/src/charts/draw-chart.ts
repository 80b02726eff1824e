import * as Plot from '@observablehq/plot';
import { columnKind } from '../result/column-kind.ts';
import type { ChartInput } from './chart-kind.ts';
import { isTime } from './plot-number.ts';

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Draws a chart as an SVG element. Plot adds a style sheet, which the content security policy forbids, so the chart is made in a document
 * of its own without it; what it says is in charts.css and in attributes.
 */
export function drawChart({ kind, note, height, ...input }: ChartInput): SVGSVGElement {
  const { data, style, labels, width } = input;
  const inert = document.implementation.createHTMLDocument();
  const isTimeAxis = isTime(columnKind(input.x?.type ?? '')) && typeof data.points[0]?.x === 'number';
  const { marks, scale } = kind.draw(Plot, {
    ...input,
    position: (value) => (isTimeAxis ? new Date(Number(value)) : value),
  });
  const svg = Plot.plot({
    document: inert,
    width,
    height,
    marginLeft: 64,
    marginBottom: 44,
    style: { color: style.text, fontFamily: style.font, fontSize: `${style.fontSize}px`, background: style.background },
    x: { label: labels.x, ...(isTimeAxis ? { type: 'utc' as const } : {}), ...scale },
    y: { label: labels.y, grid: true, nice: true },
    marks: [Plot.ruleY([0], { stroke: style.grid }), ...marks],
  } as Plot.PlotOptions) as SVGSVGElement;
  for (const sheet of svg.querySelectorAll('style')) sheet.remove();
  svg.setAttribute('xmlns', SVG);
  if (note !== '') svg.append(drawNote(inert, { note, color: style.warning, height }));
  return document.importNode(svg, true);
}

interface DrawnNote {
  readonly note: string;
  readonly color: string;
  readonly height: number;
}

/** Writes the note at the bottom, left of the name of the axis. */
function drawNote(owner: Document, { note, color, height }: DrawnNote): SVGElement {
  const text = owner.createElementNS(SVG, 'text');
  for (const [name, value] of Object.entries({ x: 4, y: height - 6, fill: color, 'text-anchor': 'start' }))
    text.setAttribute(name, String(value));
  text.textContent = note;
  return text;
}
