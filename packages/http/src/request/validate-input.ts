import { type Operation, type ProblemDetail, ProblemError } from '@sluice/contract';
import { type Input, readParams, readQuery } from './read-input.ts';
import { validate } from './validate.ts';

/** Input for an operation that is not in a request of its own. */
interface DeferredInput {
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Query string without `?`. */
  readonly search: string;
  /** JSON value; undefined if there is none. */
  readonly body: unknown;
}

/** Validates input as the kernel does for a request. Throws one `invalid_request` with all violations; `pathOf` names their places. */
export async function validateInput(
  operation: Operation,
  input: DeferredInput,
  pathOf: (detail: ProblemDetail) => ProblemDetail,
): Promise<Input> {
  const params = await readParams(operation, input.params);
  const query = await readQuery(operation, `?${input.search}`);
  const body =
    operation.body === undefined ? noBody(input.body) : await validate('body', operation.body.schema, input.body ?? {});
  const details = [...params.details, ...query.details, ...body.details].map(pathOf);
  const [first] = details;
  if (first !== undefined) {
    throw new ProblemError('invalid_request', `The request is not valid: ${first.path}: ${first.message}.`, {
      details,
    });
  }
  return { params: params.value, query: query.value, body: body.value, upload: undefined };
}

const isEmpty = (body: unknown): boolean =>
  body === undefined || body === null || (typeof body === 'object' && Object.keys(body).length === 0);

const noBody = (body: unknown) => ({
  value: undefined,
  details: isEmpty(body) ? [] : [{ path: 'body', message: 'must be absent: this operation takes none' }],
});
