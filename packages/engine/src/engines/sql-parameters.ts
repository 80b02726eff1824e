import type { SqlLocation } from '@sluice/contract';
import { locationAt } from '../parameter-mark.ts';
import { type EngineSpec, parameterMarks } from './engine-kinds.ts';

/** A position in a statement. Its line and column are computed when it is read: a statement may have 100,000 of them. */
interface SqlPosition {
  readonly text: string;
  readonly location: SqlLocation;
}

/** Parameters that a statement names. */
export interface SqlParameters {
  /** First use of each name, in order. */
  readonly names: ReadonlyMap<string, SqlPosition>;
  /** Marks that are not of the form `$name`, such as `$1` and `?`. */
  readonly others: readonly SqlPosition[];
}

const MAY_HAVE_MARKS = /[$?]/;
const TEXT_CHARACTERS_MAX = 40;

/** Finds the parameters of a statement by the lexer of its engine: never in a string, a quoted name or a comment. */
export function findSqlParameters(engine: Pick<EngineSpec, 'kind'>, sql: string): SqlParameters {
  const names = new Map<string, SqlPosition>();
  const others: SqlPosition[] = [];
  for (const { name, start, end } of MAY_HAVE_MARKS.test(sql) ? parameterMarks(engine, sql) : []) {
    const position: SqlPosition = {
      get text() {
        return sql.slice(start, Math.min(end, start + TEXT_CHARACTERS_MAX));
      },
      get location() {
        return locationAt(sql, start);
      },
    };
    if (name === undefined) others.push(position);
    else if (!names.has(name)) names.set(name, position);
  }
  return { names, others };
}
