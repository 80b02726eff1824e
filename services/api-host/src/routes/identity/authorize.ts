import type { OAuthClient } from '@sluice/auth';
import { type AuthorizationRequest, apiOperations, signInProblem, type Tenant } from '@sluice/contract';
import { pageLanguage, type Route, type RouteRequest, type RouteResponse, redirect, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import type { UseCases } from '../../context/use-cases.ts';
import { consentForm, loginFinishedPage } from '../../pages/consent-form.ts';
import { anonymousCallerOf } from '../../request/anonymous-caller-of.ts';
import { recordingInvalidInput, recordingRefusal } from '../../request/record-refusals.ts';
import { refuseFrame, requireOwnOrigin } from '../../request/request-origin.ts';
import { sessionCookieName } from '../../request/session-cookie.ts';
import {
  authorizationResponse,
  checkAuthorizationRequest,
  requireProgram,
  type ValidAuthorizationRequest,
} from '../../use-cases/identity/check-authorization-request.ts';
import type { BrowserSession } from '../../use-cases/identity/find-browser-session.ts';
import { mustLogInAgain } from '../../use-cases/identity/login-demands.ts';
import { loginPath } from '../../use-cases/identity/login-path.ts';

type AuthorizeContext = Pick<
  UseCases,
  | 'findBrowserSession'
  | 'findProgram'
  | 'readProgramDocument'
  | 'targetAddresses'
  | 'hasConsented'
  | 'rememberConsent'
  | 'approveProgram'
  | 'issuerOf'
  | 'recordRefusal'
> &
  Pick<ApiContext, 'events' | 'now'>;

type AuthorizeRequest = RouteRequest<typeof apiOperations.authorize> | RouteRequest<typeof apiOperations.decideConsent>;

/** Limit of `return_to`. */
const PATH_CHARACTERS_MAX = 2048;

/** Returns the path of a request, to which a login leads back. Throws `invalid_request` if a login could not. */
function pathOf({ name }: Tenant, request: AuthorizationRequest, client: string): string {
  const fields = Object.entries(request).flatMap(([field, value]) =>
    value === undefined ? [] : [value].flat().map((each): [string, string] => [field, each]),
  );
  const path = `/auth/${name}/oauth2/authorize?${new URLSearchParams(fields)}`;
  if (path.length <= PATH_CHARACTERS_MAX) return path;
  throw signInProblem('invalid_request', 'request_too_long', { values: { client } });
}

interface AuthorizationStep {
  readonly parameters: AuthorizationRequest;
  readonly checked: ValidAuthorizationRequest;
  readonly session: BrowserSession;
  readonly returnTo: string;
}

interface ReceivedRequest {
  readonly parameters: AuthorizationRequest;
  readonly status: 302 | 303;
  /** Whether the form of the consent page was sent. */
  readonly isDecision: boolean;
}

/** `method` of the record of a refusal. */
const METHODS = { request: 'authorize', decision: 'consent' } as const;

/** Error for the program, which the browser takes to it. */
type Rejection = Parameters<typeof authorizationResponse>[0] & { readonly error: string; readonly description: string };

/**
 * Throws the error of a program that no admin has registered, so that the user reads it: otherwise a link to this host would lead to any address that a
 * document names, at once (RFC 9700 section 4.11.2). No consent to such a program is remembered, so a request without a page cannot succeed either.
 */
function requireTrusted(checked: ReturnType<typeof checkAuthorizationRequest>): void {
  const { client } = checked;
  if (client.kind !== 'document') return;
  const error = checked.kind === 'rejected' ? checked.error : checked.demands.isSilent && 'interaction_required';
  if (error === false) return;
  throw signInProblem('invalid_request', 'program_request_refused', { values: { client: client.id, error } });
}

/** GET /auth/{tenant}/oauth2/authorize, and POST /auth/{tenant}/oauth2/consent, which its page sends. */
export function authorizeRoutes(context: AuthorizeContext): readonly Route[] {
  const { findBrowserSession, findProgram, readProgramDocument, targetAddresses, events, now } = context;
  const { hasConsented, rememberConsent, approveProgram, issuerOf, recordRefusal } = context;

  const respond = (
    { tenant }: AuthorizeRequest,
    status: 302 | 303,
    { error, description, ...recipient }: Rejection,
  ): RouteResponse =>
    redirect(status, authorizationResponse(recipient, issuerOf(tenant), { error, error_description: description }));

  /** Records that a request was rejected, and sends the error to the program. */
  const reject = async (
    request: AuthorizeRequest,
    { status, isDecision }: ReceivedRequest,
    { client, user, ...rejection }: Rejection & { readonly client: OAuthClient; readonly user: string | undefined },
  ): Promise<RouteResponse> => {
    const method = isDecision ? METHODS.decision : METHODS.request;
    const refusal = { method, clientId: client.id, user, reason: rejection.description };
    await recordRefusal(anonymousCallerOf(request), refusal);
    return respond(request, status, rejection);
  };

  /**
   * Finds the program of a request. A document is read for a browser with a session only: otherwise anyone could make this host send
   * requests. Returns undefined without one.
   */
  const programOf = async (
    { tenant }: AuthorizeRequest,
    { client_id: clientId = '' }: AuthorizationRequest,
    session: BrowserSession | undefined,
  ): Promise<OAuthClient | undefined> => {
    const found = requireProgram(await findProgram({ tenant }, clientId), clientId);
    if (found.kind !== 'document') return found;
    return session === undefined ? undefined : await readProgramDocument(clientId);
  };

  /** Leads a browser without a session to the login. `next` continues for the user of the session. */
  const authorizeBrowser = async (
    request: AuthorizeRequest,
    received: ReceivedRequest & { readonly session: BrowserSession | undefined },
    next: (step: AuthorizationStep) => Promise<RouteResponse>,
  ): Promise<RouteResponse> => {
    const { tenant, baseUrl } = request;
    const { parameters, status, session } = received;
    const client = await programOf(request, parameters, session);
    if (client === undefined) {
      const id = parameters.client_id ?? '';
      // No response may be sent to an address that is not known yet.
      if (parameters.prompt === 'none')
        throw signInProblem('invalid_request', 'login_needed', { values: { client: id } });
      return redirect(status, loginPath(tenant, pathOf(tenant, parameters, id)));
    }
    const checked = checkAuthorizationRequest(parameters, { client, addresses: targetAddresses({ tenant, baseUrl }) });
    requireTrusted(checked);
    if (checked.kind === 'rejected')
      return await reject(request, received, { ...checked, user: session?.account.name });
    const { demands } = checked;
    const returnTo = pathOf(tenant, parameters, client.name);
    const isAgain = session !== undefined && mustLogInAgain(demands, session, now());
    if (session !== undefined && !isAgain) return await next({ parameters, checked, session, returnTo });
    const description = 'The user has to log in, which prompt=none excludes.';
    if (demands.isSilent) return respond(request, status, { ...checked, error: 'login_required', description });
    // The request comes back after a login that is younger than this moment.
    const again = pathOf(tenant, { ...parameters, login_after: String(now()) }, client.name);
    const asks = isAgain || demands.asksLogin;
    return redirect(status, loginPath(tenant, asks ? again : returnTo, asks));
  };

  /** Checks where the request comes from, and then the request. Records a refusal. */
  const authorize = async (
    request: AuthorizeRequest,
    received: ReceivedRequest,
    next: (step: AuthorizationStep) => Promise<RouteResponse>,
  ): Promise<RouteResponse> => {
    const { tenant, baseUrl, cookies, headers } = request;
    const { parameters, isDecision } = received;
    const session = await findBrowserSession({ tenant }, cookies.get(sessionCookieName({ tenant, baseUrl })));
    const method = isDecision ? METHODS.decision : METHODS.request;
    const refusal = { request, method, clientId: parameters.client_id, user: session?.account.name };
    return await recordingRefusal(recordRefusal, refusal, async () => {
      if (isDecision) requireOwnOrigin(request);
      // A program may ask for a response without a page from a frame.
      if (parameters.prompt !== 'none') refuseFrame(headers);
      return await authorizeBrowser(request, { ...received, session }, next);
    });
  };

  const ask = (request: AuthorizeRequest, { parameters, checked, session, returnTo }: AuthorizationStep) => {
    const { tenant, headers } = request;
    const { client, scope, redirectUri } = checked;
    const shown = { tenant, language: pageLanguage(headers), session, scope, redirectUri, returnTo };
    return consentForm({ ...shown, client, request: parameters });
  };

  /** Sends the code to the program. */
  const approve = async (
    request: AuthorizeRequest,
    { checked, session }: AuthorizationStep,
    status: 302 | 303,
  ): Promise<RouteResponse> => {
    const { tenant, requestId } = request;
    const code = await approveProgram({ tenant }, { request: checked, session });
    events.authentication('program_approved', { tenant: tenant.name, user: session.account.name, requestId });
    return redirect(status, authorizationResponse(checked, issuerOf(tenant), { code }));
  };

  const open = async (request: AuthorizeRequest, step: AuthorizationStep): Promise<RouteResponse> => {
    const { checked, session } = step;
    const { tenant } = request;
    const isAsked = checked.demands.asksConsent || !(await hasConsented({ tenant }, { request: checked, session }));
    if (!isAsked) return await approve(request, step, 302);
    const description = 'The user has to consent, which prompt=none excludes.';
    if (checked.demands.isSilent) return respond(request, 302, { ...checked, error: 'consent_required', description });
    return ask(request, step);
  };

  const decide = async (
    request: RouteRequest<typeof apiOperations.decideConsent>,
    received: ReceivedRequest,
    step: AuthorizationStep,
  ): Promise<RouteResponse> => {
    const { account, decision } = request.body;
    const { checked, session } = step;
    // Another user may have signed in, in another tab, after the page was shown.
    if (account !== session.account.id) return ask(request, step);
    if (decision === 'deny') {
      const denial = { error: 'access_denied', description: 'The user denied the login.' };
      return await reject(request, received, { ...checked, ...denial, user: session.account.name });
    }
    await rememberConsent(anonymousCallerOf(request), { request: checked, session });
    return await approve(request, step, 303);
  };

  return [
    recordingInvalidInput(
      recordRefusal,
      METHODS.request,
      route(apiOperations.authorize, (request) => {
        const received = { parameters: request.query, status: 302, isDecision: false } as const;
        return authorize(request, received, (step) => open(request, step));
      }),
    ),
    recordingInvalidInput(
      recordRefusal,
      METHODS.decision,
      route(apiOperations.decideConsent, (request) => {
        const { account: _account, decision: _decision, ...parameters } = request.body;
        const received = { parameters, status: 303, isDecision: true } as const;
        return authorize(request, received, (step) => decide(request, received, step));
      }),
    ),
    route(apiOperations.loginFinished, async ({ headers }) => loginFinishedPage(pageLanguage(headers))),
  ];
}
