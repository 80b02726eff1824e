import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import {
  type ChartData,
  type ChartInput,
  type ChartLabels,
  type ChartPoint,
  type ChartStyle,
  SERIES_MAX,
} from './chart-kind.ts';
import type { DrawnChart, PlacedPoint } from './draw-chart.ts';

const HEIGHT = 380;
/** Farthest place of a point that the pointer shows, in pixels. */
const REACH = 60;

/** A chart without what depends on the page. */
type DrawnInput = Omit<ChartInput, 'style' | 'width' | 'height'>;

interface ChartDrawingProps {
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly title: string;
  readonly drawn: DrawnInput | undefined;
  readonly positionOf: (point: ChartPoint) => string;
}

/** The picture of a chart. The pointer shows the value of the nearest point, and so do the arrow keys. */
export function ChartDrawing({ frame, title, drawn, positionOf }: ChartDrawingProps) {
  const { t, formatNumber } = useTranslation();
  const chart = useDrawnChart(frame, drawn);
  const [shown, setShown] = useState<number>();
  const places = chart?.places ?? [];
  const place = shown === undefined ? undefined : places[shown];
  const point = shown === undefined ? undefined : drawn?.data.points[shown];
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    setShown(nearest(places, { x: event.clientX - left, y: event.clientY - top }));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = targetOf(event.key, shown, places.length);
    if (next === undefined && event.key !== 'Escape') return;
    if (next === undefined && shown === undefined) return;
    event.preventDefault();
    setShown(next);
  };
  const text =
    point === undefined || drawn === undefined
      ? ''
      : describePoint(point, { data: drawn.data, labels: drawn.labels, positionOf, formatNumber });
  return (
    <div className="chart__drawing">
      <div
        role="img"
        aria-label={t('chart.reading', { title })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: its arrow keys read the points, as the pointer does
        tabIndex={0}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setShown(undefined)}
        onKeyDown={onKeyDown}
        onBlur={() => setShown(undefined)}
      >
        <div ref={frame} aria-hidden="true" />
      </div>
      <p
        className="chart__point"
        role="status"
        hidden={place === undefined}
        data-side={place !== undefined && place.x > (frame.current?.clientWidth ?? 0) / 2 ? 'left' : 'right'}
        style={place === undefined ? undefined : { insetInlineStart: `${place.x}px`, insetBlockStart: `${place.y}px` }}
      >
        {text}
      </p>
    </div>
  );
}

interface PointTexts {
  readonly data: ChartData;
  readonly labels: ChartLabels;
  readonly positionOf: (point: ChartPoint) => string;
  readonly formatNumber: (value: number) => string;
}

function describePoint(point: ChartPoint, { data, labels, positionOf, formatNumber }: PointTexts): string {
  const series = data.series.length > 1 ? [data.series[point.series] ?? labels.nothing] : [];
  return [positionOf(point), ...series, formatNumber(point.y)].join(' · ');
}

/** Returns the index of the nearest point within reach. */
function nearest(places: readonly PlacedPoint[], { x, y }: PlacedPoint): number | undefined {
  let [found, least]: [number | undefined, number] = [undefined, REACH];
  for (const [index, place] of places.entries()) {
    const distance = Math.hypot(place.x - x, place.y - y);
    if (distance < least) [found, least] = [index, distance];
  }
  return found;
}

function targetOf(key: string, shown: number | undefined, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (key === 'ArrowRight' || key === 'ArrowDown') return shown === undefined ? 0 : Math.min(shown + 1, count - 1);
  if (key === 'ArrowLeft' || key === 'ArrowUp') return shown === undefined ? count - 1 : Math.max(shown - 1, 0);
  return undefined;
}

/** Draws the chart into its frame, again for another width or theme. Plot is loaded only here. */
function useDrawnChart(frame: RefObject<HTMLDivElement | null>, drawn: DrawnInput | undefined): DrawnChart | undefined {
  const [appearance, setAppearance] = useState({ width: 0, theme: '' });
  const [chart, setChart] = useState<DrawnChart>();
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const root = document.documentElement;
    const update = () => setAppearance({ width: element.clientWidth, theme: root.dataset['theme'] ?? '' });
    update();
    const sizes = new ResizeObserver(update);
    sizes.observe(element);
    const themes = new MutationObserver(update);
    themes.observe(root, { attributeFilter: ['data-theme'] });
    return () => {
      sizes.disconnect();
      themes.disconnect();
    };
  }, [frame]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rest belongs to the data, and the theme to the appearance
  useEffect(() => {
    if (drawn === undefined || appearance.width === 0) return;
    let isOver = false;
    void import('./draw-chart.ts').then(({ drawChart }) => {
      if (isOver) return;
      const { width } = appearance;
      const next = drawChart({ ...drawn, style: readChartStyle(), width, height: HEIGHT });
      frame.current?.replaceChildren(next.svg);
      setChart(next);
    });
    return () => {
      isOver = true;
    };
  }, [drawn?.data, drawn?.note, appearance]);
  return chart;
}

/** Reads the colours and the font of the theme, because a saved chart has no style sheet. */
function readChartStyle(): ChartStyle {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    series: Array.from({ length: SERIES_MAX }, (_, index) => read(`--color-series-${index + 1}`)),
    text: read('--color-text-muted'),
    grid: read('--color-border'),
    warning: read('--color-warning-text'),
    background: read('--color-surface'),
    font: read('--font-body'),
    fontSize: Number.parseFloat(read('--text-xs')) * Number.parseFloat(style.fontSize),
  };
}
