import type { QueryParameter } from '@sluice/contract';
import { ProblemError } from '@sluice/contract/problems';
import { atPreviousLine } from '../guard/previous-line.ts';
import { trinoParameterMarks } from './parameter-marks.ts';
import { trinoLiteral } from './value-literal.ts';

interface BoundStatement {
  /** The caller's text with `?` instead of each `$name`, padded to the same length: this is what the guard checks. */
  readonly text: string;
  /** Returns the statement to send for the checked text, which begins as `text` does. */
  executable(checked: string): string;
  withCallerLocation(thrown: unknown): unknown;
}

/**
 * Binds the values of a statement's parameters. Trino's protocol has no channel for values, so the statement is run by EXECUTE
 * IMMEDIATE with one literal per mark. Without parameters the text is sent as it is.
 */
export function bindStatement(sql: string, parameters: readonly QueryParameter[] = []): BoundStatement {
  const marks = trinoParameterMarks(sql);
  if (parameters.length === 0 && marks.length === 0)
    return { text: sql, executable: (checked) => checked, withCallerLocation: (thrown) => thrown };
  const byName = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  const bound = marks.map(({ name, start, end }) => {
    const parameter = name === undefined ? undefined : byName.get(name);
    if (parameter === undefined) throw withoutValue(sql.slice(start, end));
    return { start, end, literal: trinoLiteral(parameter) };
  });
  return {
    text: withMarks(sql, bound),
    // A line feed before the text keeps its columns; without it they would depend on the length of EXECUTE IMMEDIATE.
    executable: (checked) =>
      `EXECUTE IMMEDIATE '\n${checked.replaceAll("'", "''")}' USING ${bound.map(({ literal }) => literal).join(', ')}`,
    withCallerLocation: atPreviousLine,
  };
}

const withoutValue = (mark: string): ProblemError =>
  new ProblemError(
    'not_supported',
    `The parameter ${mark} has no value. Write each parameter as $name and send its value.`,
  );

function withMarks(sql: string, marks: readonly { readonly start: number; readonly end: number }[]): string {
  const pieces: string[] = [];
  let position = 0;
  for (const { start, end } of marks) {
    pieces.push(sql.slice(position, start), '?'.padEnd(end - start));
    position = end;
  }
  return `${pieces.join('')}${sql.slice(position)}`;
}
