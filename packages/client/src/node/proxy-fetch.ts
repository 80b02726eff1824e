import { Agent as HttpAgent, type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { constants, createGunzip } from 'node:zlib';
import { findProxy, type HttpProxy, type ProxyEnvironment } from './find-proxy.ts';

/** Time limit of a connection: TCP, the tunnel of a proxy, and TLS. */
const OPEN_MAX_MS = 10_000;
const PROXY_AUTHENTICATION_REQUIRED = 407;
/** Status codes of responses without a body (RFC 9110). */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** Failure of a proxy. Its message is a sentence that says what to do. */
class ProxyError extends Error {
  readonly code = 'ERR_PROXY';
}

const nameOf = ({ url }: HttpProxy): string => `The proxy ${url.host}`;

function statusError(proxy: HttpProxy, target: string, status: number | undefined): ProxyError {
  if (status !== PROXY_AUTHENTICATION_REQUIRED)
    return new ProxyError(
      `${nameOf(proxy)} refused a connection to ${target} with status ${status}. Check its rules, or add the host to NO_PROXY.`,
    );
  const act = proxy.authorization === undefined ? 'asks for' : 'does not accept the';
  return new ProxyError(
    `${nameOf(proxy)} ${act} user name and password (status 407). Write them into ${proxy.variable}: http://USER:PASSWORD@${proxy.url.host}.`,
  );
}

const unreachable = (proxy: HttpProxy, cause: unknown): ProxyError => {
  const code = cause instanceof Error ? String(Reflect.get(cause, 'code') ?? cause.message) : String(cause);
  return new ProxyError(
    `${nameOf(proxy)} could not be reached, or closed the connection (${code}). Check ${proxy.variable} and the network.`,
    { cause },
  );
};

/** Options of a request, with its signal under a name that reaches the agent: Node.js takes `signal` away. */
interface OpenOptions extends RequestOptions {
  readonly openSignal?: AbortSignal | undefined;
}

/** Opens a tunnel to `target` (RFC 9110 section 9.3.6). */
function openTunnel(proxy: HttpProxy, target: string, signal: AbortSignal): Promise<Socket> {
  const { url, authorization } = proxy;
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }) },
      agent: false,
      signal,
    });
    request.on('error', (error) => reject(signal.aborted ? signal.reason : unreachable(proxy, error)));
    request.once('connect', (response, socket: Socket) => {
      if (response.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(statusError(proxy, target, response.statusCode));
    });
    request.end();
  });
}

/** Resolves when a socket is connected, with TLS if it has it. */
function untilConnected(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const abort = (): void => void socket.destroy(signal.reason as Error);
    const end = (act: () => void) => (): void => {
      signal.removeEventListener('abort', abort);
      act();
    };
    signal.addEventListener('abort', abort, { once: true });
    socket.once(
      event,
      end(() => resolve(socket)),
    );
    let failure: Error | undefined;
    socket.once('error', (error) => {
      failure = error;
    });
    socket.once(
      'close',
      end(() => reject(failure ?? Object.assign(new Error('The connection was closed.'), { code: 'ECONNRESET' }))),
    );
    if (signal.aborted) abort();
  });
}

/** Creates the agent of the connections to hosts that are reached directly, or with TLS through a tunnel of the proxy. */
function createAgent(isTls: boolean, proxy: HttpProxy | undefined): HttpAgent {
  const agent = isTls ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  type Connect = (options: object, callback?: (error: Error | null, socket?: Socket) => void) => Socket | undefined;
  const connect = (agent.createConnection as unknown as Connect).bind(agent);

  const open = async (options: OpenOptions): Promise<Socket> => {
    const { port, openSignal } = options;
    const host = options.host ?? '';
    const target = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
    const limit = AbortSignal.timeout(OPEN_MAX_MS);
    const signal = openSignal === undefined ? limit : AbortSignal.any([limit, openSignal]);
    try {
      const tunnel = proxy === undefined ? {} : { socket: await openTunnel(proxy, target, signal) };
      const socket = connect({ ...options, ...tunnel }) as Socket;
      return await untilConnected(socket, isTls ? 'secureConnect' : 'connect', signal);
    } catch (error) {
      if (!limit.aborted || openSignal?.aborted) throw error;
      const seconds = `within ${OPEN_MAX_MS / 1000} s`;
      if (proxy === undefined) throw Object.assign(new Error(`No connection ${seconds}`), { code: 'ETIMEDOUT' });
      const message = `${nameOf(proxy)} opened no connection to ${target} ${seconds}. Check ${proxy.variable}, or add the host to NO_PROXY.`;
      throw new ProxyError(message, { cause: error });
    }
  };
  const createConnection: Connect = (options, callback) => {
    open(options as OpenOptions).then(
      (socket) => callback?.(null, socket),
      (error: Error) => callback?.(error),
    );
    return undefined;
  };
  return Object.assign(agent, { createConnection });
}

