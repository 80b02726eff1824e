import { TIME_LIMITS, TIME_ZONE_PROPERTY } from '../session/session-properties.ts';
import type { EngineKind } from '../values/put-values.ts';
import { hasRows } from './answers.ts';
import { likePattern } from './like-pattern.ts';
import type { StatementKind } from './statement-kind.ts';

const COLUMNS = ['Name', 'Value', 'Default', 'Type', 'Description'].map((name) => ({ name, type: 'varchar' }));

const DIALECTS: Readonly<Record<EngineKind, string>> = {
  duckdb: 'SQL of DuckDB, with the values of parameters as in Trino.',
  trino: 'SQL of Trino.',
};
const NO_EFFECT = 'Accepted without effect.';

/** SHOW SESSION: the properties that act, and that others do not. Other statements begin with SHOW too. */
export const readShowSession: StatementKind = (reader, { session, engine }) => {
  if (!reader.take('SHOW', 'SESSION')) return undefined;
  const pattern = reader.take('LIKE') ? reader.string() : undefined;
  const escapeWith = pattern !== undefined && reader.take('ESCAPE') ? reader.string() : undefined;
  reader.end();
  const acting = [
    ...TIME_LIMITS.map((name) => [name, "The query ends with an error after this time, such as '5s'."] as const),
    [TIME_ZONE_PROPERTY, 'Time zone of the session, set by SET TIME ZONE.'] as const,
  ];
  const others = [...session.properties.keys()].filter((name) => acting.every(([known]) => known !== name));
  const rows = [
    ['sluice_dialect', engine, engine, 'varchar', DIALECTS[engine]],
    ...acting.map(([name, description]) => rowOf(name, session.properties.get(name), description)),
    ...others.map((name) => rowOf(name, session.properties.get(name), NO_EFFECT)),
  ];
  const matches = pattern === undefined ? () => true : likePattern(pattern, escapeWith);
  return hasRows({
    columns: COLUMNS,
    rows: rows.filter(([name = '']) => matches(name)).sort(([one = ''], [other = '']) => (one < other ? -1 : 1)),
  });
};

const rowOf = (name: string, value: string | undefined, description: string): readonly string[] => [
  name,
  value ?? '',
  '',
  'varchar',
  description,
];
