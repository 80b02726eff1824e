import type { Operation, Permission, Principal, Tenant } from '@sluice/contract';
import { ProblemError } from '@sluice/contract';
import { createLogger, createMetrics, type Metrics } from '@sluice/observability';
import {
  type App,
  type AppOptions,
  createApp,
  type Denial,
  type ListeningServer,
  listen,
  type Route,
} from '../src/index.ts';
import { type RawResponse, rawExchange } from './raw-exchange.ts';

const TENANTS: Readonly<Record<string, Tenant>> = {
  acme: { id: '1', name: 'acme', state: 'active', settings: {} },
  globex: { id: '2', name: 'globex', state: 'active', settings: {} },
  halted: { id: '3', name: 'halted', state: 'suspended', settings: {} },
};

/** Names are `<user>@<tenant>`; a token in `idtoken` is such a name. `nobody` has no permission at all. */
function principalOf(name: string): Principal | undefined {
  const [user = '', tenantName = ''] = name.split('@');
  const tenant = TENANTS[tenantName];
  if (tenant === undefined || user === '') return undefined;
  const permissions = new Set<Permission>(user === 'nobody' ? [] : ['query:run']);
  return { tenant, kind: 'user', id: user, name, roles: [], permissions, authenticatedAtMs: performance.now() };
}

const authenticator: AppOptions['authenticator'] = {
  async authenticate(request, _accepted, { tenant }) {
    const principal = principalOf(String(request.headers['idtoken'] ?? ''));
    if (principal === undefined || (tenant !== undefined && tenant.name !== principal.tenant.name)) {
      throw new ProblemError('unauthorized', 'Send a valid ID token in the idtoken header.');
    }
    return principal;
  },
};

export interface Started extends AsyncDisposable {
  readonly app: App;
  readonly server: ListeningServer;
  readonly metrics: Metrics;
  readonly denials: readonly Denial[];
  /** Every log line so far. */
  readonly logLines: () => readonly Record<string, unknown>[];
  readonly address: (path: string) => string;
  /** A JSON body as `ann@acme`, unless the headers say otherwise. */
  readonly post: (path: string, body: string, headers?: Readonly<Record<string, string>>) => Promise<Response>;
  /** Lines of a head and a body as they stand, in a connection of their own. */
  readonly raw: (lines: readonly string[], body?: string) => Promise<RawResponse>;
}

/** Returns the status and the error code of a rejected request. */
export async function errorOf(response: Response): Promise<readonly [number, unknown]> {
  const body = (await response.json()) as Record<string, unknown>;
  return [response.status, body['error']];
}

/** A kernel on a free port of the loopback interface, with an authenticator of the tests' own. */
export async function startApp(options: { readonly routes: readonly Route[] } & Partial<AppOptions>): Promise<Started> {
  const denials: Denial[] = [];
  const lines: string[] = [];
  const metrics = createMetrics('test');
  const app = createApp({
    authenticator,
    tenants: { find: async (name) => (Object.hasOwn(TENANTS, name) ? TENANTS[name] : undefined) },
    tenantHostSuffix: 'stream.*',
    allowedOrigins: (origin) => origin === 'https://console.example.com',
    onDenied: async (denial) => void denials.push(denial),
    log: createLogger({ service: 'test', level: 'debug', destination: { write: (line) => void lines.push(line) } }),
    metrics,
    ...options,
  });
  const server = await listen({ app, host: '127.0.0.1', port: 0 });
  const address = (path: string): string => `${server.url}${path}`;
  return {
    app,
    server,
    metrics,
    denials,
    logLines: () => lines.map((line) => JSON.parse(line)),
    address,
    post: (path, body, headers = {}) =>
      fetch(address(path), {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', idtoken: 'ann@acme', ...headers },
      }),
    raw: (lines, body = '') =>
      rawExchange(server.port, `${[...lines, 'Connection: close', '', ''].join('\r\n')}${body}`),
    [Symbol.asyncDispose]: () => server.drain({ delayMs: 0, graceMs: 0, cutMs: 50 }),
  };
}

const DEFAULTS = {
  id: 'test',
  subject: 'health',
  method: 'GET',
  path: '/test',
  summary: 'For tests',
  credentials: [],
  responses: { 200: { description: 'Done' } },
  problems: [],
} as const satisfies Operation;

/** An operation of the tests' own: open, without input, unless it is given otherwise. */
export const operation = <const O extends Partial<Operation>>(given: O) =>
  ({ ...DEFAULTS, ...given }) as Omit<typeof DEFAULTS, keyof O> & O;
