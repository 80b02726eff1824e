import { useTranslation } from '../i18n/translate.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import './datamap.css';

/** Statement of a datamap, to read. Null: it has none. */
export function DatamapSql({ sql }: { readonly sql: string | null }) {
  const { t } = useTranslation();
  if (sql === null) return <p className="datamap-reads__none">{t('datamap.no-statement')}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <section className="datamap-sql" tabIndex={0} aria-label={t('label.statement')}>
      <pre>
        <VisibleText text={sql} lines="keep" />
      </pre>
    </section>
  );
}