/** Returns the body of a response. It is read from the connection as fast as it is read here. */
function readBody(incoming: IncomingMessage, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  const ignore = (): undefined => undefined;
  const isGzip = incoming.headers['content-encoding'] === 'gzip';
  // What a connection that was cut has sent is returned, as fetch does.
  const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
  const decoded: Readable = isGzip ? pipeline(incoming, createGunzip(flush), ignore) : incoming;
  // The reader gets it with its next chunk.
  decoded.on('error', ignore);
  const chunks = decoded[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await chunks.next();
          if (done === true) controller.close();
          else controller.enqueue(value);
        } catch (cause) {
          throw signal?.aborted ? signal.reason : new TypeError('terminated', { cause });
        }
      },
      cancel: () => {
        incoming.destroy();
        decoded.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

const bytesIn = (body: unknown): number | undefined => {
  if (typeof body === 'string') return Buffer.byteLength(body);
  if (body instanceof Uint8Array) return body.byteLength;
  return body instanceof Blob ? body.size : undefined;
};

/** Creates the request options of a fetch. A request over http is sent to the proxy itself (RFC 9112 section 3.2.2). */
function requestOptions(url: URL, request: Request, body: unknown, forwarder: HttpProxy | undefined): OpenOptions {
  const length = bytesIn(body);
  return {
    method: request.method,
    ...(forwarder === undefined ? {} : { path: url.href }),
    headers: {
      accept: '*/*',
      'accept-encoding': 'gzip',
      ...Object.fromEntries(request.headers),
      host: url.host,
      ...(length === undefined ? {} : { 'content-length': length }),
      ...(forwarder?.authorization === undefined ? {} : { 'proxy-authorization': forwarder.authorization }),
    },
  };
}

/** Sends a request, and resolves with the response when its headers have arrived. */
function sendRequest(address: URL, options: OpenOptions, body: Request['body']): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = (address.protocol === 'https:' ? requestHttps : requestHttp)(address, options, resolve);
    // It may also fail after the response has begun, which the reader of the body gets.
    outgoing.on('error', reject);
    if (body === null) outgoing.end();
    else
      pipeline(Readable.fromWeb(body as NodeReadableStream), outgoing, (error) => {
        if (error) outgoing.destroy(error);
      });
  });
}

/** @throws ProxyError if the proxy itself answered, Error for a redirect that is not to be returned */
function requireResponse(incoming: IncomingMessage, request: Request, forwarder: HttpProxy | undefined): void {
  const { statusCode: status = 0 } = incoming;
  const isRefused = forwarder !== undefined && status === PROXY_AUTHENTICATION_REQUIRED;
  const isRedirect = status >= 300 && status < 400 && status !== 304 && request.redirect !== 'manual';
  if (!isRefused && !isRedirect) return;
  incoming.destroy();
  if (isRefused) throw statusError(forwarder, new URL(request.url).host, status);
  throw new Error('The redirect was not followed.');
}

function toResponse(incoming: IncomingMessage, { method, url }: Request, signal: AbortSignal | undefined): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = incoming;
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  const isEmpty = method === 'HEAD' || WITHOUT_BODY.has(status);
  if (isEmpty) incoming.resume();
  const response = new Response(isEmpty ? null : readBody(incoming, signal), { status, statusText, headers });
  // A response that was not made by fetch has no URL of its own.
  return Object.defineProperty(response, 'url', { value: url });
}

/**
 * Creates a `fetch` for `createClient` that uses the proxies of the environment: HTTPS_PROXY, HTTP_PROXY and NO_PROXY, also in lower case.
 * It follows no redirect, and has no time limits except 10 s for a connection, because the client has its own.
 * @param environment - such as `process.env`
 * @throws TypeError if a variable is not the URL of an http or https proxy
 */
export function createProxyFetch(environment: ProxyEnvironment): typeof fetch {
  for (const url of ['https://host.invalid', 'http://host.invalid'])
    findProxy({ ...environment, NO_PROXY: '', no_proxy: '' }, new URL(url));
  const agents = new Map<string, HttpAgent>();
  const agentOf = (isTls: boolean, proxy: HttpProxy | undefined): HttpAgent => {
    const key = `${isTls} ${proxy?.url.origin} ${proxy?.authorization}`;
    const agent = agents.get(key) ?? createAgent(isTls, proxy);
    agents.set(key, agent);
    return agent;
  };

  return async (input, init) => {
    const request = new Request(input, init);
    const signal = init?.signal ?? undefined;
    signal?.throwIfAborted();
    const url = new URL(request.url);
    const proxy = findProxy(environment, url);
    const forwarder = url.protocol === 'http:' ? proxy : undefined;
    const address = forwarder?.url ?? url;
    const agent = agentOf(address.protocol === 'https:', forwarder === undefined ? proxy : undefined);
    try {
      const options = { ...requestOptions(url, request, init?.body, forwarder), agent, signal, openSignal: signal };
      const incoming = await sendRequest(address, options, request.body);
      requireResponse(incoming, request, forwarder);
      return toResponse(incoming, request, signal);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      const isSystemError = error instanceof Error && 'code' in error && !(error instanceof ProxyError);
      const cause = isSystemError && forwarder !== undefined ? unreachable(forwarder, error) : error;
      throw new TypeError('fetch failed', { cause });
    }
  };
}
