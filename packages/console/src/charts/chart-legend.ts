import type { ChartStyle } from './chart-kind.ts';

const SVG = 'http://www.w3.org/2000/svg';
const ROW_HEIGHT = 20;
const SWATCH = 10;
const CHARACTER_WIDTH = 7;
const GAP = 18;
/** A name of a series is cut only here: the table below the chart has all of it. */
const NAME_CHARACTERS = 40;

interface LegendEntry {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

interface Legend {
  readonly entries: readonly LegendEntry[];
  /** Pixels; 0 without series to tell apart. */
  readonly height: number;
}

const shorten = (name: string): string =>
  [...name].length > NAME_CHARACTERS ? `${[...name].slice(0, NAME_CHARACTERS - 1).join('')}…` : name;

/** Arranges the names of series in rows of a width. */
export function legendRows(names: readonly string[], width: number): Legend {
  const entries: LegendEntry[] = [];
  let [x, row] = [4, 0];
  for (const name of names.map(shorten)) {
    const size = SWATCH + 6 + [...name].length * CHARACTER_WIDTH;
    if (x > 4 && x + size > width) [x, row] = [4, row + 1];
    entries.push({ name, x, y: row * ROW_HEIGHT + 4 });
    x += size + GAP;
  }
  return { entries, height: entries.length === 0 ? 0 : (row + 1) * ROW_HEIGHT };
}

/** Draws the names of the series with their colours. They are part of the picture, so that a saved one has them. */
export function drawLegend(owner: Document, { entries }: Legend, style: ChartStyle): SVGElement[] {
  return entries.flatMap(({ name, x, y }, index) => {
    const swatch = owner.createElementNS(SVG, 'rect');
    const color = style.series[index] ?? '';
    const shape = { x, y, width: SWATCH, height: SWATCH, fill: color };
    for (const [attribute, value] of Object.entries(shape)) swatch.setAttribute(attribute, String(value));
    const text = owner.createElementNS(SVG, 'text');
    const position = { x: x + SWATCH + 6, y: y + SWATCH - 1, fill: style.text, 'text-anchor': 'start' };
    for (const [attribute, value] of Object.entries(position)) text.setAttribute(attribute, String(value));
    text.textContent = name;
    return [swatch, text];
  });
}
