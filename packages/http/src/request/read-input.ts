import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import {
  DETAILS_MAX,
  LINK_PARAMETER_PREFIX,
  type MediaType,
  type Operation,
  type OperationBody,
  type OperationUpload,
  ProblemError,
  type UploadMediaType,
} from '@sluice/contract';
import type { Request, Response } from 'express';
import type { Exchange } from '../model/exchange.ts';
import type { Upload } from '../model/upload.ts';
import type { AnonymousBodies } from './anonymous-bodies.ts';
import { countValues } from './count-values.ts';
import { mediaTypeOf } from './media-type.ts';
import { hasMoreFieldsThan, parseForm } from './parse-form.ts';
import { parseJson } from './parse-json.ts';
import { parseYaml } from './parse-yaml.ts';
import { clientGone, readBody, tooLarge } from './read-body.ts';
import { refuseInvalid } from './refuse-input.ts';
import type { RefusedBodiesOfAccount } from './refused-bodies.ts';
import { tooManyValues } from './too-many-values.ts';
import { pathOf, type Validated, valid, validate, violated } from './validate.ts';
import { type AddLines, createAddLines } from './violation-lines.ts';

/** Longest wait for the next bytes of an upload. */
const STALL_MS = 30_000;

/** Upload with the bytes that were read so far, which are charged if it is refused. */
interface OpenUpload extends Upload {
  readonly bytesRead: () => number;
}

/**
 * Opens the body of a request as a stream. Throws `unsupported_media_type`, and `payload_too_large` if the declared length exceeds the
 * limit, before a byte is read.
 */
function openUpload({ contents, bytesMax }: OperationUpload, { req, res }: Exchange): OpenUpload {
  const mediaType = mediaTypeOf(req, Object.keys(contents) as UploadMediaType[]);
  if (Number(req.headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax);
  let bytesRead = 0;
  const bytes = readUpload(req, res, (count) => {
    bytesRead += count;
    if (bytesRead > bytesMax) throw tooLarge(bytesMax);
  });
  return { mediaType, bytes, bytesRead: () => bytesRead };
}

async function* readUpload(req: Request, res: Response, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
  // A handler that stops early still has to send its response, so the socket stays open.
  const chunks = req.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const { done, value } = await orStalled(chunks.next());
      if (done === true) return;
      count(value.length);
      yield value;
    }
  } finally {
    void chunks.return?.().catch(() => undefined);
  }
}

/** Resolves like the read. Rejects with a problem when the client stalls or is gone. */
async function orStalled<T>(read: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const stalled = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(tooSlow()), STALL_MS);
  });
  try {
    return await Promise.race([read, stalled]);
  } catch (thrown) {
    // Any other error of the socket means that the client is gone.
    throw thrown instanceof ProblemError ? thrown : clientGone();
  } finally {
    clearTimeout(timer);
  }
}

const tooSlow = (): ProblemError =>
  new ProblemError('request_timeout', `No byte of the body arrived within ${STALL_MS / 1000} s.`);

export interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly upload: OpenUpload | undefined;
  /** Adds the lines of a body that `reportsLines` to violations that the handler finds. */
  readonly addLines?: AddLines | undefined;
}

interface InputOptions {
  readonly params: Readonly<Record<string, string>>;
  /** Set for an anonymous caller, whose body is read within these limits. */
  readonly anonymousBodies?: AnonymousBodies | undefined;
  /** Set for an authenticated caller, to whose account refused bodies are charged. */
  readonly refusedBodies?: RefusedBodiesOfAccount | undefined;
}

const NOTHING = valid(undefined);
const NO_BODY: ReadBody = { validated: NOTHING, addLines: undefined };
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f]/;

/** Validates path parameters. */
export function readParams(operation: Operation, params: Readonly<Record<string, string>>): Validated {
  const details = Object.entries(params)
    .filter(([, value]) => CONTROL_CHARACTER.test(value))
    .map(([name]) => ({ path: `path.${name}`, message: 'must not contain control characters' }));
  if (details.length > 0) return violated(details);
  return operation.params === undefined
    ? valid(params)
    : validate('params', operation.params, { ...params }, DETAILS_MAX);
}

/** An anonymous GET without parameters (a probe, a page) ignores its query string. Any other operation rejects unknown keys. */
const ignoresQuery = (operation: Operation): boolean =>
  operation.query === undefined && operation.method === 'GET' && operation.credentials.length === 0;

/** Validates the query string of a URL. */
export function readQuery(operation: Operation, url: string): Validated {
  if (ignoresQuery(operation)) return NOTHING;
  const start = url.indexOf('?');
  const repeatablePrefix = operation.isLink === true ? LINK_PARAMETER_PREFIX : operation.repeatable;
  const { fields, details } = parseForm(start === -1 ? '' : url.slice(start + 1), { part: 'query', repeatablePrefix });
  if (details.length > 0) return violated(details);
  if (operation.query !== undefined) return validate('query', operation.query, fields, DETAILS_MAX);
  return violated(Object.keys(fields).map((name) => ({ path: `query.${name}`, message: 'is not a known key' })));
}

