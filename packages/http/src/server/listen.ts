import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { PROBLEMS, type ProblemCode, ProblemError } from '@sluice/contract';
import type { App } from '../kernel/create-app.ts';
import { HEADER_BYTES_MAX } from '../request/header-bytes.ts';
import { requestIdOf } from '../request/request-id.ts';
import { isEnding } from '../response/end-connection.ts';
import { SECURITY_HEADERS } from '../response/security-headers.ts';

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

interface ClientProblem {
  readonly code: ProblemCode;
  readonly status: number;
  readonly message: string;
}

function problemOf(code: string | undefined, headerBytesMax: number): ClientProblem {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const message = `The request line and headers must have at most ${headerBytesMax / 1024} KiB.`;
    return { code: 'headers_too_large', status: PROBLEMS.headers_too_large.status, message };
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    const message = 'The request was not sent in time.';
    return { code: 'request_timeout', status: PROBLEMS.request_timeout.status, message };
  }
  return { code: 'invalid_request', status: 400, message: 'This is not a valid HTTP/1.1 request.' };
}

/** `_httpMessage` is the response in progress, which Node exposes only on the socket. */
type ClientSocket = Duplex & { readonly _httpMessage?: ServerResponse | null };

/** Whether a connection has no TLS, so that nothing can be sent in it. */
const isOfHandshake = ({ code = '' }: NodeJS.ErrnoException): boolean => /^ERR_(?:SSL|TLS)_/.test(code);

/** Whether the client would read an error as a part of the response in progress, or as the response to a request that was read. */
const hasOtherMeaning = ({ _httpMessage }: ClientSocket): boolean =>
  _httpMessage != null && (_httpMessage.headersSent || _httpMessage.req.complete);

/**
 * Sends the error JSON for a request that Node cannot parse, and closes the connection. Repeats nothing of the request. After a response
 * that ended the connection, none is sent.
 */
