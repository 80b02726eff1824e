import type { SqlLocation } from '@sluice/contract';

/** A place in SQL where a value is to be put. */
export interface ParameterMark {
  /** Name without the dollar sign; undefined: the mark is not of the form `$name`, such as `$1` or `?`. */
  readonly name: string | undefined;
  readonly start: number;
  readonly end: number;
}

const NAME = /^[a-z_][a-z0-9_]{0,127}$/;

/** Returns the mark that a dollar sign at `start` and the token after it make, which ends at `end`. */
export function dollarMark(sql: string, start: number, end: number): ParameterMark {
  const name = sql.slice(start + 1, end);
  return { name: NAME.test(name) ? name : undefined, start, end };
}

/** Returns line and column of a position, which start at 1. A column is a character of Unicode. */
export function locationAt(sql: string, position: number): SqlLocation {
  const lines = sql.slice(0, position).split(/\r\n|\r|\n/);
  return { line: lines.length, column: [...(lines.at(-1) ?? '')].length + 1 };
}