const hasMember = (value: unknown, name: string): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name);

/** Validates the value of a body. */
const checkedValue = ({ schema, detailsMax = DETAILS_MAX }: OperationBody, value: unknown): Validated =>
  validate('body', schema, value, detailsMax);

function checkedJson(body: OperationBody, bytes: Uint8Array): Validated {
  const { value, repeatedKeys } = parseJson(bytes, body);
  if (body.optionalMember !== undefined && !hasMember(value, body.optionalMember)) return checkedValue(body, {});
  if (repeatedKeys.length === 0) return checkedValue(body, value);
  const listed = repeatedKeys.slice(0, body.detailsMax ?? DETAILS_MAX);
  const details = listed.map((keys) => ({ path: pathOf('body', keys), message: 'must not be given twice' }));
  return { value: undefined, details, violations: repeatedKeys.length };
}

function checkedYaml(body: OperationBody, bytes: Uint8Array): Validated {
  const value = parseYaml(bytes);
  if (countValues(value) > body.valuesMax) throw tooManyValues(body.valuesMax);
  return checkedValue(body, value);
}

function checkedForm(body: OperationBody, bytes: Buffer): Validated {
  if (hasMoreFieldsThan(bytes, body.valuesMax)) throw tooManyValues(body.valuesMax);
  const { fields, details } = parseForm(bytes.toString('utf8'), { part: 'body', repeatablePrefix: body.repeatable });
  return details.length > 0 ? violated(details) : checkedValue(body, fields);
}

function checkedText(body: OperationBody, bytes: Buffer): Validated {
  if (!isUtf8(bytes)) return violated([{ path: 'body', message: 'must be UTF-8' }]);
  return checkedValue(body, bytes.toString('utf8'));
}

function checkedBody(body: OperationBody, mediaType: MediaType, bytes: Buffer): Validated {
  if (body.isText === true) return checkedText(body, bytes);
  if (mediaType === 'application/json') return checkedJson(body, bytes);
  return mediaType === 'application/yaml' ? checkedYaml(body, bytes) : checkedForm(body, bytes);
}

/** RFC 9112 section 6.3: a request without both headers has no body. */
const isBodyless = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0';

/** Whether a request has a body that its operation reads. */
function hasBody(req: IncomingMessage, { optionalMember, isOptional, mediaTypes }: OperationBody): boolean {
  if (optionalMember === undefined) return isOptional !== true || !isBodyless(req);
  if (isBodyless(req)) return false;
  return (mediaTypes as readonly string[]).includes(
    (req.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '',
  );
}

interface ReadBody {
  readonly validated: Validated;
  readonly addLines: AddLines | undefined;
}

async function readOperationBody(
  body: OperationBody,
  exchange: Exchange,
  { anonymousBodies, refusedBodies }: InputOptions,
): Promise<ReadBody> {
  const { req, res } = exchange;
  if (!hasBody(req, body)) return { validated: checkedValue(body, {}), addLines: undefined };
  const mediaType = mediaTypeOf(req, body.mediaTypes, body.isText);
  refusedBodies?.admit();
  const bytes = await readBody(req, res, { bytesMax: body.bytesMax, anonymousBodies });
  let isRefused = true;
  try {
    const validated = checkedBody(body, mediaType, bytes);
    isRefused = validated.violations > 0;
    const addLines = body.reportsLines === true ? createAddLines(mediaType, bytes) : undefined;
    if (!isRefused || addLines === undefined) return { validated, addLines };
    return { validated: { ...validated, details: addLines(validated.details) }, addLines };
  } finally {
    if (isRefused) refusedBodies?.add(bytes.length);
  }
}

function openOperationUpload(
  { upload }: Operation,
  exchange: Exchange,
  { refusedBodies }: InputOptions,
): OpenUpload | undefined {
  if (upload === undefined) return undefined;
  const opened = openUpload(upload, exchange);
  refusedBodies?.admit();
  return opened;
}

/**
 * Reads and validates path parameters, query string and body. Throws one `invalid_request` with the violations of all three. An upload
 * is opened, not read.
 */
export async function readInput(operation: Operation, exchange: Exchange, options: InputOptions): Promise<Input> {
  const ofPath = readParams(operation, options.params);
  const query = readQuery(operation, exchange.req.url);
  const read = operation.body === undefined ? NO_BODY : await readOperationBody(operation.body, exchange, options);
  const { validated: body, addLines } = read;
  refuseInvalid([ofPath, query, body], operation.body?.detailsMax);
  return {
    params: ofPath.value,
    query: query.value,
    body: body.value,
    upload: openOperationUpload(operation, exchange, options),
    addLines,
  };
}
