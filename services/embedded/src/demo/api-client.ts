import { StartFailure } from '../start-failure.ts';

/** The API as one of the demo's accounts uses it: over HTTP, with an ID token, like anybody. */
export interface ApiClient {
  get<T>(path: string): Promise<T>;
  /** @throws StartFailure with the service's own sentence, for any answer that is no success */
  post<T>(path: string, body?: unknown): Promise<T>;
  /** @throws StartFailure, as `post` */
  put<T>(path: string, body: unknown): Promise<T>;
  /** The same account at another host. */
  at(url: string): ApiClient;
}

export interface Login {
  /** Of the API host. */
  readonly url: string;
  readonly tenant: string;
  readonly email: string;
  readonly password: string;
  readonly signal: AbortSignal;
}

interface Request {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal: AbortSignal;
}

const send = async <T>(url: string, { method, headers, body, signal }: Request): Promise<T> => {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(url, { method, headers: { ...type, ...headers }, ...sent, signal });
  const answer = (await response.json()) as { readonly message?: string };
  if (!response.ok) throw new StartFailure(`${method} ${new URL(url).pathname} was refused: ${answer.message ?? ''}`);
  return answer as T;
};

/** Logs in. @throws StartFailure where the login is refused */
export async function openApi({ url, tenant, email, password, signal }: Login): Promise<ApiClient> {
  const login = { method: 'POST', headers: {}, body: { email, password }, signal } as const;
  const tokens = await send<{ id_token: string }>(`${url}/auth/login/${tenant}`, login);
  const headers = { idtoken: tokens.id_token };
  const clientOf = (base: string): ApiClient => ({
    get: (path) => send(`${base}${path}`, { method: 'GET', headers, signal }),
    post: (path, body) => send(`${base}${path}`, { method: 'POST', headers, body, signal }),
    put: (path, body) => send(`${base}${path}`, { method: 'PUT', headers, body, signal }),
    at: clientOf,
  });
  return clientOf(url);
}
