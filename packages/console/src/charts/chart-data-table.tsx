import { useTranslation } from '../i18n/translate.tsx';
import { columnKind } from '../result/column-kind.ts';
import type { ResultColumn } from '../result/result-view.ts';
import type { ChartData, ChartLabels, ChartPoint } from './chart-kind.ts';
import { isTime } from './plot-number.ts';

/** Points in the table. The rows themselves are in the grid. */
const POINTS_MAX = 100;

/** Returns a function that writes where a point is on the horizontal axis. */
export function usePositionText(column: ResultColumn | undefined, nothing: string): (point: ChartPoint) => string {
  const { formatNumber } = useTranslation();
  const isTimeAxis = isTime(columnKind(column?.type ?? ''));
  const position = (value: number | string | undefined): string => {
    if (value === undefined) return nothing;
    if (typeof value === 'string') return value;
    return isTimeAxis
      ? new Date(value)
          .toISOString()
          .replace('T', ' ')
          .replace(/\.000Z$|Z$/, '')
      : formatNumber(value);
  };
  return ({ x, xEnd }) => (xEnd === undefined ? position(x) : `${position(x)} – ${position(xEnd)}`);
}

interface ChartDataTableProps {
  readonly data: ChartData;
  readonly labels: ChartLabels;
  readonly title: string;
  readonly positionOf: (point: ChartPoint) => string;
}

/** The points of a chart as a table, for screen readers and for exact numbers. */
export function ChartDataTable({ data, labels, title, positionOf }: ChartDataTableProps) {
  const { t, formatNumber } = useTranslation();
  const hasSeries = data.series.length > 1;
  const more = data.points.length - POINTS_MAX;
  return (
    <details className="chart-data">
      <summary>{t('chart.data')}</summary>
      <table aria-label={title}>
        <thead>
          <tr>
            <th scope="col">{labels.x}</th>
            {hasSeries && <th scope="col">{t('chart.series')}</th>}
            <th scope="col">{labels.y}</th>
          </tr>
        </thead>
        <tbody>
          {data.points.slice(0, POINTS_MAX).map((point, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: points of a line may be equal, and never move
            <tr key={index}>
              <th scope="row">
                <bdi>{positionOf(point)}</bdi>
              </th>
              {hasSeries && (
                <td>
                  <bdi>{data.series[point.series] ?? labels.nothing}</bdi>
                </td>
              )}
              <td>{formatNumber(point.y)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 ? <p>{t('chart.data-more', { count: more })}</p> : null}
    </details>
  );
}
