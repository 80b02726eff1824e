import { useTranslation } from '../i18n/translate.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import type { KeptResult } from './use-kept-result.ts';
import './result-facts.css';

/** Facts about a kept result: its account and time, its end, and its size. */
export function ResultFacts({ result }: { readonly result: KeptResult }) {
  const { t, formatTime, formatNumber } = useTranslation();
  const { ran_by: ranBy, as_of: asOf, expires_ts: until, rows, limited, time_zone: zone, columns } = result;
  const facts = [
    { term: t('kept.ran-by'), value: <VisibleText text={ranBy} /> },
    { term: t('kept.ran-at'), value: formatTime(asOf) },
    { term: t('kept.kept-until'), value: formatTime(until) },
    { term: t('label.rows'), value: limited ? t('kept.rows-limited', { count: rows }) : formatNumber(rows) },
    { term: t('result.view.columns'), value: formatNumber(columns.length) },
    { term: t('downloads.dialog.zone'), value: zone },
  ];
  return (
    <dl className="result-facts">
      {facts.map(({ term, value }) => (
        <div key={term} className="result-facts__one">
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
