import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Writable } from 'node:stream';
import { ANSWER_SHAPES } from '../../../packages/client/src/operations/answer-shapes.ts';
import { apiOperationTable } from '../../../packages/client/src/operations/api-operation-table.ts';
import type { Shape } from '../../../packages/client/src/operations/check-answer.ts';
import { streamOperationTable } from '../../../packages/client/src/operations/stream-operation-table.ts';

/** Way in which a host answers an operation. */
export type HostileAnswer = (response: ServerResponse, request: IncomingMessage, whole: () => void) => void;

/** A server that stands for both hosts of a tenant. It answers each operation as the contract says, except where a test says otherwise. */
export interface HostileHost extends AsyncDisposable {
  readonly url: string;
  /** Answers an operation in another way, until the next call. `undefined`: all operations. */
  readonly answer: (operation: string | undefined, how: HostileAnswer) => void;
  /** Operations of the requests so far, and their headers. */
  readonly seen: { readonly operation: string; readonly authorization: string | undefined }[];
  /** Bytes that it could write to bodies before the client closed the connection. */
  readonly written: () => number;
}

const MIB = 1024 * 1024;
export const QUERY_ID = '00000000-0000-4000-8000-000000000001';
const CSV = 'n\n1\n';

const memberOf = (key: string) => {
  const [, name = '', optional, nullable] = /^(.*?)(\?)?(\|null)?$/.exec(key) ?? [];
  return { name, isOptional: optional !== undefined, isNullable: nullable !== undefined };
};

const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape);

const PLAIN: Readonly<Record<string, unknown>> = {
  string: 'x',
  token: 'x',
  number: 1,
  boolean: true,
  object: {},
  any: 'x',
};

/** Returns a value of a shape, without the members that may be absent. */
export function exampleOf(shape: Shape): unknown {
  if (typeof shape === 'string') return PLAIN[shape];
  if (isList(shape)) return [exampleOf(shape[0])];
  const members = Object.entries(shape).map(([key, member]) => ({ ...memberOf(key), member }));
  return Object.fromEntries(
    members.filter(({ isOptional }) => !isOptional).map(({ name, member }) => [name, exampleOf(member)]),
  );
}

/** A value that differs from the shape in one place, and that place. */
export interface Mutation {
  readonly place: string;
  readonly value: unknown;
}

const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  string: [null, 1, { a: 1 }, ['x']],
  token: [null, 1, 'a\nb', '\u001b'],
  number: [null, '1', {}, true],
  boolean: [null, 'true', 0],
  object: [null, 'x', []],
};

/** Returns values that differ from a shape in one member each: null, of another type, and missing. */
export function mutationsOf(shape: Shape, place = ''): readonly Mutation[] {
  if (typeof shape === 'string') return (WRONG[shape] ?? []).map((value) => ({ place, value }));
  const [other, inner] = isList(shape) ? [{}, `${place}[]`] : [[], place];
  const whole = [null, other, 'x', 1].map((value) => ({ place, value }));
  if (isList(shape))
    return [...whole, ...mutationsOf(shape[0], inner).map((each) => ({ ...each, value: [each.value] }))];
  const example = exampleOf(shape) as Readonly<Record<string, unknown>>;
  const members = Object.entries(shape).flatMap(([key, member]) => {
    const { name, isOptional, isNullable } = memberOf(key);
    const path = place === '' ? name : `${place}.${name}`;
    const changed = mutationsOf(member, path).filter(
      ({ place: at, value }) => !(isNullable && at === path && value === null),
    );
    const missing = isOptional ? [] : [{ place: path, value: undefined }];
    return [...changed, ...missing].map((each) => ({ place: each.place, value: { ...example, [name]: each.value } }));
  });
  return [...whole, ...members];
}

type Row = readonly [method: string, path: string, ...unknown[]];
const ROUTES = [...Object.entries<Row>(streamOperationTable), ...Object.entries<Row>(apiOperationTable)]
  .map(([operation, [method, path]]) => ({
    operation,
    method,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
  }))
  // Literal paths come before those with parameters.
  .sort((a, b) => a.pattern.source.split('(').length - b.pattern.source.split('(').length);

/** Shape of the answer of an operation, if it is JSON. */
export function shapeOf(operation: string): Shape | undefined {
  const shapes: Readonly<Record<string, Shape>> = ANSWER_SHAPES;
  return shapes[operation] ?? shapes[`${operation}?`];
}

