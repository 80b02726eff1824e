import { TRINO_CLIENT } from '@sluice/auth';
import { apiOperations, asProblem, type ExternalLoginState, type ProblemCode, ProblemError } from '@sluice/contract';
import {
  json,
  noContent,
  pageLanguage,
  type Route,
  type RouteRequest,
  type RouteResponse,
  redirect,
  route,
} from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import type { UseCases } from '../../context/use-cases.ts';
import { externalLoginDecided, externalLoginForm } from '../../pages/external-login-form.ts';
import { anonymousCallerOf } from '../../request/anonymous-caller-of.ts';
import { recordingInvalidInput, recordingRefusal } from '../../request/record-refusals.ts';
import { refuseFrame, requireOwnOrigin } from '../../request/request-origin.ts';
import { sessionCookieName } from '../../request/session-cookie.ts';
import { TOKEN_HEADERS } from '../../request/token-headers.ts';
import { TRINO_SCOPE } from '../../use-cases/identity/external-login.ts';
import type { BrowserSession } from '../../use-cases/identity/find-browser-session.ts';
import { loginPath } from '../../use-cases/identity/login-path.ts';

type ExternalLoginContext = Pick<
  UseCases,
  | 'findBrowserSession'
  | 'findExternalLogin'
  | 'decideExternalLogin'
  | 'pollExternalLogin'
  | 'endExternalLogin'
  | 'recordRefusal'
> &
  Pick<ApiContext, 'events'>;

type DecideRequest = RouteRequest<typeof apiOperations.decideExternalLogin>;
type PageRequest = RouteRequest<typeof apiOperations.externalLoginPage> | DecideRequest;
type PollRequest = RouteRequest<typeof apiOperations.pollExternalLogin>;

/** `method` of the record of a refusal. */
const METHOD = 'external_login';

/** 256 random bits in base64url. No client waits for anything else. */
const SECRET = /^[\w-]{43}$/;

/** Refusals that a driver shows to its user. It ends with any other status than 200. */
const SHOWN_BY_DRIVERS: ReadonlySet<ProblemCode> = new Set(['grant_denied', 'expired_token', 'invalid_grant']);

/** The login of Trino clients in a browser: the page /auth/external/{tenant}, and the address that drivers poll. */
export function externalLoginRoutes(context: ExternalLoginContext): readonly Route[] {
  const { findBrowserSession, findExternalLogin, decideExternalLogin, recordRefusal, events } = context;
  const { pollExternalLogin, endExternalLogin } = context;

  const recording = <Result>(request: PageRequest | PollRequest, step: () => Promise<Result>): Promise<Result> =>
    recordingRefusal(recordRefusal, { request, method: METHOD, clientId: TRINO_CLIENT.id }, step);

  const withSession = async (
    request: PageRequest,
    { login, status }: { readonly login: string; readonly status: 302 | 303 },
    next: (session: BrowserSession, returnTo: string) => Promise<RouteResponse>,
  ): Promise<RouteResponse> => {
    const { tenant, baseUrl, cookies } = request;
    const session = await findBrowserSession({ tenant }, cookies.get(sessionCookieName({ tenant, baseUrl })));
    const returnTo = `/auth/external/${tenant.name}?${new URLSearchParams({ login })}`;
    return session === undefined ? redirect(status, loginPath(tenant, returnTo)) : await next(session, returnTo);
  };

  const ask = async (request: PageRequest, login: string): Promise<RouteResponse> => {
    const { tenant, headers, address } = request;
    const requested = await findExternalLogin({ tenant }, login);
    const status = request.operation.method === 'GET' ? 302 : 303;
    return await withSession(request, { login, status }, async (session, returnTo) => {
      const language = pageLanguage(headers);
      return externalLoginForm({ tenant, language, session, scope: TRINO_SCOPE, requested, login, address, returnTo });
    });
  };

  const decide = async (request: DecideRequest, session: BrowserSession): Promise<RouteResponse> => {
    const { tenant, body, headers, requestId } = request;
    const user = session.account.name;
    const decision = body.decision === 'approve' ? 'approved' : 'denied';
    await decideExternalLogin({ tenant }, { login: body.login, session, decision });
    if (decision === 'approved') events.authentication('program_approved', { tenant: tenant.name, user, requestId });
    else {
      const refusal = { method: METHOD, clientId: TRINO_CLIENT.id, user, reason: 'The user denied the login.' };
      await recordRefusal(anonymousCallerOf(request), refusal);
    }
    return externalLoginDecided({ language: pageLanguage(headers), decision });
  };

  const submit = (request: DecideRequest): Promise<RouteResponse> =>
    withSession(request, { login: request.body.login, status: 303 }, async (session) => {
      const { decision, account, login } = request.body;
      // Another user may have signed in, in another tab, after the page was shown.
      const isDecided = decision !== undefined && account === session.account.id;
      return await (isDecided ? decide(request, session) : ask(request, login));
    });

  const poll = async (request: PollRequest): Promise<ExternalLoginState> => {
    const { tenant, query, baseUrl, requestId, signal } = request;
    const { secret } = query;
    if (!SECRET.test(secret)) throw new ProblemError('invalid_request', 'secret must be that of a challenge.');
    const issued = await recording(request, () => pollExternalLogin(anonymousCallerOf(request), { secret, signal }));
    if (issued === undefined) return { nextUri: `${baseUrl}/auth/external/${tenant.name}/token?secret=${secret}` };
    const { token, user } = issued;
    if (user !== undefined) events.authentication('login', { tenant: tenant.name, user, requestId });
    return { token };
  };

  return [
    recordingInvalidInput(
      recordRefusal,
      METHOD,
      route(apiOperations.externalLoginPage, (request) =>
        recording(request, async () => {
          refuseFrame(request.headers);
          return await ask(request, request.query.login);
        }),
      ),
    ),
    recordingInvalidInput(
      recordRefusal,
      METHOD,
      route(apiOperations.decideExternalLogin, (request) =>
        recording(request, async () => {
          requireOwnOrigin(request);
          return await submit(request);
        }),
      ),
    ),
    route(apiOperations.pollExternalLogin, async (request) => {
      try {
        return json(200, await poll(request), TOKEN_HEADERS);
      } catch (thrown) {
        const { code, message } = asProblem(thrown);
        if (!SHOWN_BY_DRIVERS.has(code)) throw thrown;
        return json(200, { error: message } satisfies ExternalLoginState, TOKEN_HEADERS);
      }
    }),
    route(apiOperations.endExternalLogin, async ({ tenant, query }) => {
      await endExternalLogin({ tenant }, query.secret);
      return noContent();
    }),
  ];
}
