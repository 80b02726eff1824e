import { useTranslation } from '../../i18n/translate.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import type { FailedRow } from './failed-rows.ts';

/** Rows that are listed. The others are counted. */
const LISTED_MAX = 50;

/** List of the rows to correct: for each, the reason and its line in the text and in the file. */
export function FailedRowsList({ rows }: { readonly rows: readonly FailedRow[] }) {
  const { t, formatNumber } = useTranslation();
  const listed = rows.slice(0, LISTED_MAX);
  return (
    <section className="metadata-import__violations" aria-label={t('import.corrected')}>
      <p className="metadata-import__title" role="status">
        {t('import.corrected.count', { count: rows.length })}
      </p>
      <ul>
        {listed.map(({ line, fileLine, reason }) => (
          <li key={line}>
            <VisibleText
              text={t('import.corrected.row', {
                line: formatNumber(line),
                fileLine: formatNumber(fileLine),
                reason: reason ?? t('import.why.missing'),
              })}
            />
          </li>
        ))}
      </ul>
      {listed.length < rows.length && (
        <p className="metadata-import__about">
          {t('import.first', { shown: formatNumber(listed.length), total: formatNumber(rows.length) })}
        </p>
      )}
    </section>
  );
}
