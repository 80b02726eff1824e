import { setTimeout as wait } from 'node:timers/promises';
import { StartFailure } from '../start-failure.ts';

/** Client of the API over HTTP, with the ID token of one of the demo's accounts. */
export interface ApiClient {
  get<T>(path: string): Promise<T>;
  /** @throws StartFailure with the service's message, for any response other than 2xx */
  post<T>(path: string, body?: unknown): Promise<T>;
  /** @throws StartFailure like `post` */
  postYaml<T>(path: string, text: string): Promise<T>;
}

interface Login {
  /** URL of the API host. */
  readonly url: string;
  readonly tenant: string;
  readonly email: string;
  readonly password: string;
  /** Receives a line when the host is busy and a request waits for it. */
  readonly announce: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Responses after which the same request may succeed: the host has too much to do, or its database does not answer. */
const BUSY_STATUSES: ReadonlySet<number> = new Set([429, 503]);
/** A request is repeated for this long. */
const BUSY_TIMEOUT_MS = 300_000;
const RETRY_AFTER_SECONDS = 1;

interface Request {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: { readonly mediaType: string; readonly text: string } | undefined;
  readonly announce: (line: string) => void;
  readonly signal: AbortSignal;
}

const asJson = (value: unknown): Request['body'] =>
  value === undefined ? undefined : { mediaType: 'application/json', text: JSON.stringify(value) };

/** Sends a request, and repeats it while the host is busy: each request of the start has the same result when it is sent twice. */
const send = async <T>(url: string, request: Request): Promise<T> => {
  const until = Date.now() + BUSY_TIMEOUT_MS;
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetchWith(url, request);
    const content = (await response.json()) as { readonly message?: string };
    if (response.ok) return content as T;
    const what = `${request.method} ${new URL(url).pathname}`;
    if (!BUSY_STATUSES.has(response.status) || Date.now() > until)
      throw new StartFailure(`${what} failed: ${content.message ?? ''}`);
    if (attempt === 1) request.announce(`The host is busy (${what}). Waiting ...`);
    const seconds = Number(response.headers.get('retry-after') ?? RETRY_AFTER_SECONDS);
    await wait(seconds * 1000, undefined, { signal: request.signal });
  }
};

const fetchWith = (url: string, { method, headers, body, signal }: Request): Promise<Response> => {
  const sent = body === undefined ? {} : { body: body.text };
  const type = body === undefined ? {} : { 'content-type': body.mediaType };
  return fetch(url, { method, headers: { ...type, ...headers }, ...sent, signal });
};

/** Logs in. @throws StartFailure when the login fails */
export async function openApi({ url, tenant, email, password, announce, signal }: Login): Promise<ApiClient> {
  const options = { announce, signal };
  const login = { method: 'POST', headers: {}, body: asJson({ email, password }), ...options } as const;
  const { id_token: idtoken } = await send<{ id_token: string }>(`${url}/auth/login/${tenant}`, login);
  const headers = { idtoken };
  return {
    get: (path) => send(`${url}${path}`, { method: 'GET', headers, ...options }),
    post: (path, body) => send(`${url}${path}`, { method: 'POST', headers, body: asJson(body), ...options }),
    postYaml: (path, text) =>
      send(`${url}${path}`, { method: 'POST', headers, body: { mediaType: 'application/yaml', text }, ...options }),
  };
}
