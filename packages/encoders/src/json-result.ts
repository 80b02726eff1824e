import type { Column, ProblemError } from '@sluice/contract';
import type { Format } from './format.ts';
import { jsonObjectParts } from './json-row.ts';
import { type CellStyle, mergeLiterals } from './row-template.ts';

/** The result set of `POST /query/download/json`. It is valid JSON whether it ends or fails; `error` reports a failure. */
export function createJsonFormat(options: { readonly bigNumbers: CellStyle['bigNumbers'] }): Format {
  return {
    head: (columns) => `{${metadataMember(columns)},"data":[\n`,
    row: (columns) => ({
      separator: ',\n',
      parts: mergeLiterals(jsonObjectParts(columns)),
      style: { notation: 'json', bigNumbers: options.bigNumbers, formulas: 'keep' },
    }),
    complete: () => '\n]}',
    failed: (problem, queryId) => `\n],${errorMembers(problem, queryId)}}`,
    failedBody: (problem, { queryId, requestId }) => {
      // The members of the error JSON too, so that clients read every failure by the same names.
      const asError = JSON.stringify({ request_id: requestId, message: problem.message }).slice(1, -1);
      return `{${metadataMember([])},"data":[],${errorMembers(problem, queryId)},${asError}}`;
    },
  };
}

const metadataMember = (columns: readonly Column[]): string =>
  `"metadata":${JSON.stringify({ columns, type: 'metadata' })}`;

const errorMembers = (problem: ProblemError, queryId: string): string =>
  JSON.stringify({
    error: problem.message,
    code: problem.streamCode,
    query_id: queryId,
    ...(problem.location === undefined ? {} : { location: problem.location }),
  }).slice(1, -1);
