import type { ApiOperationTypes, StreamOperationTypes } from '../contract-types.ts';
import { readAnswer } from '../http/read-json.ts';
import type { Repeatability } from '../http/retry.ts';
import type { RequestInput, SendRequest } from '../http/send-request.ts';
import { apiOperationTable } from './api-operation-table.ts';
import { expandPath } from './expand-path.ts';
import { streamOperationTable } from './stream-operation-table.ts';

/** Result of a call: parsed JSON, nothing, the response itself (a file, stream or page), or a redirect that is not followed. */
type Returned = 'json' | 'none' | 'response' | 'redirect';
type OperationRow = readonly [
  method: string,
  path: string,
  access: 'token' | 'anonymous',
  returned: Returned,
  repeatability: Repeatability,
  body?: 'form',
];

/** Fails to compile while an operation of the contract has no row; `npm run docs:generate` adds it. */
const TABLES = {
  stream: streamOperationTable satisfies Record<keyof StreamOperationTypes, OperationRow>,
  api: apiOperationTable satisfies Record<keyof ApiOperationTypes, OperationRow>,
};

interface OperationTypes {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly result: unknown;
}

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? { readonly [Key in Name]?: undefined }
  : Record<never, never> extends Value
    ? { readonly [Key in Name]?: Value }
    : { readonly [Key in Name]: Value };

export interface CallOptions {
  /** Such as `if-match` and `idempotency-key`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Called with a successful response before its body is read, such as for its `etag`. It must not read the body. */
  readonly onResponse?: (response: Response) => void;
}

/** The tenant of a path is the client's, unless it is given. */
type Params<Values> = Values extends { readonly tenant: string } ? { readonly tenant?: string } : Values;

/** Input of an operation: the parameters of its path, its query string, its body, and options. */
export type OperationInput<Types extends OperationTypes> = CallOptions &
  Part<'params', Params<Types['params']>> &
  Part<'query', Types['query']> &
  (Types['body'] extends undefined
    ? { readonly body?: string | Uint8Array | Blob | ReadableStream<Uint8Array> }
    : undefined extends Types['body']
      ? { readonly body?: Types['body'] | string }
      : { readonly body: Types['body'] | string });

/** An operation without required input can be called without an argument. */
type Arguments<Input> = Record<never, never> extends Input ? [input?: Input] : [input: Input];
type Result<Types extends OperationTypes, Row> = Row extends readonly [
  unknown,
  unknown,
  unknown,
  infer How,
  ...unknown[],
]
  ? { json: Types['result']; none: undefined; response: Response; redirect: Response }[How & Returned]
  : never;

type Operations<Types extends Record<keyof Types, OperationTypes>, Table extends Record<keyof Types, OperationRow>> = {
  readonly [Id in keyof Types]: (
    ...input: Arguments<OperationInput<Types[Id]>>
  ) => Promise<Result<Types[Id], Table[Id]>>;
};

/** Every operation of the stream host, by operationId. Each throws ResponseError and ConnectionError. */
export type StreamOperations = Operations<StreamOperationTypes, (typeof TABLES)['stream']>;
/** Every operation of the API host, by operationId. Each throws ResponseError and ConnectionError. */
export type ApiOperations = Operations<ApiOperationTypes, (typeof TABLES)['api']>;

interface AnyInput extends CallOptions {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

interface OperationContext {
  readonly send: SendRequest;
  readonly tenant: string;
  readonly timeoutMs: number;
}

const isRaw = (body: unknown): body is string | Uint8Array | Blob | ReadableStream<Uint8Array> =>
  typeof body === 'string' || body instanceof Uint8Array || body instanceof Blob || body instanceof ReadableStream;

/** Encodes a body and its media type. A string, bytes or a stream is sent as it is, with the caller's `content-type`. */
function encodeBody(body: unknown, form: 'form' | undefined): Pick<RequestInput, 'body' | 'headers'> {
  if (body === undefined) return {};
  if (form === 'form' && !isRaw(body)) {
    const text = new URLSearchParams(body as Record<string, string>).toString();
    return { body: text, headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  }
  if (isRaw(body)) return { body, headers: { 'content-type': 'application/json' } };
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

function createOperation(context: OperationContext, host: 'stream' | 'api', operation: string, row: OperationRow) {
  const [method, path, access, returned, repeatability, form] = row;
  return async (input: AnyInput = {}): Promise<unknown> => {
    const { body, headers } = encodeBody(input.body, form);
    const all = { ...headers, ...lowerCased(input.headers) };
    const isKeyed = 'idempotency-key' in all;
    const response = await context.send({
      operation,
      host,
      method,
      path: expandPath(path, { tenant: context.tenant, ...input.params }, input.query),
      headers: all,
      body,
      isAuthenticated: access === 'token',
      repeatability: isKeyed ? 'safe' : repeatability,
      signal: input.signal,
      // A stream takes as long as its source and the network do.
      timeoutMs: returned === 'response' || body instanceof ReadableStream ? undefined : context.timeoutMs,
      returnsRedirect: returned === 'redirect',
      sendsCookies: false,
    });
    input.onResponse?.(response);
    const { timeoutMs } = context;
    if (returned === 'json') return await readAnswer(response, { operation, timeoutMs, signal: input.signal });
    if (returned !== 'none') return response;
    await response.body?.cancel();
    return undefined;
  };
}

const lowerCased = (headers: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function createOperations(context: OperationContext, host: 'stream' | 'api'): object {
  const rows = Object.entries(TABLES[host]) as [string, OperationRow][];
  return Object.fromEntries(rows.map(([id, row]) => [id, createOperation(context, host, id, row)]));
}

/** Creates a function for each operation of the stream host. */
export const createStreamOperations = (context: OperationContext): StreamOperations =>
  createOperations(context, 'stream') as StreamOperations;

/** Creates a function for each operation of the API host. */
export const createApiOperations = (context: OperationContext): ApiOperations =>
  createOperations(context, 'api') as ApiOperations;
