import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { columnKind } from '../result/column-kind.ts';
import { incompleteNote, type ResultColumn, type ResultView } from '../result/result-view.ts';
import { Button } from '../ui/button.tsx';
import { saveFile } from '../ui/save-file.ts';
import { ChartForm } from './chart-form.tsx';
import type { ChartData, ChartInput, ChartLabels, ChartPoint, ChartStyle, Pause } from './chart-kind.ts';
import { CHART_KINDS, type ChartChoice, chooseChart } from './chart-kinds.ts';
import { isTime } from './plot-number.ts';
import { useComputed } from './use-computed.ts';
import './charts.css';

const HEIGHT = 380;

/** Chart of the loaded rows, with a table of what it shows. */
export function ChartView({ view }: { readonly view: ResultView }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<{ readonly columns: readonly ResultColumn[]; readonly choice: ChartChoice }>();
  const choice = chosen?.columns === view.columns ? chosen.choice : chooseChart(view.columns);
  if (choice === undefined) return <p className="chart-none">{t('chart.none')}</p>;
  return (
    <Chart
      // Another choice begins anew.
      key={`${choice.kind} ${choice.x} ${choice.y}`}
      view={view}
      choice={choice}
      onChoose={(next) => setChosen({ columns: view.columns, choice: next })}
    />
  );
}

interface ChartProps {
  readonly view: ResultView;
  readonly choice: ChartChoice;
  readonly onChoose: (choice: ChartChoice) => void;
}

function Chart({ view, choice, onChoose }: ChartProps) {
  const { t } = useTranslation();
  const { kind, x, y } = choice;
  const collect = useCallback(
    (rows: ResultView, pause: Pause) => CHART_KINDS[kind].collect(rows, { x, y }, pause),
    [kind, x, y],
  );
  const data = useComputed(view, collect);
  const frame = useRef<HTMLDivElement>(null);
  const note = incompleteNote(view);
  const labels = {
    x: nameOf(view, x),
    y:
      y === undefined
        ? t('chart.count')
        : CHART_KINDS[kind].addsUp
          ? t('chart.sum', { column: nameOf(view, y) })
          : nameOf(view, y),
    nothing: 'NULL',
  };
  const title = t(`chart.title.${kind}`, { x: labels.x, y: labels.y });
  const noteText = note === undefined ? '' : t(note.key, note.values);
  const column = view.columns[x];
  useDrawnChart(frame, data && { kind: CHART_KINDS[kind], x: column, data, labels, note: noteText });
  const save = async (format: 'svg' | 'png') => {
    const svg = frame.current?.querySelector('svg');
    if (svg === null || svg === undefined) return;
    saveFile(format === 'svg' ? chartAsSvg(svg) : await chartAsPng(svg), `chart.${format}`);
  };
  return (
    <section className="chart" aria-label={title}>
      <div className="chart__tools">
        <ChartForm columns={view.columns} choice={choice} onChoose={onChoose} />
        <Button kind="quiet" size="s" icon="download" onPress={() => void save('svg')}>
          {t('chart.save.svg')}
        </Button>
        <Button kind="quiet" size="s" icon="download" onPress={() => void save('png')}>
          {t('chart.save.png')}
        </Button>
      </div>
      <figure className="chart__figure">
        <figcaption className="chart__caption">
          <strong>{title}</strong>
          <span>{data === undefined ? t('chart.working') : t('count.of-loaded-rows', { count: data.rows })}</span>
          {data !== undefined && data.hiddenCategories > 0 ? (
            <span>{t('chart.hidden', { count: data.hiddenCategories })}</span>
          ) : null}
          {note === undefined ? null : <span className="chart__incomplete">{noteText}</span>}
        </figcaption>
        <div ref={frame} className="chart__drawing" aria-hidden="true" />
      </figure>
      {data === undefined ? null : <ChartDataTable view={view} x={x} data={data} labels={labels} title={title} />}
    </section>
  );
}

const nameOf = (view: ResultView, column: number): string => visibleText(view.columns[column]?.name ?? '');

type Drawn = Omit<ChartInput, 'style' | 'width' | 'height'>;

/** Draws the chart into its frame, again for another width or theme. Plot is loaded only here. */
function useDrawnChart(frame: React.RefObject<HTMLDivElement | null>, drawn: Drawn | undefined): void {
  const [appearance, setAppearance] = useState({ width: 0, theme: '' });
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
      frame.current?.replaceChildren(drawChart({ ...drawn, style: readChartStyle(), width, height: HEIGHT }));
    });
    return () => {
      isOver = true;
    };
  }, [drawn?.data, drawn?.note, appearance]);
}

/** Pixels of a picture for each pixel of the chart, so that it is sharp in a document. */
const SCALE = 2;

/** Returns the chart as an SVG file. */
const chartAsSvg = (svg: SVGSVGElement): Blob =>
  new Blob([new XMLSerializer().serializeToString(svg)], { type: 'image/svg+xml' });

/**
 * Returns the chart as a PNG file.
 * @throws Error if the browser cannot draw the chart
 */
async function chartAsPng(svg: SVGSVGElement): Promise<Blob> {
  const url = URL.createObjectURL(chartAsSvg(svg));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = svg.clientWidth * SCALE;
    canvas.height = svg.clientHeight * SCALE;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob(
        (blob) => (blob === null ? reject(new Error('The browser made no picture.')) : resolve(blob)),
        'image/png',
      );
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Reads the colours and the font of the theme, because a saved chart has no style sheet. */
function readChartStyle(): ChartStyle {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    series: read('--color-series-1'),
    text: read('--color-text-muted'),
    grid: read('--color-border'),
    warning: read('--color-warning-text'),
    background: read('--color-surface'),
    font: read('--font-body'),
    fontSize: Number.parseFloat(read('--text-xs')) * Number.parseFloat(style.fontSize),
  };
}

/** Points in the table. The rows themselves are in the grid. */
const POINTS_MAX = 100;

interface ChartDataTableProps {
  readonly view: ResultView;
  /** Column of the horizontal axis. */
  readonly x: number;
  readonly data: ChartData;
  readonly labels: ChartLabels;
  readonly title: string;
}

/** The points of a chart as a table, for screen readers and for exact numbers. */
function ChartDataTable({ view, x: column, data, labels, title }: ChartDataTableProps) {
  const { t, formatNumber } = useTranslation();
  const isTimeAxis = isTime(columnKind(view.columns[column]?.type ?? ''));
  const position = (value: number | string | undefined): string => {
    if (value === undefined) return labels.nothing;
    if (typeof value === 'string') return value;
    return isTimeAxis
      ? new Date(value)
          .toISOString()
          .replace('T', ' ')
          .replace(/\.000Z$|Z$/, '')
      : formatNumber(value);
  };
  const name = ({ x, xEnd }: ChartPoint) => (xEnd === undefined ? position(x) : `${position(x)} – ${position(xEnd)}`);
  const more = data.points.length - POINTS_MAX;
  return (
    <details className="chart-data">
      <summary>{t('chart.data')}</summary>
      <table aria-label={title}>
        <thead>
          <tr>
            <th scope="col">{labels.x}</th>
            <th scope="col">{labels.y}</th>
          </tr>
        </thead>
        <tbody>
          {data.points.slice(0, POINTS_MAX).map((point, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: points of a line may be equal, and never move
            <tr key={index}>
              <th scope="row">
                <bdi>{name(point)}</bdi>
              </th>
              <td>{formatNumber(point.y)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 ? <p>{t('chart.data-more', { count: more })}</p> : null}
    </details>
  );
}