export const sendJson = (response: ServerResponse, value: unknown, status = 200): void =>
  void response
    .writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r1' })
    .end(JSON.stringify(value));

const receipt = (id: string) => ({
  ...{ query_id: id, state: 'FINISHED', rows: 1, bytes: CSV.length, limited: false },
  ...{ sha256: createHash('sha256').update(CSV).digest('hex'), started_ts: 1, ended_ts: 2, error: null },
});

export const eventsOf = (...events: readonly unknown[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
export const METADATA = { type: 'metadata', columns: [{ name: 'n', type: 'bigint' }] };
export const ROW = { type: 'row', data: { n: '1' } };
export const COMPLETE = { type: 'complete', query_id: QUERY_ID, rows: 1, elapsed_ms: 1, limited: false };
export const STREAM_HEADERS = { 'content-type': 'text/event-stream', 'x-query-id': QUERY_ID };
const OBJECT = {
  type: 'TABLE',
  id: 'a.b.c',
  line: 1,
  success: true,
  error_message: null,
  fact_id: '',
  fields_processed: false,
};
const RECORD = { timestamp: 1, user: 'x', action: 'x', target: 'x', metadata: {} };

/** Answers that are not JSON. */
const STREAMS: Readonly<Record<string, readonly [type: string, body: string]>> = {
  streamQuery: ['text/event-stream', eventsOf(METADATA, ROW, COMPLETE)],
  resumeEvents: ['text/event-stream', eventsOf({ ...METADATA, as_of: 1, query_id: QUERY_ID }, ROW, COMPLETE)],
  streamAuditLogs: ['text/event-stream', `id: 1\ndata: ${JSON.stringify(RECORD)}\n\n`],
  exportMetadata: ['application/json', JSON.stringify({ metadata_objects: [OBJECT] })],
  readMetadataReport: ['application/json', JSON.stringify({ metadata_objects: [OBJECT] })],
};

/** Answers as the contract says. */
function sendWhole(operation: string, id: string, response: ServerResponse): void {
  const stream = operation.startsWith('download') ? ['text/csv', CSV] : STREAMS[operation];
  const shape = shapeOf(operation);
  if (stream !== undefined) {
    const [type = '', body] = stream;
    response.writeHead(200, { 'content-type': type, 'x-query-id': QUERY_ID }).end(body);
  } else if (operation === 'getQuery') sendJson(response, receipt(id));
  else if (shape === undefined) response.writeHead(302, { location: '/' }).end();
  else {
    const example = exampleOf(shape);
    if (typeof example === 'object' && example !== null && 'import_id' in example && id !== '') example.import_id = id;
    if (typeof example === 'object' && example !== null && 'expires_in' in example) example.expires_in = 3600;
    sendJson(response, example);
  }
}

/** Starts the server. */
export async function startHostileHost(): Promise<HostileHost> {
  const seen: HostileHost['seen'] = [];
  let wrong: { readonly operation: string | undefined; readonly how: HostileAnswer } | undefined;
  let written = 0;
  const server = createServer({ maxHeaderSize: MIB }, (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    const route = ROUTES.find(({ method, pattern }) => method === request.method && pattern.test(path));
    const operation = route?.operation ?? 'none';
    const id = decodeURIComponent(route?.pattern.exec(path)?.[1] ?? '');
    seen.push({ operation, authorization: request.headers.authorization });
    request.resume();
    response.on('error', () => undefined);
    const { socket } = request;
    const before = socket.bytesWritten;
    response.once('close', () => {
      written += socket.bytesWritten - before;
    });
    const whole = (): void => sendWhole(operation, id, response);
    if (wrong !== undefined && (wrong.operation === undefined || wrong.operation === operation))
      wrong.how(response, request, whole);
    else whole();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (operation, how) => {
      wrong = { operation, how };
    },
    seen,
    written: () => written,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Writes pieces for as long as the client reads them. */
export function writeForever(stream: Writable, text: string): void {
  const write = (): void => {
    while (!stream.destroyed) if (!stream.write(text)) return void stream.once('drain', write);
  };
  write();
}

const OSC_52 = '\u001b]52;c;ZWNobyBoYWNrZWQ=\u0007';
/** Text of a host that a terminal would execute: the clipboard, the title, a jump to the start of the line, a faked line, a hidden direction. */
export const TERMINAL_TEXT = `x${OSC_52}\u001b]0;title\u0007\u001b[2J\r\u009b31merror: fake\u202e`;

const JSON_HEADERS = { 'content-type': 'application/json' };
const text =
  (body: string | Uint8Array, headers: Record<string, string> = JSON_HEADERS, status = 200): HostileAnswer =>
  (response) =>
    void response.writeHead(status, headers).end(body);

/** Wrong ways to answer any operation. */
export const WRONG_ANSWERS: Readonly<Record<string, HostileAnswer>> = {
  'JSON that is cut': text('{"data":[{"id":"x'),
  'a connection that is cut': (response) => {
    response.writeHead(200, { ...JSON_HEADERS, 'content-length': '1000' }).write('{"data":[');
    response.socket?.end();
  },
  'a connection that is reset': (response) => void response.socket?.resetAndDestroy(),
  'a page': text('<html><body>Sign in</body></html>', { 'content-type': 'text/html' }),
  'a page with status 502': text(
    '<html>Bad Gateway</html>',
    { 'content-type': 'text/html', 'retry-after': '3600' },
    502,
  ),
  'no body': text(''),
  'status 204': (response) => void response.writeHead(204).end(),
  'status 599': text('{}', JSON_HEADERS, 599),
  'a redirect': (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  'a redirect to itself': (response, { url = '/' }) => void response.writeHead(307, { location: url }).end(),
  null: text('null'),
  'a list': text('[]'),
  'a string': text('"x"'),
  'a number': text('0'),
  'an empty object': text('{}'),
  'members of Object': text('{"__proto__":{"data":[]},"constructor":1,"toString":null,"hasOwnProperty":0}'),
  'data that is null': text('{"data":null,"next_page_token":null,"total":null}'),
  'data with null': text('{"data":[null],"metadata_results":[null],"keys":[null],"changes":[null],"total":1}'),
  'deep lists': text('['.repeat(100_000) + ']'.repeat(100_000)),
  'deep objects': text(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
  'bytes that are not UTF-8': text(new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
  'bytes of zero': text(new Uint8Array(1000)),
  'a coding that it does not have': text('{}', { ...JSON_HEADERS, 'content-encoding': 'gzip' }),
  'a length that is too short': (response) => {
    response.writeHead(200, { ...JSON_HEADERS, 'content-length': '2' });
    response.socket?.write('{}{"data":[]}');
    response.socket?.end();
  },
  'no HTTP': (response) => void response.socket?.end('SSH-2.0-x\r\n'),
  'an error of another form': text('{"error":{"code":500}}', JSON_HEADERS, 500),
  'an error with wrong members': text(
    JSON.stringify({ error: 'x', message: { a: 1 }, details: ['x', null, { path: 1 }], location: 'x', request_id: 7 }),
    JSON_HEADERS,
    400,
  ),
  'an error with more wrong members': text(
    JSON.stringify({ error: 'X', message: null, details: 'x', location: { line: 'a', column: null }, query_id: {} }),
    JSON_HEADERS,
    400,
  ),
  'an error for a terminal': text(
    JSON.stringify({
      error: 'x',
      message: `${TERMINAL_TEXT}\nerror: second line`,
      details: [{ path: TERMINAL_TEXT, message: `a\nb` }],
      request_id: TERMINAL_TEXT,
    }),
    JSON_HEADERS,
    400,
  ),
  'headers without an end': ({ socket }) => {
    socket?.write('HTTP/1.1 200 OK\r\n');
    if (socket !== null) writeForever(socket, `x-header: ${'x'.repeat(100)}\r\n`);
  },
};

/** Wrong answers without an end. Each costs the client its limit. */
export const ENDLESS_ANSWERS: Readonly<Record<string, HostileAnswer>> = {
  'spaces without an end': (response) => {
    response.writeHead(200, JSON_HEADERS);
    writeForever(response, ' '.repeat(MIB));
  },
  'a string without an end': (response) => {
    response.writeHead(200, JSON_HEADERS).write('{"data":"');
    writeForever(response, 'x'.repeat(MIB));
  },
  'lists without an end': (response) => {
    response.writeHead(200, JSON_HEADERS);
    writeForever(response, '['.repeat(MIB));
  },
  'an error without an end': (response) => {
    response.writeHead(500, JSON_HEADERS).write('{"error":"x","message":"');
    writeForever(response, 'x'.repeat(MIB));
  },
};
