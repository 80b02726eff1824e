import type { ParameterValue } from '@sluice/client';
import { SqlScanner } from '@sluice/contract/sql';
import { UsageError } from '../errors.ts';
import { parseParameters } from '../statement/parse-parameters.ts';
import type { ShellState } from './shell-state.ts';

/** `name value`, or `name:type value`. */
const SPACED = /^(\w+(?::[^\s=]+)?)\s+(\S.*)$/s;
/** `name=value` as for `--param`; a type may have spaces then. */
const NAMED = /^\w+(?::[^=]+)?=/;
/** A string as SQL writes it. */
const QUOTED = /^'((?:[^']|'')*)'$/s;

/** Splits the argument of `\set`: the name, perhaps with a type, and the value as it was written. */
function splitArgument(argument: string): readonly [name: string, text: string] {
  const [, name, text = ''] = SPACED.exec(argument) ?? [];
  if (name !== undefined) return [name, text];
  if (NAMED.test(argument))
    return [argument.slice(0, argument.indexOf('=')), argument.slice(argument.indexOf('=') + 1)];
  throw new UsageError('Write \\set NAME VALUE, such as \\set airport SFO or \\set day:date 2010-01-31.');
}

/**
 * Sets the parameter of `\set name value`.
 * @throws UsageError if the name or value is not valid
 */
export function setParameter({ parameters }: ShellState, argument: string): void {
  const [named, text] = splitArgument(argument);
  const [, type = ''] = named.split(':');
  const quoted = QUOTED.exec(text)?.[1];
  const option = quoted === undefined ? text : JSON.stringify(quoted.replaceAll("''", "'"));
  for (const [name, value] of Object.entries(parseParameters([`${named}=${option}`], '\\set') ?? {}))
    parameters.set(name, { type, text, value });
}

/** Returns the values of the parameters that a statement names, because a host rejects others. Undefined: it names none. */
export function parametersOf(
  { parameters }: ShellState,
  sql: string,
): Readonly<Record<string, ParameterValue>> | undefined {
  const used: [string, ParameterValue][] = [];
  // As in `splitStatement`, SQL is read as DuckDB does.
  const scanner = new SqlScanner(sql, 'duckdb');
  while (scanner.next()) {
    const name = scanner.kind === 'parameter' ? scanner.text.slice(1) : '';
    const found = parameters.get(name);
    if (found !== undefined) used.push([name, found.value]);
  }
  return used.length === 0 ? undefined : Object.fromEntries(used);
}