function sendClientError(error: NodeJS.ErrnoException, socket: ClientSocket, headerBytesMax: number): void {
  if (error.code === 'ECONNRESET' || isOfHandshake(error) || !socket.writable || hasOtherMeaning(socket)) {
    socket.destroy();
    return;
  }
  const { code, status, message } = problemOf(error.code, headerBytesMax);
  const requestId = requestIdOf(undefined);
  const body = JSON.stringify({ error: code, message, request_id: requestId });
  socket.end(
    [
      `HTTP/1.1 ${status} ${REASONS[status] ?? 'Error'}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      'cache-control: no-store',
      ...Object.entries(SECURITY_HEADERS).map(([name, value]) => `${name}: ${value}`),
      `x-request-id: ${requestId}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

interface DrainOptions {
  /** Time in which new requests are still served, while load balancers remove the endpoint. */
  readonly delayMs: number;
  /** Time for running requests to finish, after the delay. */
  readonly graceMs: number;
  /** Time for aborted requests to end their responses and records. Default: 6 s. */
  readonly cutMs?: number;
}

/** A receipt has 5 s to become durable; the rest is for reporting a failure. */
const CUT_MS_DEFAULT = 6000;

/** Stops the servers of an app as `ListeningServer.drain` describes. */
async function drain(
  { servers, app }: { readonly servers: readonly ClosableServer[]; readonly app: App },
  { delayMs, graceMs, cutMs = CUT_MS_DEFAULT }: DrainOptions,
): Promise<void> {
  const { lifecycle, running } = app;
  lifecycle.moveTo('draining');
  if (delayMs > 0) await wait(delayMs);
  lifecycle.moveTo('refusing');
  if (!(await running.whenIdle(graceMs))) {
    running.abortAll(new ProblemError('server_shutdown', 'The server stopped before the response was complete.'));
    await running.whenIdle(cutMs);
  }
  const closed = servers.map((each) => each.close());
  lifecycle.moveTo('stopped');
  await Promise.all(closed);
}

/** Second port of an app, with TLS. */
export interface SecurePort {
  /** 0 selects a free port. */
  readonly port: number;
  /** PEM. */
  readonly key: string;
  /** PEM. */
  readonly certificate: string;
  /** Called with one sentence if the port cannot be opened: the app is served without TLS then. */
  readonly onUnavailable: (sentence: string) => void;
}

interface ListenOptions {
  readonly app: App;
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Maximum number of connections; a further one is closed immediately. Default: no limit. */
  readonly connectionsMax?: number;
  /** Maximum number of connections of all servers of this process; a further one is closed immediately. Default: no limit. */
  readonly processConnectionsMax?: number;
  /** Default: none. */
  readonly secure?: SecurePort | undefined;
  /** Called when a connection was closed for one of these reasons. */
  readonly onDropped?: () => void;
}

export interface ListeningServer extends AsyncDisposable {
  /** Bound port. */
  readonly port: number;
  readonly url: string;
  /** Bound port with TLS; undefined if there is none. */
  readonly securePort: number | undefined;
  /**
   * Stops in order: probes return 503 immediately; new requests are served for `delayMs`, then rejected with 503; running requests may
   * finish within `graceMs`, then they are aborted with `server_shutdown` and have `cutMs` to end; then all connections are closed.
   * A second call waits for the first.
   */
  drain(options: DrainOptions): Promise<void>;
}

const HEADERS_MS = 20_000;
/**
 * Applies to the upload of a request only; responses have no time limit here. It is long because of files. A body that is read into
 * memory has a shorter limit of its own, and so has an upload that stalls.
 */
const REQUEST_MS = 600_000;
/** Longer than the idle time of the usual load balancers (60 to 75 s), so that the balancer closes first. */
const KEEP_ALIVE_MS = 80_000;
const TIMEOUT_CHECK_MS = 2000;

/** Connections of all servers of this process. */
let openConnections = 0;

/** Largest limit of the operations. The kernel checks the smaller ones. */
const headerBytesMaxOf = ({ routes }: App): number =>
  Math.max(HEADER_BYTES_MAX, ...routes.map(({ operation }) => operation.headerBytesMax ?? 0));

/** A server that is not listening yet. */
interface ClosableServer {
  readonly server: Server;
  /** Closes the port and all connections. */
  close(): Promise<void>;
}

const SERVER_OPTIONS = {
  headersTimeout: HEADERS_MS,
  requestTimeout: REQUEST_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  connectionsCheckingInterval: TIMEOUT_CHECK_MS,
  // The kernel rejects a missing Host itself, with the error JSON.
  requireHostHeader: false,
} as const;

/** Creates the server of a port. One with TLS has each event and method of `Server` that is used here. */
function createPlainOrSecure(secure: SecurePort | undefined, maxHeaderSize: number): Server {
  const options = { ...SERVER_OPTIONS, maxHeaderSize };
  if (secure === undefined) return createServer(options);
  const { key, certificate: cert } = secure;
  return createSecureServer({ ...options, handshakeTimeout: HEADERS_MS, key, cert }) as unknown as Server;
}

/** Limits the connections of a server, and returns what closes all of them. */
function limitConnections(server: Server, options: ListenOptions): () => void {
  const { connectionsMax, processConnectionsMax = Number.POSITIVE_INFINITY, onDropped } = options;
  const sockets = new Set<Socket>();
  if (connectionsMax !== undefined) server.maxConnections = connectionsMax;
  const drop = (): void => {
    onDropped?.();
    // Idle connections make room for new clients.
    server.closeIdleConnections();
  };
  server.on('drop', drop);
  server.on('connection', (socket) => {
    openConnections += 1;
    sockets.add(socket);
    socket.once('close', () => {
      openConnections -= 1;
      sockets.delete(socket);
    });
    if (openConnections <= processConnectionsMax) return;
    socket.destroy();
    drop();
  });
  return () => {
    server.closeAllConnections();
    // Those without a request, of which a server with TLS knows nothing before the end of the handshake.
    for (const socket of sockets) socket.destroy();
  };
}

function createHttpServer(options: ListenOptions, secure?: SecurePort): ClosableServer {
  const { app } = options;
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (!isEnding(request.socket)) app.handler(request, response);
  };
  const headerBytesMax = headerBytesMaxOf(options.app);
  const server = createPlainOrSecure(secure, headerBytesMax);
  const closeConnections = limitConnections(server, options);
  // By default Node silently drops headers beyond 2,000. Their total size is limited already.
  server.maxHeadersCount = 0;
  server.on('request', handle);
  // The kernel sends `100 Continue` when it reads the body.
  server.on('checkContinue', handle);
  server.on('checkExpectation', handle);
  server.on('clientError', (error, socket) => sendClientError(error, socket, headerBytesMax));
  return {
    server,
    async close() {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      closeConnections();
      await closed;
    },
  };
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const address = `${host}:${port}`;
  if (error.code === 'EADDRINUSE') {
    return new Error(`Port ${port} on ${host} is in use by another program. Stop it, or choose another port.`, {
      cause: error,
    });
  }
  if (error.code === 'EACCES') {
    return new Error(`This user may not listen on ${address}. Choose a port from 1024 on.`, { cause: error });
  }
  return new Error(`Cannot listen on ${address} (${error.code ?? error.message}).`, { cause: error });
}

/** Opens a port. Returns the one that was bound. */
async function open({ server }: ClosableServer, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, host, port)));
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Opens the second port, with TLS. Undefined: there is none, or it cannot be opened. */
async function openSecure(
  options: ListenOptions,
): Promise<{ readonly port: number; readonly server: ClosableServer } | undefined> {
  const { secure, host } = options;
  if (secure === undefined) return undefined;
  try {
    const server = createHttpServer(options, secure);
    return { port: await open(server, host, secure.port), server };
  } catch (thrown) {
    secure.onUnavailable(thrown instanceof Error ? thrown.message : String(thrown));
    return undefined;
  }
}

/** Opens the ports and serves the app. Rejects with a readable message if the port without TLS cannot be opened. */
export async function listen(options: ListenOptions): Promise<ListeningServer> {
  const { app, host } = options;
  const plain = createHttpServer(options);
  const port = await open(plain, host, options.port);
  const secure = await openSecure(options);
  const servers = secure === undefined ? [plain] : [plain, secure.server];
  let draining: Promise<void> | undefined;
  const stop = (drainOptions: DrainOptions): Promise<void> => {
    draining ??= drain({ servers, app }, drainOptions);
    return draining;
  };
  return {
    port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    securePort: secure?.port,
    drain: stop,
    [Symbol.asyncDispose]: () => stop({ delayMs: 0, graceMs: 0 }),
  };
}
