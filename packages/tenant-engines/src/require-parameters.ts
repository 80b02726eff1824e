import { DETAILS_MAX, invalidRequest, limitDetails, type ProblemDetail, type QueryParameter } from '@sluice/contract';
import { type EngineSpec, findSqlParameters } from '@sluice/engine';

interface ParameterizedStatement {
  readonly sql: string;
  readonly parameters?: readonly QueryParameter[] | undefined;
}

const FORM = 'write a parameter as $name, with at most 128 of a-z, 0-9 and _, and no digit first';

/**
 * Requires a value for each parameter that a statement names, and no other value. Throws `invalid_request` with a detail per missing or
 * unused parameter, and per mark that is not of the form `$name`.
 */
export function requireParameters(engine: EngineSpec, { sql, parameters = [] }: ParameterizedStatement): void {
  const { names, others } = findSqlParameters(engine, sql);
  const given = new Set(parameters.map(({ name }) => name));
  const missing = [...names].filter(([name]) => !given.has(name));
  const unused = [...given].filter((name) => !names.has(name));
  const count = others.length + missing.length + unused.length;
  if (count === 0) return;
  const details: readonly ProblemDetail[] = [
    ...others.slice(0, DETAILS_MAX).map(({ text, location: { line, column } }) => ({
      path: 'body.sql',
      message: `has ${text} at line ${line}, column ${column}: ${FORM}`,
    })),
    ...missing.slice(0, DETAILS_MAX).map(([name, { location }]) => ({
      path: `body.parameters.${name}`,
      message: `is missing: the SQL names $${name} at line ${location.line}, column ${location.column}`,
    })),
    ...unused.map((name) => ({
      path: `body.parameters.${name}`,
      message: `is not used: the SQL does not name $${name} outside string literals and comments`,
    })),
  ];
  throw invalidRequest(limitDetails(details, count));
}
