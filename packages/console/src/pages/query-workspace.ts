import type { SqlDialect, TextRange } from '@sluice/contract/sql';
import { useEffect, useMemo, useState } from 'react';
import { useClient } from '../api/use-client.ts';
import { CatalogReader } from '../catalog/catalog-reader.ts';
import type { DatamapSource } from '../datamaps/save-datamap-dialog.tsx';
import type { DraftStore } from '../editor/drafts/draft-store.ts';
import { findParameters, NO_PARAMETERS, type TextParameters } from '../editor/parameters/find-parameters.ts';
import { type ParameterEntry, readEntry, type TypedValue } from '../editor/parameters/parameter-entry.ts';
import { readPermalink } from '../editor/sql/permalink.ts';
import { useTranslation } from '../i18n/translate.tsx';
import type { TextPosition } from '../run/run-problem.tsx';
import { notify } from '../ui/notifications.tsx';

/** Longest text whose parameters are listed. A statement has at most 256 KiB. */
const PARAMETER_TEXT_MAX = 1_000_000;

/** Largest statement that the host accepts, in bytes of UTF-8 (SQL_BYTES_MAX of the contract). */
const SQL_BYTES_MAX = 262_144;

/** A statement that is saved as a datamap. */
export interface StatementToSave {
  readonly source: DatamapSource;
  readonly statement: TextRange;
  /** Start of the statement in the text of its tab. */
  readonly start: TextPosition;
}

/** Returns line and column of a position; a column is a character of Unicode. */
export function positionAt(text: string, position: number): TextPosition {
  const lines = text.slice(0, position).split(/\r\n|\r|\n/);
  return { line: lines.length, column: [...(lines.at(-1) ?? '')].length + 1 };
}

/** Returns whether a statement is longer than the host accepts (SQL_BYTES_MAX). */
export const isTooLong = (sql: string): boolean =>
  sql.length > SQL_BYTES_MAX || new TextEncoder().encode(sql).length > SQL_BYTES_MAX;

/** Returns the catalog of the user, and the dialect of the engine behind it. DuckDB until the host has said so. */
export function useCatalog(): { readonly catalog: CatalogReader; readonly dialect: SqlDialect } {
  const client = useClient();
  const [dialect, setDialect] = useState<SqlDialect>('duckdb');
  const catalog = useMemo(() => new CatalogReader(client), [client]);
  useEffect(() => {
    let isLeft = false;
    catalog
      .below([], '')
      .then((catalogs) => {
        if (!isLeft) setDialect(catalogs?.names[0]?.vendorName === 'Trino' ? 'trino' : 'duckdb');
      })
      // Without the catalog, the editor works with the words of the dialect.
      .catch(() => undefined);
    return () => {
      isLeft = true;
    };
  }, [catalog]);
  return { catalog, dialect };
}

/** Returns the parameters of the SQL. */
export const parametersOf = (text: string, dialect: SqlDialect): TextParameters =>
  text.length > PARAMETER_TEXT_MAX ? NO_PARAMETERS : findParameters(text, dialect);

/** Returns the values of the parameters that a statement has, or the names of those without a valid one. */
export function valuesFor(
  sql: string,
  dialect: SqlDialect,
  entries: Readonly<Record<string, ParameterEntry>>,
): { readonly values: Readonly<Record<string, TypedValue>> } | { readonly missing: readonly string[] } {
  const { names } = findParameters(sql, dialect);
  const read = names.map((name) => {
    const entry = entries[name];
    return [name, entry === undefined ? undefined : readEntry(entry)] as const;
  });
  const missing = read.flatMap(([name, value]) => (value === undefined ? [name] : []));
  const values = Object.fromEntries(read.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  return missing.length > 0 ? { missing } : { values };
}

/** Opens the SQL of the address in a new tab. It is never run: the user reads it first. */
export function usePermalink(store: DraftStore, isLoaded: boolean): void {
  const { t } = useTranslation();
  useEffect(() => {
    if (!isLoaded) return;
    const open = (): void => {
      const link = readPermalink(location.hash);
      if (link === undefined) return;
      history.replaceState(history.state, '', `${location.pathname}${location.search}`);
      if ('problem' in link) notify({ tone: 'danger', text: t(`editor.link.${link.problem}`) });
      else {
        store.create(link.sql);
        notify({ text: t('editor.link.opened') });
      }
    };
    open();
    window.addEventListener('hashchange', open);
    return () => window.removeEventListener('hashchange', open);
  }, [store, isLoaded, t]);
}
