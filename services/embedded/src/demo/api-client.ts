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
  readonly signal: AbortSignal;
}

interface Request {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: { readonly mediaType: string; readonly text: string } | undefined;
  readonly signal: AbortSignal;
}

const asJson = (value: unknown): Request['body'] =>
  value === undefined ? undefined : { mediaType: 'application/json', text: JSON.stringify(value) };

const send = async <T>(url: string, { method, headers, body, signal }: Request): Promise<T> => {
  const sent = body === undefined ? {} : { body: body.text };
  const type = body === undefined ? {} : { 'content-type': body.mediaType };
  const response = await fetch(url, { method, headers: { ...type, ...headers }, ...sent, signal });
  const content = (await response.json()) as { readonly message?: string };
  if (!response.ok) throw new StartFailure(`${method} ${new URL(url).pathname} failed: ${content.message ?? ''}`);
  return content as T;
};

/** Logs in. @throws StartFailure when the login fails */
export async function openApi({ url, tenant, email, password, signal }: Login): Promise<ApiClient> {
  const login = { method: 'POST', headers: {}, body: asJson({ email, password }), signal } as const;
  const { id_token: idtoken } = await send<{ id_token: string }>(`${url}/auth/login/${tenant}`, login);
  const headers = { idtoken };
  return {
    get: (path) => send(`${url}${path}`, { method: 'GET', headers, signal }),
    post: (path, body) => send(`${url}${path}`, { method: 'POST', headers, body: asJson(body), signal }),
    postYaml: (path, text) =>
      send(`${url}${path}`, { method: 'POST', headers, body: { mediaType: 'application/yaml', text }, signal }),
  };
}
