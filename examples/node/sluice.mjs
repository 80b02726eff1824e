// A client of Sluice in one file, without dependencies. Copy it.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';

export const STREAM_URL = process.env.SLUICE_STREAM_URL ?? 'http://127.0.0.1:8081';
export const API_URL = process.env.SLUICE_API_URL ?? 'http://127.0.0.1:8080';
const TENANT = process.env.SLUICE_TENANT ?? 'acme';
const PASSWORD = process.env.SLUICE_PASSWORD ?? 'sluice-demo';
const TRIES = 5;

/** Returns the headers of a user with a password. */
export const basic = (email) => ({
  authorization: `Basic ${Buffer.from(`${process.env.SLUICE_EMAIL ?? email}:${PASSWORD}`).toString('base64')}`,
});

/** Logs in and returns the headers that the API host takes. */
export async function login(email) {
  const body = { email: process.env.SLUICE_EMAIL ?? email, password: PASSWORD };
  const response = await send(`${API_URL}/auth/login/${TENANT}`, {}, body);
  return { idtoken: (await response.json()).id_token };
}

/** Sends GET, or POST with a body. Tries again after 429 and 503, when nothing has run yet. */
export async function send(url, headers, body) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.ok) return response;
    const isTransient = response.status === 429 || response.status === 503;
    if (!isTransient || attempt === TRIES) {
      const problem = await response.json();
      throw new Error(`${problem.error}: ${problem.message} (request ${problem.request_id})`);
    }
    await wait(1000 * Number(response.headers.get('retry-after') ?? 1));
  }
}

/** Yields the rows of a query and throws if the stream was cut. Numbers that a double cannot hold are strings. */
export async function* query(sql, headers) {
  const response = await send(`${STREAM_URL}/query`, headers, { sql, big_numbers: 'string' });
  let rest = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      if (!line.startsWith('data: ')) continue;
      const event = JSON.parse(line.slice(6));
      if (event.type === 'row') yield event.data;
      if (event.type === 'error') throw new Error(`${event.code}: ${event.error}`);
      if (event.type === 'complete') return;
    }
  }
  throw new Error('The result is incomplete: the stream ended without `complete`.');
}

/** Writes a file and returns its receipt. The file gets its name only when its SHA-256 equals the receipt's. */
export async function download(sql, file, headers, kind = 'csv') {
  const response = await send(`${STREAM_URL}/query/download/${kind}`, headers, { sql });
  const hash = createHash('sha256');
  const hashed = async function* (pieces) {
    for await (const piece of pieces) {
      hash.update(piece);
      yield piece;
    }
  };
  await pipeline(Readable.fromWeb(response.body), hashed, createWriteStream(`${file}.part`));
  const receipt = await (await send(`${STREAM_URL}/query/${response.headers.get('x-query-id')}`, headers)).json();
  if (receipt.sha256 !== hash.digest('hex')) throw new Error(`${file}.part is not the file that was sent.`);
  await rename(`${file}.part`, file);
  return receipt;
}
