import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestTarget,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Fault of a response body after its first `afterBytes` bytes.
 * - `cut`: the connection is closed before the end of the body.
 * - `reset`: the connection is reset (TCP RST), as when a host dies. Bytes on the way may be lost too.
 * - `end`: the body ends as a complete one does, as behind a proxy that hides the failure of its server.
 * - `stall`: nothing more arrives, and the connection stays open.
 * - `pause`: nothing arrives for `pauseMs`, and then the rest.
 * - `slow`: the rest arrives at `bytesPerSecond`.
 */
export interface BodyFault {
  readonly kind: 'cut' | 'reset' | 'end' | 'stall' | 'pause' | 'slow';
  readonly afterBytes: number;
  /** Length of `pause`. Default: 1,000. */
  readonly pauseMs?: number;
  /** Rate of `slow`. Default: 1,000. */
  readonly bytesPerSecond?: number;
  /** Whether the host may compress the body. Default: it may not, so that bytes are those of the text. */
  readonly mayCompress?: boolean;
  /** Number of responses that are damaged. Default: all. */
  readonly times?: number;
}

export interface CannedResponse {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

/**
 * Faults before the headers of a response.
 * - `unsent`: the connection is closed, and the host never sees the request.
 * - `lost`: the host gets the request and answers, and the connection is closed instead.
 * - `silent`: no response arrives, and the connection stays open. The host never sees the request.
 * - `delayMs`: the host gets the request after this time.
 */
export type HeaderFault = 'unsent' | 'lost' | 'silent' | { readonly delayMs: number };

/** Request that arrived at the proxy. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly atMs: number;
}

/** HTTP proxy between a client and a host, which damages or replaces responses. */
export interface CuttingProxy extends AsyncDisposable {
  readonly url: string;
  readonly seen: SeenRequest[];
  /** Damages the body of each response whose request path begins with `path`, until the next call. Undefined: none. */
  damage(path: string, fault: BodyFault | undefined): void;
  /** Returns these responses to the next requests whose path begins with `path`, without asking the host, or fails as they say. */
  reply(path: string, ...responses: readonly (CannedResponse | HeaderFault)[]): void;
  /** Forwards everything unchanged again. */
  reset(): void;
}

interface ProxyState {
  readonly target: URL;
  readonly seen: SeenRequest[];
  readonly faults: Map<string, BodyFault>;
  readonly canned: Map<string, (CannedResponse | HeaderFault)[]>;
}

/** Returns the fault of a response, and counts it. */
function takeFault(faults: Map<string, BodyFault>, path: string): BodyFault | undefined {
  const [prefix, fault] = [...faults].find(([each]) => path.startsWith(each)) ?? [];
  if (prefix === undefined || fault?.times === undefined) return fault;
  if (fault.times <= 1) faults.delete(prefix);
  else faults.set(prefix, { ...fault, times: fault.times - 1 });
  return fault.times < 1 ? undefined : fault;
}

const nextReply = (canned: ProxyState['canned'], path: string): CannedResponse | HeaderFault | undefined =>
  [...canned].find(([prefix, left]) => path.startsWith(prefix) && left.length > 0)?.[1].shift();

const SLOW_INTERVAL_MS = 50;

/** Forwards the rest of a body at a rate. */
async function forwardSlowly(incoming: IncomingMessage, response: ServerResponse, bytesPerSecond: number) {
  const step = Math.max(1, Math.ceil((bytesPerSecond * SLOW_INTERVAL_MS) / 1000));
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    for (let offset = 0; offset < chunk.length && !response.destroyed; offset += step) {
      response.write(chunk.subarray(offset, offset + step));
      await delay(SLOW_INTERVAL_MS);
    }
  }
  response.end();
}

