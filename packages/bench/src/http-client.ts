import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { type ResponseSummary, readResponse } from './read-response.ts';
import type { SluiceProcess } from './sluice-process.ts';

const CREDENTIAL = `Basic ${Buffer.from('analyst@acme.example:sluice-demo').toString('base64')}`;
/** Closes idle connections before the server does (Node.js: after 5 s), so that no request is sent on a closing connection. */
const agent = new Agent({ keepAlive: true, maxSockets: 256, timeout: 3_000 });

/** Sends a query and resolves with the response, whose body the caller reads. Throws unless the status is 200. */
export const openQuery = (sluice: SluiceProcess, path: string, body: object): Promise<IncomingMessage> =>
  openPost(`${sluice.streamUrl}${path}`, CREDENTIAL, body);

/** Sends a POST request with a token and resolves with the response, whose body the caller reads. Throws unless the status is 200. */
export const openWithToken = (url: string, token: string, body: object): Promise<IncomingMessage> =>
  openPost(url, `Bearer ${token}`, body);

async function openPost(url: string, authorization: string, body: object): Promise<IncomingMessage> {
  const text = JSON.stringify(body);
  const headers = { authorization, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  return await responseOf(request(url, { agent, method: 'POST', headers }).end(text));
}

export async function openUrl(url: string): Promise<IncomingMessage> {
  return await responseOf(request(url, { agent }).end());
}

/** Reads and discards the whole response of a query at the lowest cost. Throws when it is cut or its status is not 200. */
export async function readQuery(
  { sluice, path, signal }: { readonly sluice: SluiceProcess; readonly path: string; readonly signal?: AbortSignal },
  body: object,
): Promise<ResponseSummary> {
  return await readResponse(`${sluice.streamUrl}${path}`, {
    method: 'POST',
    headers: { authorization: CREDENTIAL, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
}

/** Reads and discards the whole response of any other server. */
export async function readUrl(url: string): Promise<ResponseSummary> {
  return await readResponse(url, { method: 'GET', headers: {}, body: '' });
}

async function responseOf(sent: ReturnType<typeof request>): Promise<IncomingMessage> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}: ${await textOf(response)}`);
  return response;
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  return text;
}

interface Drained {
  readonly bytes: number;
  /** Arrival of the first bytes, by the clock of `performance`. */
  readonly firstByteAt: number;
}

/** Reads and discards a body. Rejects when it is cut. */
export async function drain(response: IncomingMessage): Promise<Drained> {
  let bytes = 0;
  let firstByteAt = 0;
  response.on('data', (chunk: Buffer) => {
    if (bytes === 0) firstByteAt = performance.now();
    bytes += chunk.byteLength;
  });
  await once(response, 'end');
  if (!response.complete) throw new Error('the response was cut');
  return { bytes, firstByteAt };
}
