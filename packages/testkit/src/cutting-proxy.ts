import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestTarget,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What happens to the response body after `afterBytes` bytes of it.
 * - `cut`: the connection is destroyed.
 * - `end`: the body ends as a complete one does, as behind a proxy that hides the failure of its server.
 * - `stall`: nothing more arrives, and the connection stays open.
 */
export interface BodyFault {
  readonly kind: 'cut' | 'end' | 'stall';
  readonly afterBytes: number;
  /** Whether the host may compress the body. Default: it may not, so that bytes are those of the text. */
  readonly mayCompress?: boolean;
}

export interface CannedResponse {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

/** Request that arrived at the proxy. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly atMs: number;
}

/** HTTP proxy between a client and a host, which damages responses. */
export interface CuttingProxy extends AsyncDisposable {
  readonly url: string;
  readonly seen: SeenRequest[];
  /** Damages the body of each response whose request path begins with `path`, until the next call. Undefined: none. */
  damage(path: string, fault: BodyFault | undefined): void;
  /** Returns these responses to the next requests whose path begins with `path`, without asking the host. */
  reply(path: string, ...responses: readonly CannedResponse[]): void;
  /** Forwards everything unchanged again. */
  reset(): void;
}

interface ProxyState {
  readonly target: URL;
  readonly seen: SeenRequest[];
  readonly faults: Map<string, BodyFault>;
  readonly canned: Map<string, CannedResponse[]>;
}

const faultOf = (faults: Map<string, BodyFault>, path: string): BodyFault | undefined =>
  [...faults].find(([prefix]) => path.startsWith(prefix))?.[1];

function damageBody(incoming: IncomingMessage, response: ServerResponse, fault: BodyFault | undefined): void {
  let left = fault?.afterBytes ?? Number.POSITIVE_INFINITY;
  const applyFault = (): void => {
    incoming.destroy();
    if (fault?.kind === 'end') response.end();
    if (fault?.kind === 'cut') response.socket?.destroySoon();
  };
  if (left === 0) return void response.write('', applyFault);
  incoming.on('data', (chunk: Buffer) => {
    if (left <= 0) return;
    const part = chunk.subarray(0, left);
    left -= part.length;
    if (left <= 0) return void response.write(part, applyFault);
    if (!response.write(part)) {
      incoming.pause();
      response.once('drain', () => incoming.resume());
    }
  });
  incoming.on('end', () => left > 0 && response.end());
  incoming.on('error', () => left > 0 && response.destroy());
}

function forward(state: ProxyState, incoming: IncomingMessage, response: ServerResponse): void {
  const path = incoming.url ?? '/';
  const { method = 'GET', headers } = incoming;
  state.seen.push({ method, path, atMs: performance.now() });
  const canned = [...state.canned].find(([prefix, left]) => path.startsWith(prefix) && left.length > 0)?.[1].shift();
  if (canned !== undefined) {
    incoming.resume();
    response.writeHead(canned.status, canned.headers).end(canned.body);
    return;
  }
  const fault = faultOf(state.faults, path);
  const { 'accept-encoding': _encodings, ...identity } = headers;
  const options = { method, headers: fault === undefined || fault.mayCompress === true ? headers : identity };
  const outgoing = requestTarget(new URL(path, state.target), options, (received) => {
    // A damaged body has no length that fits, so it is sent in chunks.
    const { 'content-length': length, ...rest } = received.headers;
    response.writeHead(
      received.statusCode ?? 502,
      fault === undefined && length !== undefined ? received.headers : rest,
    );
    response.flushHeaders();
    damageBody(received, response, fault);
  });
  outgoing.on('error', () => response.destroy());
  response.on('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
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
