import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const PATH = '/callback';

/** Response of the authorization server, which the browser has brought here and waits for the outcome of. */
export interface LoopbackResponse {
  readonly query: URLSearchParams;
  /** Leads the browser to a page of the host. Resolves when the browser has the response, or is gone. */
  readonly redirect: (location: string) => Promise<void>;
  /** Shows the browser that the login has failed. Resolves as `redirect` does. */
  readonly fail: () => Promise<void>;
}

/** Server on this computer to which the browser returns after a login (RFC 8252 section 7.3). */
export interface LoopbackServer extends AsyncDisposable {
  readonly redirectUri: string;
  /**
   * Waits for the response with this state. Other requests, such as of a page that guesses the port, are rejected.
   * @throws the reason of the signal when it is aborted
   */
  readonly response: (state: string, signal: AbortSignal) => Promise<LoopbackResponse>;
}

const HEADERS = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
};

const end = (response: ServerResponse, status: number, text: string): Promise<void> =>
  new Promise((resolve) => {
    response.once('close', resolve);
    response.writeHead(status, HEADERS).end(`${text}\n`);
  });

/** Returns the query of a response with this state; undefined for any other request. */
function queryOf({ method, url = '' }: IncomingMessage, state: string): URLSearchParams | undefined {
  const address = `http://127.0.0.1${url}`;
  if (!URL.canParse(address)) return undefined;
  const { pathname, searchParams } = new URL(address);
  return method === 'GET' && pathname === PATH && searchParams.get('state') === state ? searchParams : undefined;
}

interface Waiting {
  readonly state: string;
  readonly resolve: (response: LoopbackResponse) => void;
}

/** Listens on a free port. No other computer can reach it. */
export async function openLoopbackServer(): Promise<LoopbackServer> {
  let waiting: Waiting | undefined;
  const server = createServer((request, response) => {
    const query = waiting && queryOf(request, waiting.state);
    if (query === undefined) return void end(response, 404, 'No login with this state is waiting here.');
    waiting?.resolve({
      query,
      redirect: (location) => end(response.setHeader('location', location), 303, 'Logged in.'),
      fail: () => end(response, 400, 'The login failed. The terminal says why. You can close this window.'),
    });
    waiting = undefined;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    redirectUri: `http://127.0.0.1:${port}${PATH}`,
    response: (state, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error);
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
        waiting = { state, resolve };
      }),
    // A browser that keeps its connection open does not keep the process: that one ends by itself (main.ts).
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}
