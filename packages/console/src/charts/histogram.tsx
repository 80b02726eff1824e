import { useTranslation } from '../i18n/translate.tsx';
import type { ColumnSummary } from './column-summary.ts';
import { isTime } from './plot-number.ts';
import { valueText } from './value-text.ts';

/** Units of the drawing, which is stretched to its place. */
const [WIDTH, HEIGHT] = [100, 24];
const TOP_VALUES = 3;

/** Distribution of a column: bars over its range, or its most frequent values. */
export function Histogram({ summary }: { readonly summary: ColumnSummary }) {
  const { t, formatNumber } = useTranslation();
  const { histogram, top, kind } = summary;
  if (histogram.length > 1) {
    const place = (value: number) =>
      isTime(kind) ? new Date(value).toISOString().slice(0, 16).replace('T', ' ') : formatNumber(value);
    const highest = histogram.reduce((max, { count }) => Math.max(max, count), 1);
    const width = WIDTH / histogram.length;
    const text = histogram.map(({ from, to, count }) => t('summary.bin', { from: place(from), to: place(to), count }));
    return (
      <svg className="histogram" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img">
        <title>{text.join('\n')}</title>
        {histogram.map(({ from, count }, bin) => {
          // One row among a million is still visible.
          const height = count === 0 ? 0 : Math.max(1, (count / highest) * HEIGHT);
          return <rect key={from} x={bin * width} y={HEIGHT - height} width={width * 0.9} height={height} />;
        })}
      </svg>
    );
  }
  return (
    <ul className="top-values">
      {top.slice(0, TOP_VALUES).map(({ json, count }) => (
        <li key={json}>
          <bdi>{t('summary.top', { value: valueText(json), count })}</bdi>
        </li>
      ))}
    </ul>
  );
}
