import { DETAILS_MAX, type Operation, type ProblemDetail } from '@sluice/contract';
import { type Input, readParams, readQuery } from './read-input.ts';
import { refuseInvalid } from './refuse-input.ts';
import { type Validated, valid, validate, violated } from './validate.ts';

/** Input for an operation that is not in a request of its own. */
interface DeferredInput {
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Query string without `?`. */
  readonly search: string;
  /** JSON value; undefined if there is none. */
  readonly body: unknown;
}

/** Validates input as the kernel does for a request. Throws one `invalid_request` with the violations; `pathOf` names their places. */
export function validateInput(
  operation: Operation,
  input: DeferredInput,
  pathOf: (detail: ProblemDetail) => ProblemDetail,
): Input {
  const params = readParams(operation, input.params);
  const query = readQuery(operation, `?${input.search}`);
  const body =
    operation.body === undefined
      ? noBody(input.body)
      : validate('body', operation.body.schema, input.body ?? {}, DETAILS_MAX);
  refuseInvalid([params, query, body].map((part) => ({ ...part, details: part.details.map(pathOf) })));
  return { params: params.value, query: query.value, body: body.value, upload: undefined };
}

const isEmpty = (body: unknown): boolean =>
  body === undefined || body === null || (typeof body === 'object' && Object.keys(body).length === 0);

const noBody = (body: unknown): Validated =>
  isEmpty(body) ? valid(undefined) : violated([{ path: 'body', message: 'must be absent: this operation takes none' }]);
