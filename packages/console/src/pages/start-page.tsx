import { type SqlDialect, sqlName } from '@sluice/contract/sql';
import type { CompletionCatalog } from '../editor/completion/completion-catalog.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Failure } from '../ui/failure.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { useStartQueries } from './start-queries.ts';
import { selectOf } from './tables-beside.tsx';
import './start-page.css';

/** A statement may have 256 KiB, and has one line here. */
const SHOWN_CHARACTERS = 200;

interface StartPageProps {
  readonly catalog: CompletionCatalog;
  readonly dialect: SqlDialect;
  /** Writes a statement into the empty tab. It does not run by itself. */
  readonly onOpen: (sql: string) => void;
}

/** Beginnings for an empty tab: examples, the last queries, drafts, and tables that are in use. */
export function StartPage({ catalog, dialect, onOpen }: StartPageProps) {
  const { t, formatTime } = useTranslation();
  const { recent, saved, tables } = useStartQueries(catalog, dialect);
  const failed = [recent, saved, tables].find(({ isError }) => isError);
  const examples = tables.data?.examples;
  return (
    <section className="start-page" aria-label={t('start.title')}>
      <p className="start-page__hint">{t('start.hint')}</p>
      <Failure error={failed?.error} onRetry={failed?.refetch} />
      <div className="start-page__lists">
        <StartList
          title={t('start.examples')}
          onOpen={onOpen}
          entries={
            examples === undefined
              ? []
              : [
                  { sql: examples.rows, text: t('start.example.rows', { table: examples.table }) },
                  { sql: examples.count, text: t('start.example.count', { table: examples.table }) },
                ]
          }
        />
        <StartList
          title={t('start.recent')}
          onOpen={onOpen}
          entries={(recent.data ?? []).map(({ sql, started_ts: started, limited, rows }) => {
            const state = t(limited ? 'query-state.limited' : 'query-state.FINISHED');
            return { sql, text: t('history.facts', { time: formatTime(started), state, count: rows }) };
          })}
        />
        <StartList
          title={t('search.kind.draft')}
          onOpen={onOpen}
          entries={(saved.data?.data ?? []).flatMap(
            ({
              datamap: {
                display_name: text,
                advanced_mode: { sql },
              },
            }) => (sql === null ? [] : [{ sql, text }]),
          )}
        />
        <StartList
          title={t('start.tables')}
          onOpen={onOpen}
          entries={(tables.data?.used ?? []).map((path) => ({
            sql: selectOf(path.map(sqlName).join('.')),
            text: path.join('.'),
          }))}
        />
      </div>
    </section>
  );
}

interface StartListProps {
  readonly title: string;
  readonly entries: readonly { readonly sql: string; readonly text: string }[];
  readonly onOpen: (sql: string) => void;
}

/** List of statements to go on with. Renders nothing without one. */
function StartList({ title, entries, onOpen }: StartListProps) {
  if (entries.length === 0) return null;
  return (
    <div className="start-page__list">
      <h2 className="start-page__title">{title}</h2>
      <ul aria-label={title}>
        {entries.map(({ sql, text }) => (
          <li key={`${text} ${sql}`}>
            <button type="button" className="start-page__entry" onClick={() => onOpen(sql)}>
              <code className="start-page__sql">
                <VisibleText text={sql.slice(0, SHOWN_CHARACTERS).replace(/\s+/g, ' ')} />
              </code>
              <span className="start-page__facts">
                <VisibleText text={text} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
