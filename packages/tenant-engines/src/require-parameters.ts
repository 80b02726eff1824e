import { type ProblemDetail, ProblemError, type QueryParameter } from '@sluice/contract';
import { type EngineSpec, findSqlParameters, type SqlParameters } from '@sluice/engine';

interface ParameterizedStatement {
  readonly sql: string;
  readonly parameters?: readonly QueryParameter[] | undefined;
}

/**
 * Requires a value for each parameter that a statement names, and no other value. Throws `invalid_request` with a detail per missing or
 * unused parameter, and per mark that is not of the form `$name`.
 */
export function requireParameters(engine: EngineSpec, { sql, parameters = [] }: ParameterizedStatement): void {
  const used = findSqlParameters(engine, sql);
  const given = new Set(parameters.map(({ name }) => name));
  const missing = used.names.filter((name) => !given.has(name)).map((name) => missingDetail(used, name));
  const isUsed = new Set(used.names);
  const unused = [...given].filter((name) => !isUsed.has(name)).map(unusedDetail);
  const details = [...used.problems, ...missing, ...unused];
  const [first] = details;
  if (first === undefined) return;
  const shown = details.slice(0, DETAILS_MAX);
  const more = details.length - shown.length;
  throw new ProblemError('invalid_request', `The request is not valid: ${first.path}: ${first.message}.`, {
    details: more > 0 ? [...shown, { path: 'request', message: `has ${more} more violations` }] : shown,
  });
}

const DETAILS_MAX = 100;

function missingDetail(used: SqlParameters, name: string): ProblemDetail {
  const { line, column } = used.locationOf(name) ?? { line: 1, column: 1 };
  return {
    path: `body.parameters.${name}`,
    message: `is missing: the SQL names $${name} at line ${line}, column ${column}`,
  };
}

const unusedDetail = (name: string): ProblemDetail => ({
  path: `body.parameters.${name}`,
  message: `is not used: the SQL does not name $${name} outside texts and comments`,
});
