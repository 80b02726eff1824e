import { type AuthorizationRequest, apiOperations, signInProblem, type Tenant } from '@sluice/contract';
import { pageLanguage, type Route, type RouteRequest, type RouteResponse, redirect, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import type { UseCases } from '../../context/use-cases.ts';
import { consentForm, loginFinishedPage } from '../../pages/consent-form.ts';
import { requireOwnOrigin } from '../../request/request-origin.ts';
import { sessionCookieName } from '../../request/session-cookie.ts';
import {
  authorizationResponse,
  checkAuthorizationRequest,
  type ValidAuthorizationRequest,
} from '../../use-cases/identity/check-authorization-request.ts';
import type { BrowserSession } from '../../use-cases/identity/find-browser-session.ts';
import { loginPath } from '../../use-cases/identity/login-path.ts';

type AuthorizeContext = Pick<UseCases, 'findBrowserSession' | 'approveProgram' | 'issuerOf'> &
  Pick<ApiContext, 'events'>;

type AuthorizeRequest = RouteRequest<typeof apiOperations.authorize> | RouteRequest<typeof apiOperations.decideConsent>;

/** Limit of `return_to`. */
const PATH_CHARACTERS_MAX = 2048;

/** Returns the path of a request, to which a login leads back. Throws `invalid_request` if a login could not. */
function pathOf({ name }: Tenant, request: AuthorizationRequest, client: string): string {
  const fields = Object.entries(request).filter((field): field is [string, string] => field[1] !== undefined);
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

/** GET /auth/{tenant}/oauth2/authorize, and POST /auth/{tenant}/oauth2/consent, which its page sends. */
export function authorizeRoutes({
  findBrowserSession,
  approveProgram,
  issuerOf,
  events,
}: AuthorizeContext): readonly Route[] {
  /** Checks the request, and leads a browser without session to the login. `next` continues for the user of the session. */
  const authorize = async (
    request: AuthorizeRequest,
    { parameters, status }: { readonly parameters: AuthorizationRequest; readonly status: 302 | 303 },
    next: (step: AuthorizationStep) => Promise<RouteResponse>,
  ): Promise<RouteResponse> => {
    const { tenant, baseUrl, cookies } = request;
    const checked = checkAuthorizationRequest(parameters);
    if (checked.kind === 'rejected') {
      const { error, description } = checked;
      const response = { error, error_description: description };
      return redirect(status, authorizationResponse(checked, issuerOf(tenant), response));
    }
    const returnTo = pathOf(tenant, parameters, checked.client.name);
    // The browser cannot distinguish one program of this computer from another, so each of its logins asks (RFC 8252 section 8.6).
    const session = await findBrowserSession({ tenant }, cookies.get(sessionCookieName({ tenant, baseUrl })));
    if (session === undefined) return redirect(status, loginPath(tenant, returnTo));
    return await next({ parameters, checked, session, returnTo });
  };

  const ask = (request: AuthorizeRequest, { parameters, checked, session, returnTo }: AuthorizationStep) => {
    const { tenant, headers } = request;
    const { client, scope, redirectUri } = checked;
    const shown = { tenant, language: pageLanguage(headers), session, scope, redirectUri, returnTo };
    return consentForm({ ...shown, client: client.name, request: parameters });
  };

  const approve = async (
    request: AuthorizeRequest,
    { checked, session }: AuthorizationStep,
  ): Promise<RouteResponse> => {
    const { tenant, requestId } = request;
    const code = await approveProgram({ tenant }, { request: checked, session });
    events.authentication('program_approved', { tenant: tenant.name, user: session.account.name, requestId });
    return redirect(303, authorizationResponse(checked, issuerOf(tenant), { code }));
  };

  const deny = ({ tenant }: AuthorizeRequest, { checked }: AuthorizationStep): RouteResponse => {
    const response = { error: 'access_denied', error_description: 'The user denied the login.' };
    return redirect(303, authorizationResponse(checked, issuerOf(tenant), response));
  };

  return [
    route(apiOperations.authorize, (request) =>
      authorize(request, { parameters: request.query, status: 302 }, async (step) => ask(request, step)),
    ),
    route(apiOperations.decideConsent, async (request) => {
      requireOwnOrigin(request);
      const { account, decision, ...parameters } = request.body;
      return await authorize(request, { parameters, status: 303 }, async (step) => {
        // Another user may have signed in, in another tab, after the page was shown.
        if (account !== step.session.account.id) return ask(request, step);
        return decision === 'approve' ? await approve(request, step) : deny(request, step);
      });
    }),
    route(apiOperations.loginFinished, async ({ headers }) => loginFinishedPage(pageLanguage(headers))),
  ];
}
