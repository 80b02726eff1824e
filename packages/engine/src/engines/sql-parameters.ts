import type { ProblemDetail, SqlLocation } from '@sluice/contract';
import { duckDbParameterMarks } from '../duckdb/parameters/parameter-marks.ts';
import { locationAt, type ParameterMark } from '../parameter-mark.ts';
import { trinoParameterMarks } from '../trino/parameters/parameter-marks.ts';
import type { EngineSpec } from './engine-spec.ts';

const MARKS = { duckdb: duckDbParameterMarks, trino: trinoParameterMarks } as const satisfies Record<
  EngineSpec['kind'],
  (sql: string) => readonly ParameterMark[]
>;

/** Parameters that a statement names. */
export interface SqlParameters {
  /** Distinct names, in the order of their first use. */
  readonly names: readonly string[];
  /** A detail per mark that is not of the form `$name`, such as `$1` and `?`. */
  readonly problems: readonly ProblemDetail[];
  /** Returns where a name is first used. */
  locationOf(name: string): SqlLocation | undefined;
}

const MAY_HAVE_MARKS = /[$?]/;

/** Finds the parameters of a statement by the lexer of its engine: never in a string, a quoted name or a comment. */
export function findSqlParameters({ kind }: Pick<EngineSpec, 'kind'>, sql: string): SqlParameters {
  const marks = MAY_HAVE_MARKS.test(sql) ? MARKS[kind](sql) : [];
  const first = new Map<string, number>();
  const problems: ProblemDetail[] = [];
  for (const mark of marks) {
    if (mark.name === undefined) problems.push({ path: 'body.sql', message: formProblem(sql, mark) });
    else if (!first.has(mark.name)) first.set(mark.name, mark.start);
  }
  return {
    names: [...first.keys()],
    problems,
    locationOf: (name) => {
      const start = first.get(name);
      return start === undefined ? undefined : locationAt(sql, start);
    },
  };
}

const TEXT_CHARACTERS_MAX = 40;

function formProblem(sql: string, { start, end }: ParameterMark): string {
  const text = sql.slice(start, Math.min(end, start + TEXT_CHARACTERS_MAX));
  const { line, column } = locationAt(sql, start);
  return `has ${text} at line ${line}, column ${column}: write a parameter as $name, with at most 128 of a-z, 0-9 and _, and no digit first`;
}
