import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

export const CLIENT_ID = 'sluice';
export const CLIENT_SECRET = 'secret of sluice: + % at the provider';

/** A header parameter that no verifier knows. */
export const UNKNOWN_EXTENSION = 'extension-of-the-provider';

type Claims = Readonly<Record<string, unknown>>;

/** Faults of a provider. Everything that is absent works correctly. */
export interface Faults {
  /** Replaces the discovery document. */
  discovery?(document: Claims, response: ServerResponse): unknown;
  /** Parameters that the browser brings back. */
  callback?(query: URLSearchParams): void;
  /** The payload of the ID token. */
  payload?(claims: JWTPayload): JWTPayload;
  /** The whole ID token. */
  idToken?(claims: JWTPayload): Promise<string> | string;
  keys?(keys: Claims[]): Claims[];
  userInfo?(claims: Claims): Claims;
  /** True if the handler has sent the response itself. */
  token?(response: ServerResponse): boolean;
}

interface Pending {
  readonly query: URLSearchParams;
  readonly claims: Claims;
}

/** A small OpenID provider without passwords: every login is a login of `person`. */
export interface OpenIdProvider extends AsyncDisposable {
  readonly issuer: string;
  /** Claims of the next login. */
  person: Claims;
  /** Names of the claims that only the user info contains. */
  inUserInfo: readonly string[];
  faults: Faults;
  /** Requested paths. */
  readonly requestedPaths: string[];
  /** Codes and tokens that it has issued. */
  readonly issued: string[];
  /** Signs claims with the key of the provider. */
  sign(claims: JWTPayload, header?: Record<string, unknown>): Promise<string>;
}

const respond = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

const readForm = async (request: IncomingMessage): Promise<URLSearchParams> => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return new URLSearchParams(text);
};

const isClient = (request: IncomingMessage): boolean => {
  const [, basic = ''] = /^Basic (.+)$/.exec(request.headers.authorization ?? '') ?? [];
  const [id, secret] = Buffer.from(basic, 'base64')
    .toString()
    .split(':')
    .map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
  return id === CLIENT_ID && secret === CLIENT_SECRET;
};

const verifies = (query: URLSearchParams, form: URLSearchParams): boolean =>
  query.get('code_challenge_method') === 'S256' &&
  createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url') === query.get('code_challenge') &&
  query.get('redirect_uri') === form.get('redirect_uri');

export async function startOpenIdProvider(port = 0): Promise<OpenIdProvider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'of-the-provider', alg: 'RS256', use: 'sig' };
  const codes = new Map<string, Pending>();
  const tokens = new Map<string, Claims>();
  const requestedPaths: string[] = [];
  const issued: string[] = [];
  const server = createServer((request, response) => void serve(request, response)).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const document = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    userinfo_endpoint: `${issuer}/userinfo`,
    end_session_endpoint: `${issuer}/logout`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    authorization_response_iss_parameter_supported: true,
  };

  const provider: OpenIdProvider = {
    issuer,
    person: { sub: 'ann', email: 'ann@example.com', email_verified: true },
    inUserInfo: [],
    faults: {},
    requestedPaths,
    issued,
    sign: (claims, header = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: jwk.kid, ...header })
        .sign(privateKey, { crit: { [UNKNOWN_EXTENSION]: true } }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };

  const authorize = (query: URLSearchParams, response: ServerResponse): void => {
    const code = randomUUID();
    issued.push(code);
    codes.set(code, { query, claims: provider.person });
    const back = new URLSearchParams({ code, state: query.get('state') ?? '', iss: issuer });
    provider.faults.callback?.(back);
    response.writeHead(302, { location: `${query.get('redirect_uri')}?${back}` }).end();
  };

  const idTokenOf = async ({ query, claims }: Pending): Promise<string> => {
    const now = Math.floor(Date.now() / 1000);
    const inToken = Object.fromEntries(Object.entries(claims).filter(([name]) => !provider.inUserInfo.includes(name)));
    const payload = {
      iss: issuer,
      aud: CLIENT_ID,
      iat: now,
      exp: now + 300,
      nonce: query.get('nonce') ?? '',
      ...inToken,
    };
    const changed = provider.faults.payload?.(payload) ?? payload;
    return (await provider.faults.idToken?.(changed)) ?? provider.sign(changed);
  };

  const token = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const form = await readForm(request);
    if (provider.faults.token?.(response) === true) return;
    const code = form.get('code') ?? '';
    const pending = codes.get(code);
    codes.delete(code);
    if (!isClient(request)) return respond(response, 401, { error: 'invalid_client' });
    if (pending === undefined || !verifies(pending.query, form))
      return respond(response, 400, { error: 'invalid_grant' });
    const accessToken = randomUUID();
    tokens.set(accessToken, pending.claims);
    const idToken = await idTokenOf(pending);
    issued.push(accessToken, idToken);
    respond(response, 200, { access_token: accessToken, token_type: 'Bearer', expires_in: 300, id_token: idToken });
  };

  const userInfo = (request: IncomingMessage, response: ServerResponse): void => {
    const claims = tokens.get((request.headers.authorization ?? '').replace(/^Bearer /, ''));
    if (claims === undefined) respond(response, 401, { error: 'invalid_token' });
    else respond(response, 200, provider.faults.userInfo?.(claims) ?? claims);
  };

  const discovery = (response: ServerResponse): void => {
    const body = provider.faults.discovery === undefined ? document : provider.faults.discovery(document, response);
    if (body !== undefined) respond(response, 200, body);
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer);
    requestedPaths.push(pathname);
    if (pathname === '/.well-known/openid-configuration') return discovery(response);
    if (pathname === '/authorize') return authorize(searchParams, response);
    if (pathname === '/token') return await token(request, response);
    if (pathname === '/userinfo') return userInfo(request, response);
    if (pathname === '/jwks') return respond(response, 200, { keys: provider.faults.keys?.([jwk]) ?? [jwk] });
    respond(response, 404, {});
  };

  return provider;
}
