import { useCallback, useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { cellText } from '../result/cell-text.ts';
import { holdsFirstRows, incompleteNote, type ResultColumn, type ResultView } from '../result/result-view.ts';
import { Button } from '../ui/button.tsx';
import { type ColumnSummary, summarizeColumn } from './column-summary.ts';
import { isTime } from './plot-number.ts';
import { useComputed } from './use-computed.ts';
import './charts.css';

/** Columns that are shown at first, and more with each press. */
const STEP = 30;

/** Smallest, largest and most frequent values of each column of the loaded rows. */
export function ColumnSummaries({ view }: { readonly view: ResultView }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(STEP);
  const columns = view.columns.slice(0, shown);
  const more = view.columns.length - columns.length;
  const note = incompleteNote(view);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a place that scrolls must be reachable by keyboard
    <section className="summaries" tabIndex={0} aria-label={t('summary.label')}>
      <p className="chart__caption">
        <strong>{t('summary.label')}</strong>
        <span>
          {t(holdsFirstRows(view) ? 'count.of-first-rows' : 'count.of-loaded-rows', { count: view.loadedRows })}
        </span>
        {note === undefined ? null : <span className="chart__incomplete">{t(note.key, note.values)}</span>}
      </p>
      <table className="summaries__table">
        <thead>
          <tr>
            <th scope="col">{t('label.column')}</th>
            <th scope="col" className="is-number">
              {t('label.null')}
            </th>
            <th scope="col" className="is-number">
              {t('summary.distinct')}
            </th>
            <th scope="col">{t('summary.min')}</th>
            <th scope="col">{t('summary.max')}</th>
            <th scope="col">{t('summary.values')}</th>
          </tr>
        </thead>
        <tbody>
          {columns.map((column, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a result never change
            <SummaryRow key={index} view={view} column={column} index={index} />
          ))}
        </tbody>
      </table>
      {more > 0 ? (
        <Button kind="quiet" size="s" onPress={() => setShown(shown + STEP)}>
          {t('columns.more', { count: more })}
        </Button>
      ) : null}
    </section>
  );
}

interface SummaryRowProps {
  readonly view: ResultView;
  readonly column: ResultColumn;
  readonly index: number;
}

function SummaryRow({ view, column, index }: SummaryRowProps) {
  const { t } = useTranslation();
  const summarize = useCallback(
    (rows: ResultView, pause: () => Promise<void> | undefined) => summarizeColumn(rows, index, pause),
    [index],
  );
  const summary = useComputed(view, summarize);
  return (
    <tr>
      <th scope="row">
        <bdi className="summaries__name">{valueText(JSON.stringify(column.name))}</bdi>
        <span className="summaries__type">{column.type}</span>
      </th>
      {summary === undefined ? <td colSpan={5}>{t('summary.working')}</td> : <SummaryCells summary={summary} />}
    </tr>
  );
}

function SummaryCells({ summary }: { readonly summary: ColumnSummary }) {
  const { t, formatNumber } = useTranslation();
  const { nulls, distinct, isDistinctExact, min, max } = summary;
  const value = (json: string | undefined) => (json === undefined ? t('label.none') : valueText(json));
  return (
    <>
      <td className="is-number">{formatNumber(nulls)}</td>
      <td className="is-number">
        {isDistinctExact ? formatNumber(distinct) : t('summary.at-least', { count: distinct })}
      </td>
      <td className="is-value">
        <bdi>{value(min)}</bdi>
      </td>
      <td className="is-value">
        <bdi>{value(max)}</bdi>
      </td>
      <td>
        <Histogram summary={summary} />
      </td>
    </>
  );
}

/** Units of the drawing, which is stretched to its space. */
const [WIDTH, HEIGHT] = [100, 24];
const TOP_VALUES = 3;

/** Distribution of a column: bars over its range, or its most frequent values. */
function Histogram({ summary }: { readonly summary: ColumnSummary }) {
  const { t, formatNumber } = useTranslation();
  const { histogram, top, kind } = summary;
  if (histogram.length > 1) {
    const position = (value: number) =>
      isTime(kind) ? new Date(value).toISOString().slice(0, 16).replace('T', ' ') : formatNumber(value);
    const highest = histogram.reduce((max, { count }) => Math.max(max, count), 1);
    const width = WIDTH / histogram.length;
    const text = histogram.map(({ from, to, count }) =>
      t('summary.bin', { from: position(from), to: position(to), count }),
    );
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

const VALUE_CHARACTERS = 40;

/** Returns a value as a short string, with signs for characters that are invisible. */
function valueText(json: string): string {
  const cell = cellText(json, VALUE_CHARACTERS);
  if (cell.kind !== 'text') return cell.kind === 'null' ? 'NULL' : '""';
  const text = cell.parts.map((part) => part.text).join('');
  return cell.isShortened ? `${text}…` : text;
}
