import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import type { Credential } from '@sluice/testkit/requests';

export interface KeepingHosts extends AsyncDisposable {
  readonly hosts: TestHosts;
  /** Returns the paths of all files of the store. */
  files(): Promise<readonly string[]>;
}

/** Starts hosts that keep results in a folder. */
export async function startKeepingHosts(settings: Readonly<Record<string, string>> = {}): Promise<KeepingHosts> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-resumed-'));
  const hosts = await startHosts({
    RESULT_FOLDER: folder,
    RESULT_KEY: randomBytes(32).toString('base64'),
    RESULT_KEEP_MAX: '24h',
    ...settings,
  });
  return {
    hosts,
    async files() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    },
    async [Symbol.asyncDispose]() {
      await hosts[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A second of work without a row. Its count is 0. */
const WORK = `SELECT count(*) AS c FROM range(20000) a, range(5000) b WHERE (a.range * b.range) % 7 = 8`;

/** Statement that returns the rows from 0 on after a second, and can be interrupted. */
export const slowRows = (rows: number): string =>
  `WITH work AS (${WORK}) SELECT t.n + work.c AS n FROM range(${rows}) t(n), work`;
export const SLOW_FAILURE = `WITH work AS (${WORK}) SELECT error('boom ' || c) AS n FROM work`;

interface Transfer {
  readonly url: string;
  readonly headers: Credential;
  /** JSON of a POST. Default: a GET. */
  readonly body?: object;
}

interface CutTransfer {
  readonly queryId: string;
  readonly bytes: Buffer;
}

/** Reads a body, and drops the connection after this many bytes of it. Resolves with at most these bytes. */
export const readCut = ({ url, headers, body }: Transfer, bytesMax: number): Promise<CutTransfer> =>
  new Promise((resolve, reject) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const method = body === undefined ? 'GET' : 'POST';
    const sent = httpRequest(url, { method, headers: { ...type, ...headers }, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      const end = (): void => {
        const queryId = String(response.headers['x-query-id']);
        resolve({ queryId, bytes: Buffer.concat(chunks).subarray(0, bytesMax) });
        response.destroy();
      };
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length >= bytesMax) end();
      });
      response.on('end', end);
      response.on('error', end);
      if (bytesMax === 0) end();
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });

/** Returns the bytes of the complete events at the beginning of a stream. */
export function completeEvents(bytes: Buffer): Buffer {
  const end = bytes.lastIndexOf('\n\n');
  return bytes.subarray(0, end === -1 ? 0 : end + 2);
}

/** Returns the events of a stream without their ids. */
export const withoutIds = (bytes: Buffer): string => bytes.toString('utf8').replace(/^id: \d+\n/gm, '');

/** Returns the events of rows of a stream, as sent. */
export const rowEvents = (text: string): readonly string[] =>
  text.split('\n\n').filter((event) => event.includes('data: {"type":"row"'));

interface Message {
  readonly data: string;
  readonly lastEventId: string;
}

interface FollowedEvents {
  readonly messages: readonly Message[];
  readonly connections: number;
}

/**
 * Reads events as an `EventSource` of a browser does (HTML standard, section 9.2): it reconnects with `Last-Event-ID` whenever its connection
 * ends. It is closed by the `complete` or `error` event.
 */
export async function followEvents(url: string, headers: Credential): Promise<FollowedEvents> {
  const messages: Message[] = [];
  let lastEventId = '';
  for (let connections = 1; ; connections += 1) {
    const known = lastEventId === '' ? {} : { 'last-event-id': lastEventId };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      httpRequest(url, { headers: { accept: 'text/event-stream', ...headers, ...known }, agent: false }, resolve)
        .on('error', reject)
        .end();
    });
    if (response.statusCode !== 200) throw new Error(`the stream returned ${response.statusCode}`);
    let data: string[] = [];
    let idBuffer = lastEventId;
    const onLine = (line: string): void => {
      const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
      if (line === '') {
        // An id counts once its event is complete.
        lastEventId = idBuffer;
        if (data.length > 0) messages.push({ data: data.join('\n'), lastEventId });
        data = [];
      } else if (field === 'data') data.push(value);
      else if (field === 'id' && !value.includes('\0')) idBuffer = value;
    };
    let rest = '';
    response.setEncoding('utf8');
    try {
      for await (const text of response) {
        const lines = `${rest}${text}`.split(/\r\n|\n|\r/);
        rest = lines.pop() ?? '';
        for (const line of lines) onLine(line);
      }
    } catch {
      // The connection was cut. An event without its blank line is discarded.
    }
    if (/^\{"type":"(?:complete|error)"/.test(messages.at(-1)?.data ?? '')) return { messages, connections };
  }
}
