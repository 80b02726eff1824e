import * as Plot from '@observablehq/plot';
import { columnKind } from '../result/column-kind.ts';
import type { ResultColumn } from '../result/result-view.ts';
import type { ChartChoice } from './chart-choice.ts';
import type { ChartData, ChartPoint } from './chart-data.ts';
import { isTime } from './plot-number.ts';

const SVG = 'http://www.w3.org/2000/svg';
/** Widest bar in pixels. */
const BAR_MAX = 96;

/** Colours and fonts of a chart, as the theme has them. */
export interface ChartStyle {
  readonly series: string;
  readonly text: string;
  readonly grid: string;
  readonly warning: string;
  readonly background: string;
  readonly font: string;
  /** Pixels. */
  readonly fontSize: number;
}

export interface ChartInput {
  readonly choice: ChartChoice;
  readonly data: ChartData;
  readonly columns: readonly ResultColumn[];
  /** Names of the axes. */
  readonly labels: { readonly x: string; readonly y: string; readonly nothing: string };
  /** Sentence about an incomplete result; empty: the result is whole. It is part of the picture, so that a saved one says so too. */
  readonly note: string;
  readonly style: ChartStyle;
  readonly width: number;
  readonly height: number;
}

/**
 * Draws a chart as an SVG element. Plot adds a style sheet, which the content security policy forbids, so the chart is made in a document
 * of its own without it; what it says is in charts.css and in attributes.
 */
export function drawChart(input: ChartInput): SVGSVGElement {
  const { data, style, labels, width, height } = input;
  const inert = document.implementation.createHTMLDocument();
  const isTimeAxis =
    isTime(columnKind(input.columns[input.choice.x]?.type ?? '')) && typeof data.points[0]?.x === 'number';
  const svg = Plot.plot({
    document: inert,
    width,
    height,
    marginLeft: 64,
    marginBottom: 44,
    style: { color: style.text, fontFamily: style.font, fontSize: `${style.fontSize}px`, background: style.background },
    x: { label: labels.x, ...(isTimeAxis ? { type: 'utc' as const } : {}), ...categoryScale(input) },
    y: { label: labels.y, grid: true, nice: true },
    marks: [Plot.ruleY([0], { stroke: style.grid }), ...marksOf(input, isTimeAxis)],
  } as Plot.PlotOptions) as SVGSVGElement;
  for (const sheet of svg.querySelectorAll('style')) sheet.remove();
  svg.setAttribute('xmlns', SVG);
  if (input.note !== '') svg.append(drawNote(inert, input));
  return document.importNode(svg, true);
}

/** Writes the note at the bottom, left of the name of the axis. */
function drawNote(owner: Document, { note, style, height }: ChartInput): SVGElement {
  const text = owner.createElementNS(SVG, 'text');
  for (const [name, value] of Object.entries({ x: 4, y: height - 6, fill: style.warning, 'text-anchor': 'start' }))
    text.setAttribute(name, String(value));
  text.textContent = note;
  return text;
}

const isBand = ({ choice, data }: ChartInput): boolean => choice.kind === 'bar' && data.points[0]?.xEnd === undefined;

/** Categories in the order of the data, with room for their names. */
function categoryScale(input: ChartInput): Plot.ScaleOptions {
  if (!isBand(input)) return {};
  const names = input.data.points.map((point) => nameOf(point, input.labels.nothing));
  const isCrowded = names.some((name) => name.length * 7 > input.width / names.length);
  const padding = Math.max(0.15, 1 - (BAR_MAX * names.length) / input.width);
  return { type: 'band', domain: names, padding, ...(isCrowded ? { tickRotate: -35 } : {}), tickFormat: shorten };
}

const NAME_CHARACTERS = 14;
const shorten = (name: string): string =>
  name.length > NAME_CHARACTERS ? `${name.slice(0, NAME_CHARACTERS - 1)}…` : name;
const nameOf = ({ x }: ChartPoint, nothing: string): string => (x === undefined ? nothing : String(x));

function marksOf(input: ChartInput, isTimeAxis: boolean): Plot.Markish[] {
  const { choice, data, style, labels } = input;
  const place = (value: number | string | undefined) => (isTimeAxis ? new Date(Number(value)) : value);
  const points = data.points as ChartPoint[];
  const y = ({ y: value }: ChartPoint) => value;
  const x = ({ x: value }: ChartPoint) => place(value);
  if (choice.kind === 'line') return [Plot.lineY(points, { x, y, stroke: style.series, strokeWidth: 1.5 })];
  if (choice.kind === 'scatter') return [Plot.dot(points, { x, y, r: 2.5, stroke: style.series, strokeOpacity: 0.7 })];
  if (isBand(input)) return [Plot.barY(points, { x: (point) => nameOf(point, labels.nothing), y, fill: style.series })];
  return [Plot.rectY(points, { x1: x, x2: ({ xEnd }) => place(xEnd), y, fill: style.series, insetLeft: 1 })];
}
