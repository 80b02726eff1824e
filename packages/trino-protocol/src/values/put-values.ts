import { SQL_BYTES_MAX } from '@sluice/contract';
import { lexSql, lexTrinoSql, parameterMarks } from '@sluice/engine';
import { type ErrorLocation, TrinoError } from '../trino-error.ts';
import { duckDbValue } from './duckdb-value.ts';
import { digitsOf, type GivenValue, trinoValue } from './read-values.ts';

export type EngineKind = 'duckdb' | 'trino';

/** Text for a place in SQL. `isCount`: the grammar takes only a number there, without a type: LIMIT, OFFSET, FETCH FIRST. */
type ValueAt = (index: number, isCount: boolean) => string;

/** Words after which Trino's grammar takes digits or a mark only. */
const BEFORE_COUNTS: ReadonlySet<string> = new Set(['LIMIT', 'OFFSET', 'FIRST', 'NEXT']);

/** Characters next to which a value may stand without a blank between. */
const SEPARATES = /[\s(),;[\]]/;

interface Mark {
  readonly start: number;
  readonly end: number;
  readonly isCount: boolean;
}

interface PutOptions {
  readonly engine: EngineKind;
  /** Position that an error has for another number of values than marks. */
  readonly location?: ErrorLocation;
}

/** Returns the number of marks `?` of a statement. */
export const countMarks = (sql: string, engine: EngineKind): number => marksOf(sql, engine).length;

/**
 * Returns a statement with the given values in place of its marks `?`. The lexer of the engine finds them, so never in a string, a quoted name or
 * a comment, and everything else stays as it is. On DuckDB the values keep the meaning that they have in Trino.
 * Throws INVALID_PARAMETER_USAGE for another number of values than marks, and NOT_SUPPORTED for a value that DuckDB cannot hold.
 */
export function putValues(sql: string, values: readonly GivenValue[], { engine, location }: PutOptions): string {
  const marks = marksOf(sql, engine);
  if (marks.length !== values.length) throw wrongNumber(marks.length, values.length, location);
  const text = replaceMarks(sql, marks, (index, isCount) => {
    const value = values[index] as GivenValue;
    const digits = isCount ? digitsOf(value) : undefined;
    return digits ?? (engine === 'duckdb' ? duckDbValue(value.text) : trinoValue(value));
  });
  if (Buffer.byteLength(text) > SQL_BYTES_MAX)
    throw new TrinoError(
      'QUERY_TEXT_TOO_LARGE',
      `The statement with its values must have at most ${SQL_BYTES_MAX} bytes of UTF-8.`,
    );
  return text;
}

/** Throws INVALID_PARAMETER_USAGE for a statement with parameters, which no EXECUTE has given values. Those of DuckDB have a name: `$name`. */
export function checkNoMarks(sql: string, { engine, location }: PutOptions): void {
  if (!/[?$]/.test(sql)) return;
  const { length } = parameterMarks({ kind: engine }, sql);
  if (length > 0) throw wrongNumber(length, 0, location);
}

const wrongNumber = (expected: number, found: number, location: ErrorLocation | undefined): TrinoError =>
  new TrinoError(
    'INVALID_PARAMETER_USAGE',
    `Incorrect number of parameters: expected ${expected} but found ${found}.`,
    location,
  );

/** Returns a statement that has the columns of the given one, with NULL in place of its marks. */
export const withoutValues = (sql: string, engine: EngineKind): string =>
  replaceMarks(sql, marksOf(sql, engine), (_index, isCount) => (isCount ? '1' : 'NULL'));

function replaceMarks(sql: string, marks: readonly Mark[], valueAt: ValueAt): string {
  const pieces: string[] = [];
  let position = 0;
  for (const [index, { start, end, isCount }] of marks.entries()) {
    pieces.push(sql.slice(position, start), blankBetween(sql[start - 1]));
    pieces.push(valueAt(index, isCount), blankBetween(sql[end]));
    position = end;
  }
  return `${pieces.join('')}${sql.slice(position)}`;
}

const blankBetween = (neighbour: string | undefined): string =>
  neighbour === undefined || SEPARATES.test(neighbour) ? '' : ' ';

function marksOf(sql: string, engine: EngineKind): readonly Mark[] {
  if (!sql.includes('?')) return [];
  const marks = parameterMarks({ kind: engine }, sql).filter(({ start }) => sql[start] === '?');
  const starts = new Set(marks.map(({ start }) => start));
  const counts = new Set<number>();
  let before = '';
  for (const { kind, text, start } of engine === 'duckdb' ? lexSql(sql) : lexTrinoSql(sql)) {
    if (starts.has(start) && BEFORE_COUNTS.has(before)) counts.add(start);
    before = kind === 'word' ? text : '';
  }
  return marks.map(({ start, end }) => ({ start, end, isCount: counts.has(start) }));
}
