import type { IncomingMessage } from 'node:http';
import { type MediaType, type Operation, type OperationBody, type ProblemDetail, ProblemError } from '@sluice/contract';
import type { Exchange } from '../model/exchange.ts';
import type { Upload } from '../model/upload.ts';
import type { AnonymousBodies } from './anonymous-bodies.ts';
import { hasMoreValuesThan } from './has-more-values-than.ts';
import { mediaTypeOf } from './media-type.ts';
import { openUpload } from './open-upload.ts';
import { hasMoreFieldsThan, parseForm } from './parse-form.ts';
import { parseJson } from './parse-json.ts';
import { parseYaml } from './parse-yaml.ts';
import { readBody } from './read-body.ts';
import type { RefusedBodiesOfAccount } from './refused-bodies.ts';
import { tooManyValues } from './too-many-values.ts';
import { pathOf, type Validated, validate } from './validate.ts';

export interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly upload: Upload | undefined;
}

interface InputOptions {
  readonly params: Readonly<Record<string, string>>;
  /** Set for an anonymous caller, whose body is read within these limits. */
  readonly anonymousBodies?: AnonymousBodies | undefined;
  /** Set for an authenticated caller, to whose account refused bodies are charged. */
  readonly refusedBodies?: RefusedBodiesOfAccount | undefined;
}

const DETAILS_MAX = 100;
const NOTHING: Validated = { value: undefined, details: [] };
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f]/;

/** Validates path parameters. */
export async function readParams(operation: Operation, params: Readonly<Record<string, string>>): Promise<Validated> {
  const details = Object.entries(params)
    .filter(([, value]) => CONTROL_CHARACTER.test(value))
    .map(([name]) => ({ path: `path.${name}`, message: 'must not contain control characters' }));
  if (details.length > 0) return { value: undefined, details };
  return operation.params === undefined
    ? { value: params, details }
    : await validate('params', operation.params, { ...params });
}

/** An anonymous GET without parameters (a probe, a page) ignores its query string. Any other operation rejects unknown keys. */
const ignoresQuery = (operation: Operation): boolean =>
  operation.query === undefined && operation.method === 'GET' && operation.credentials.length === 0;

/** Validates the query string of a URL. */
export async function readQuery(operation: Operation, url: string): Promise<Validated> {
  if (ignoresQuery(operation)) return NOTHING;
  const start = url.indexOf('?');
  const { fields, details } = parseForm(start === -1 ? '' : url.slice(start + 1), 'query');
  if (details.length > 0) return { value: undefined, details };
  if (operation.query !== undefined) return await validate('query', operation.query, fields);
  const unknown = Object.keys(fields).map((name) => ({ path: `query.${name}`, message: 'is not a known key' }));
  return { value: undefined, details: unknown };
}

const hasMember = (value: unknown, name: string): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name);

async function checkedJson(body: OperationBody, bytes: Uint8Array): Promise<Validated> {
  const { value, repeatedKeys } = parseJson(bytes, body);
  if (body.optionalMember !== undefined && !hasMember(value, body.optionalMember))
    return await validate('body', body.schema, {});
  if (repeatedKeys.length === 0) return await validate('body', body.schema, value);
  const details = repeatedKeys.map((keys) => ({ path: pathOf('body', keys), message: 'must not be given twice' }));
  return { value: undefined, details };
}

async function checkedYaml({ schema, valuesMax }: OperationBody, bytes: Uint8Array): Promise<Validated> {
  const value = parseYaml(bytes);
  if (hasMoreValuesThan(value, valuesMax)) throw tooManyValues(valuesMax);
  return await validate('body', schema, value);
}

async function checkedForm({ schema, valuesMax }: OperationBody, bytes: Buffer): Promise<Validated> {
  if (hasMoreFieldsThan(bytes, valuesMax)) throw tooManyValues(valuesMax);
  const { fields, details } = parseForm(bytes.toString('utf8'), 'body');
  return details.length > 0 ? { value: undefined, details } : await validate('body', schema, fields);
}

function checkedBody(body: OperationBody, mediaType: MediaType, bytes: Buffer): Promise<Validated> {
  if (mediaType === 'application/json') return checkedJson(body, bytes);
  return mediaType === 'application/yaml' ? checkedYaml(body, bytes) : checkedForm(body, bytes);
}

/** Whether a request has a body of these media types. RFC 9112 section 6.3: without both headers, it has none. */
function hasBody({ headers }: IncomingMessage, mediaTypes: readonly string[]): boolean {
  if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') return false;
  return mediaTypes.includes((headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '');
}

async function readOperationBody(
  body: OperationBody,
  exchange: Exchange,
  { anonymousBodies, refusedBodies }: InputOptions,
): Promise<Validated> {
  const { req, res } = exchange;
  if (body.optionalMember !== undefined && !hasBody(req, body.mediaTypes))
    return await validate('body', body.schema, {});
  const mediaType = mediaTypeOf(req, body.mediaTypes);
  refusedBodies?.admit();
  const bytes = await readBody(req, res, { bytesMax: body.bytesMax, anonymousBodies });
  let isRefused = true;
  try {
    const validated = await checkedBody(body, mediaType, bytes);
    isRefused = validated.details.length > 0;
    return validated;
  } finally {
    if (isRefused) refusedBodies?.add(bytes.length);
  }
}

function refuse(details: readonly ProblemDetail[], detailsMax: number): never {
  const listed = details.slice(0, detailsMax);
  const more = details.length - listed.length;
  const first = listed[0] ?? { path: 'request', message: 'is not valid' };
  throw new ProblemError('invalid_request', `The request is not valid: ${first.path}: ${first.message}.`, {
    details: more > 0 ? [...listed, { path: 'request', message: `has ${more} more violations` }] : listed,
  });
}

/**
 * Reads and validates path parameters, query string and body. Throws one `invalid_request` with the violations of all three. An upload
 * is opened, not read.
 */
export async function readInput(operation: Operation, exchange: Exchange, options: InputOptions): Promise<Input> {
  const ofPath = await readParams(operation, options.params);
  const query = await readQuery(operation, exchange.req.url);
  const body = operation.body === undefined ? NOTHING : await readOperationBody(operation.body, exchange, options);
  const details = [...ofPath.details, ...query.details, ...body.details];
  if (details.length > 0) refuse(details, operation.body?.detailsMax ?? DETAILS_MAX);
  const upload = operation.upload && openUpload(operation.upload, exchange);
  return { params: ofPath.value, query: query.value, body: body.value, upload };
}
