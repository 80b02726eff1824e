import * as Plot from '@observablehq/plot';
import { columnKind } from '../result/column-kind.ts';
import type { ChartDrawing, ChartInput, ChartPoint, DrawnMarks } from './chart-kind.ts';
import { drawLegend, legendRows } from './chart-legend.ts';
import { isTime } from './plot-number.ts';

const SVG = 'http://www.w3.org/2000/svg';
const MARGIN_TOP = 20;

/** Place of a point or of the end of a bar in the picture, in pixels. */
export interface PlacedPoint {
  readonly x: number;
  readonly y: number;
}

/** A chart, and the places of its points in their order. */
export interface DrawnChart {
  readonly svg: SVGSVGElement;
  readonly places: readonly PlacedPoint[];
}

/**
 * Draws a chart as an SVG element. Plot adds a style sheet, which the content security policy forbids, so the chart is made in a document
 * of its own without it; what it says is in charts.css and in attributes.
 */
export function drawChart({ kind, note, height, ...input }: ChartInput): DrawnChart {
  const { data, style, labels, width } = input;
  const inert = document.implementation.createHTMLDocument();
  const isTimeAxis = isTime(columnKind(input.x?.type ?? '')) && typeof data.points[0]?.x === 'number';
  const drawing: ChartDrawing = { ...input, position: (value) => (isTimeAxis ? new Date(Number(value)) : value) };
  const drawn = kind.draw(Plot, drawing);
  const { marks, options = {}, isHorizontal = false } = drawn;
  const names = data.series.length > 1 ? data.series.map((name) => name ?? labels.nothing) : [];
  const legend = legendRows(names, width);
  const marginTop = MARGIN_TOP + legend.height;
  const zero = isHorizontal ? Plot.ruleX : Plot.ruleY;
  const svg = Plot.plot({
    document: inert,
    width,
    marginLeft: 64,
    marginBottom: 44,
    style: { color: style.text, fontFamily: style.font, fontSize: `${style.fontSize}px`, background: style.background },
    x: { label: labels.x, ...(isTimeAxis ? { type: 'utc' as const } : {}) },
    y: { label: labels.y, grid: true, nice: true },
    ...options,
    height: (options.height ?? height) + legend.height,
    marginTop,
    marks: [zero([0], { stroke: style.grid }), ...marks],
  } as Plot.PlotOptions) as SVGSVGElement & Plot.Plot;
  const places = placesOf(svg, { drawing, drawn, marginTop });
  for (const sheet of svg.querySelectorAll('style')) sheet.remove();
  svg.setAttribute('xmlns', SVG);
  svg.append(...drawLegend(inert, legend, style));
  if (note !== '')
    svg.append(drawNote(inert, { note, color: style.warning, height: Number(svg.getAttribute('height')) }));
  return { svg: document.importNode(svg, true), places };
}

interface Placing {
  readonly drawing: ChartDrawing;
  readonly drawn: DrawnMarks;
  readonly marginTop: number;
}

function placesOf(svg: Plot.Plot, { drawing, drawn, marginTop }: Placing): PlacedPoint[] {
  const { data, labels, position } = drawing;
  const [x, y, fy] = (['x', 'y', 'fy'] as const).map((name) => svg.scale(name));
  const middle = (scale: Plot.Scale | undefined, value: unknown): number =>
    Number(scale?.apply(value) ?? 0) + (scale?.bandwidth ?? 0) / 2;
  const nameOf = ({ x: name }: ChartPoint): string => (name === undefined ? labels.nothing : String(name));
  const place = (point: ChartPoint): PlacedPoint => {
    // The scale of a facet is within the margin, which its own place contains too.
    if (drawn.isHorizontal === true)
      return { x: middle(x, point.y), y: Number(fy?.apply(nameOf(point)) ?? 0) - marginTop + middle(y, point.series) };
    if (point.xEnd !== undefined)
      return { x: (middle(x, position(point.x)) + middle(x, position(point.xEnd))) / 2, y: middle(y, point.y) };
    return { x: middle(x, x?.bandwidth === undefined ? position(point.x) : nameOf(point)), y: middle(y, point.y) };
  };
  return data.points.map(place);
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