function applyFault(incoming: IncomingMessage, response: ServerResponse, fault: BodyFault): void {
  incoming.removeAllListeners('data');
  if (fault.kind === 'slow') {
    forwardSlowly(incoming, response, fault.bytesPerSecond ?? 1000).catch(() => response.destroy());
    return;
  }
  if (fault.kind === 'pause') {
    const timer = setTimeout(() => forwardBody(incoming, response), fault.pauseMs ?? 1000);
    response.once('close', () => clearTimeout(timer));
    return;
  }
  incoming.destroy();
  if (fault.kind === 'end') response.end();
  if (fault.kind === 'cut') response.socket?.destroySoon();
  if (fault.kind === 'reset') response.socket?.resetAndDestroy();
}

function forwardBody(incoming: IncomingMessage, response: ServerResponse): void {
  incoming.pipe(response);
  incoming.on('error', () => response.destroy());
}

function damageBody(incoming: IncomingMessage, response: ServerResponse, fault: BodyFault): void {
  let left = fault.afterBytes;
  const damage = () => applyFault(incoming, response, fault);
  if (left === 0) return void response.write('', damage);
  incoming.on('data', (chunk: Buffer) => {
    if (left <= 0) return;
    const part = chunk.subarray(0, left);
    left -= part.length;
    if (left <= 0) {
      incoming.pause();
      if (part.length < chunk.length) incoming.unshift(chunk.subarray(part.length));
      return void response.write(part, damage);
    }
    if (!response.write(part)) {
      incoming.pause();
      response.once('drain', () => incoming.resume());
    }
  });
  incoming.on('end', () => left > 0 && response.end());
  incoming.on('error', () => left > 0 && response.destroy());
}

/** Sends a prepared response, or fails before the headers. Returns whether the host must still get the request. */
function replyWith(canned: CannedResponse | HeaderFault, incoming: IncomingMessage, response: ServerResponse): boolean {
  if (canned === 'lost' || (typeof canned === 'object' && 'delayMs' in canned)) return true;
  incoming.resume();
  if (canned === 'unsent') response.destroy();
  else if (canned !== 'silent') response.writeHead(canned.status, canned.headers).end(canned.body);
  return false;
}

function forward(state: ProxyState, incoming: IncomingMessage, response: ServerResponse): void {
  const path = incoming.url ?? '/';
  const { method = 'GET', headers } = incoming;
  state.seen.push({ method, path, atMs: performance.now() });
  // The browser sends preflights by itself (Fetch standard, section 4.8).
  const isPreflight = method === 'OPTIONS';
  const canned = isPreflight ? undefined : nextReply(state.canned, path);
  if (canned !== undefined && !replyWith(canned, incoming, response)) return;
  const fault = isPreflight ? undefined : takeFault(state.faults, path);
  const { 'accept-encoding': _encodings, ...identity } = headers;
  const options = { method, headers: fault === undefined || fault.mayCompress === true ? headers : identity };
  const outgoing = requestTarget(new URL(path, state.target), options, (received) => {
    if (canned === 'lost') return void response.destroy();
    // A damaged body has no length that fits, so it is sent in chunks.
    const { 'content-length': length, ...rest } = received.headers;
    response.writeHead(
      received.statusCode ?? 502,
      fault === undefined && length !== undefined ? received.headers : rest,
    );
    response.flushHeaders();
    if (fault === undefined) forwardBody(received, response);
    else damageBody(received, response, fault);
  });
  outgoing.on('error', () => response.destroy());
  response.on('close', () => outgoing.destroy());
  const delayMs = typeof canned === 'object' && 'delayMs' in canned ? canned.delayMs : 0;
  if (delayMs === 0) incoming.pipe(outgoing);
  else setTimeout(() => incoming.pipe(outgoing), delayMs);
}

/** Starts a proxy in front of a host. */
export async function startCuttingProxy(targetUrl: string): Promise<CuttingProxy> {
  const state: ProxyState = {
    target: new URL(targetUrl),
    seen: [],
    faults: new Map(),
    canned: new Map(),
  };
  const server = createServer((incoming, response) => forward(state, incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: state.seen,
    damage: (path, fault) => {
      if (fault === undefined) state.faults.delete(path);
      else state.faults.set(path, fault);
    },
    reply: (path, ...responses) => void state.canned.set(path, [...responses]),
    reset: () => {
      state.faults.clear();
      state.canned.clear();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
