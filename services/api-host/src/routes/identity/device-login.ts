import { parseScope, parseTargets, scopeForClient, TRINO_CLIENT } from '@sluice/auth';
import { apiOperations, asProblem, isScopeValue, ProblemError, type Tenant } from '@sluice/contract';
import { json, pageLanguage, type Route, type RouteRequest, type RouteResponse, redirect, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import type { UseCases } from '../../context/use-cases.ts';
import { deviceConsent, deviceDecided, deviceForm } from '../../pages/device-form.ts';
import { anonymousCallerOf } from '../../request/anonymous-caller-of.ts';
import { programIdOf, readProgramCredential } from '../../request/oauth-client.ts';
import { recordingInvalidInput, recordingRefusal } from '../../request/record-refusals.ts';
import { refuseFrame, requireOwnOrigin } from '../../request/request-origin.ts';
import { sessionCookieName } from '../../request/session-cookie.ts';
import { TOKEN_HEADERS } from '../../request/token-headers.ts';
import type { BrowserSession } from '../../use-cases/identity/find-browser-session.ts';
import { loginPath } from '../../use-cases/identity/login-path.ts';
import { refusalReason } from '../../use-cases/identity/record-refusal.ts';

type DeviceLoginContext = Pick<
  UseCases,
  | 'findBrowserSession'
  | 'findProgram'
  | 'authenticateProgram'
  | 'targetAddresses'
  | 'beginDeviceLogin'
  | 'findDeviceLogin'
  | 'decideDeviceLogin'
  | 'recordRefusal'
> &
  Pick<ApiContext, 'events'>;

type DecideRequest = RouteRequest<typeof apiOperations.decideDevice>;
type DeviceRequest = RouteRequest<typeof apiOperations.devicePage> | DecideRequest;

/** Errors that the form shows, so that the user can correct the code. */
const SHOWN_IN_FORM = new Set(['invalid_request', 'too_many_requests']);

/** `method` of the record of a refusal. */
const METHODS = { device: 'device_authorization', page: 'user_code' } as const;

const devicePath = ({ name }: Tenant, userCode: string): string =>
  `/auth/device/${name}${userCode === '' ? '' : `?${new URLSearchParams({ user_code: userCode })}`}`;

/** The login of a device: POST /auth/{tenant}/oauth2/device_authorization, and the page /auth/device/{tenant}. */
export function deviceLoginRoutes(context: DeviceLoginContext): readonly Route[] {
  const { findBrowserSession, findProgram, authenticateProgram, targetAddresses, events } = context;
  const { beginDeviceLogin, findDeviceLogin, decideDeviceLogin, recordRefusal } = context;

  /** Returns the name of a program. One that was removed since has its id. */
  const nameOf = async (tenant: Tenant, clientId: string): Promise<string> =>
    (await findProgram({ tenant }, clientId))?.name ?? clientId;

  const withSession = async (
    request: DeviceRequest,
    { userCode, status }: { readonly userCode: string; readonly status: 302 | 303 },
    next: (session: BrowserSession) => Promise<RouteResponse>,
  ): Promise<RouteResponse> => {
    const { tenant, baseUrl, cookies } = request;
    const session = await findBrowserSession({ tenant }, cookies.get(sessionCookieName({ tenant, baseUrl })));
    if (session === undefined) return redirect(status, loginPath(tenant, devicePath(tenant, userCode)));
    return await next(session);
  };

  const ask = async ({ tenant, body, headers }: DecideRequest, session: BrowserSession): Promise<RouteResponse> => {
    const found = await findDeviceLogin({ tenant }, { userCode: body.user_code, session });
    const { oauthClient, address, userCode } = found;
    const client = await nameOf(tenant, oauthClient);
    const scope = found.scope?.filter(isScopeValue);
    return deviceConsent({ tenant, language: pageLanguage(headers), client, session, scope, address, userCode });
  };

  const recordDenial = async (request: DecideRequest, { account }: BrowserSession, clientId: string): Promise<void> => {
    const refusal = { method: METHODS.page, clientId, user: account.name, reason: 'The user denied the login.' };
    await recordRefusal(anonymousCallerOf(request), refusal);
  };

  const decide = async (request: DecideRequest, session: BrowserSession): Promise<RouteResponse> => {
    const { tenant, body, headers, requestId } = request;
    const decision = body.decision === 'approve' ? 'approved' : 'denied';
    const { oauthClient } = await decideDeviceLogin({ tenant }, { userCode: body.user_code, session, decision });
    if (decision === 'approved')
      events.authentication('program_approved', { tenant: tenant.name, user: session.account.name, requestId });
    else await recordDenial(request, session, oauthClient);
    const client = await nameOf(tenant, oauthClient);
    return deviceDecided({ tenant, language: pageLanguage(headers), client, decision });
  };

  /** Looks a code up or decides about it. An error that the user can correct is shown in the form, and recorded too. */
  const submit = async (request: DecideRequest, session: BrowserSession): Promise<RouteResponse> => {
    const { tenant, body, headers } = request;
    try {
      // Another user may have signed in, in another tab, after the page was shown.
      const isDecided = body.decision !== undefined && body.account === session.account.id;
      return await (isDecided ? decide(request, session) : ask(request, session));
    } catch (thrown) {
      const problem = asProblem(thrown);
      if (!SHOWN_IN_FORM.has(problem.code)) throw thrown;
      const refusal = { method: METHODS.page, user: session.account.name, reason: refusalReason(problem) };
      await recordRefusal(anonymousCallerOf(request), refusal);
      return deviceForm({ tenant, language: pageLanguage(headers), userCode: body.user_code, problem });
    }
  };

  const begin = async (request: RouteRequest<typeof apiOperations.authorizeDevice>) => {
    const { tenant, body, headers, baseUrl } = request;
    const client = await authenticateProgram(anonymousCallerOf(request), readProgramCredential(body, headers));
    // Its page could name the program by its address only.
    if (client.kind === 'document')
      throw new ProblemError('unauthorized_client', 'A program that no admin registered cannot log a device in.');
    if (client.id === TRINO_CLIENT.id)
      throw new ProblemError('unauthorized_client', 'Trino clients log in with the challenge of the stream host.');
    const verificationUri = `${baseUrl}${devicePath(tenant, '')}`;
    const scope = scopeForClient(parseScope(body.scope), client.scopes);
    const targets = parseTargets(body.resource, targetAddresses(request));
    const input = { oauthClient: client.id, scope, targets, verificationUri };
    return await beginDeviceLogin(anonymousCallerOf(request), input);
  };

  return [
    recordingInvalidInput(
      recordRefusal,
      METHODS.device,
      route(apiOperations.authorizeDevice, async (request) => {
        const refusal = { request, method: METHODS.device, clientId: programIdOf(request.body, request.headers) };
        return json(200, await recordingRefusal(recordRefusal, refusal, () => begin(request)), TOKEN_HEADERS);
      }),
    ),
    recordingInvalidInput(
      recordRefusal,
      METHODS.page,
      route(apiOperations.devicePage, async (request) => {
        const { tenant, query, headers } = request;
        await recordingRefusal(recordRefusal, { request, method: METHODS.page }, async () => refuseFrame(headers));
        const userCode = query.user_code ?? '';
        return await withSession(request, { userCode, status: 302 }, async () =>
          deviceForm({ tenant, language: pageLanguage(headers), userCode }),
        );
      }),
    ),
    recordingInvalidInput(
      recordRefusal,
      METHODS.page,
      route(apiOperations.decideDevice, async (request) => {
        await recordingRefusal(recordRefusal, { request, method: METHODS.page }, async () => requireOwnOrigin(request));
        const userCode = request.body.user_code;
        return await withSession(request, { userCode, status: 303 }, (session) => submit(request, session));
      }),
    ),
  ];
}
