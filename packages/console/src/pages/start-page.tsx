import { type SqlDialect, sqlName } from '@sluice/contract/sql';
import type { CatalogReader } from '../catalog/catalog-reader.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { Failure } from '../ui/failure.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { useStartQueries } from './start-queries.ts';
import { selectOf } from './tables-beside.tsx';
import './start-page.css';

/** A statement may have 256 KiB, and has one line here. */
const SHOWN_CHARACTERS = 200;

interface StartPageProps {
  readonly catalog: CatalogReader;
  readonly dialect: SqlDialect;
  /** Writes a statement into the empty tab. It does not run by itself. */
  readonly onOpen: (sql: string) => void;
  /** Opens a saved query in a tab of its own. */
  readonly onOpenSaved: (id: string) => void;
}

/** Beginnings for an empty tab: examples, the last queries, drafts, and tables that are in use. */
export function StartPage({ catalog, dialect, onOpen, onOpenSaved }: StartPageProps) {
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
          onOpen={({ sql }) => onOpen(sql)}
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
          onOpen={({ sql }) => onOpen(sql)}
          entries={(recent.data ?? []).map(({ sql, started_ts: started, limited, rows }) => {
            const state = t(limited ? 'query-state.limited' : 'query-state.FINISHED');
            return { sql, text: t('history.facts', { time: formatTime(started), state, count: rows }) };
          })}
        />
        <StartList
          title={t('saved.title')}
          onOpen={({ id }) => id !== undefined && onOpenSaved(id)}
          entries={(saved.data?.data ?? []).flatMap(
            ({
              id,
              datamap: {
                display_name: text,
                advanced_mode: { sql },
              },
            }) => (sql === null ? [] : [{ id, sql, text }]),
          )}
        />
        <StartList
          title={t('start.tables')}
          onOpen={({ sql }) => onOpen(sql)}
          entries={(tables.data?.used ?? []).map((path) => ({
            sql: selectOf(path.map(sqlName).join('.')),
            text: path.join('.'),
          }))}
        />
      </div>
    </section>
  );
}

interface StartEntry {
  readonly sql: string;
  readonly text: string;
  /** Id of a saved query. */
  readonly id?: string;
}

interface StartListProps {
  readonly title: string;
  readonly entries: readonly StartEntry[];
  readonly onOpen: (entry: StartEntry) => void;
}

/** List of statements to go on with. Renders nothing without one. */
function StartList({ title, entries, onOpen }: StartListProps) {
  if (entries.length === 0) return null;
  return (
    <div className="start-page__list">
      <h2 className="start-page__title">{title}</h2>
      <ul aria-label={title}>
        {entries.map((entry) => (
          <li key={entry.id ?? `${entry.text} ${entry.sql}`}>
            <button type="button" className="start-page__entry" onClick={() => onOpen(entry)}>
              <code className="start-page__sql">
                <VisibleText text={entry.sql.slice(0, SHOWN_CHARACTERS)} lines="join" />
              </code>
              <span className="start-page__facts">
                <VisibleText text={entry.text} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
