import { apiOperations, asProblem, type ProblemError, type Tenant } from '@sluice/contract';
import {
  json,
  type PageLanguage,
  pageLanguage,
  type Route,
  type RouteRequest,
  type RouteResponse,
  redirect,
  route,
} from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import type { UseCases } from '../../context/use-cases.ts';
import { invitationAccepted, invitationForm, invitationNotFound } from '../../pages/invitation-form.ts';
import { anonymousCallerOf } from '../../request/anonymous-caller-of.ts';
import { loginCookies, readDeviceCookie } from '../../request/device-cookie.ts';
import { requireOwnOrigin } from '../../request/request-origin.ts';
import { sessionCookieName, setSessionCookie } from '../../request/session-cookie.ts';
import { rememberPassword } from '../../request/sign-in-choice.ts';
import { withErrorPage } from '../../request/with-error-page.ts';
import type { FindInvitation } from '../../use-cases/identity/accept-invitation.ts';

type InvitationContext = Pick<UseCases, 'findInvitation' | 'acceptInvitation' | 'logInForCookie'> &
  Pick<ApiContext, 'events'>;

interface Attempt {
  readonly tenant: Tenant;
  readonly language: PageLanguage;
  readonly token: string;
  readonly problem?: ProblemError;
}

const isForm = (contentType: string | undefined): boolean =>
  contentType?.toLowerCase().startsWith('application/x-www-form-urlencoded') === true;

/** Errors that the form shows, so that the user can try again. */
const SHOWN_IN_FORM = new Set(['invalid_request', 'conflict', 'too_many_requests']);

async function formPage(findInvitation: FindInvitation, attempt: Attempt): Promise<RouteResponse> {
  try {
    const { email } = await findInvitation(attempt, attempt);
    return invitationForm({ ...attempt, email });
  } catch (thrown) {
    return invitationNotFound(attempt, thrown);
  }
}

/**
 * Signs the browser in with the password that was just set, and leads it to the console. If it may not, because of the limit of attempts
 * or because another site sent the form, the page leads to the form that takes the password.
 */
async function signInInvited(
  { logInForCookie, events }: Pick<InvitationContext, 'logInForCookie' | 'events'>,
  request: RouteRequest<typeof apiOperations.acceptInvitation>,
  email: string,
): Promise<RouteResponse> {
  const { tenant, body, baseUrl, headers, cookies, signal, requestId } = request;
  try {
    requireOwnOrigin(request); // another site must not sign the browser in as the account that it invited
    const { session, deviceCookie } = await logInForCookie(anonymousCallerOf(request), {
      email,
      password: body.password,
      deviceCookie: readDeviceCookie(request),
      sessionCookie: cookies.get(sessionCookieName({ tenant, baseUrl })),
      signal,
    });
    events.authentication('login', { tenant: tenant.name, user: email, requestId });
    const cookie = setSessionCookie({ tenant, baseUrl }, session);
    return redirect(
      303,
      '/console/',
      loginCookies(baseUrl, deviceCookie, [cookie, rememberPassword({ tenant, baseUrl })]),
    );
  } catch (thrown) {
    if (asProblem(thrown).code === 'internal') throw thrown;
    return invitationAccepted({ tenant, language: pageLanguage(headers), email });
  }
}

/** GET and POST /auth/invitation/{tenant} */
export const invitationRoutes = (context: InvitationContext): Route[] => [
  route(apiOperations.invitationPage, (request) =>
    withErrorPage(request, () => {
      const { tenant, query, headers } = request;
      return formPage(context.findInvitation, { tenant, language: pageLanguage(headers), token: query.token ?? '' });
    }),
  ),
  route(apiOperations.acceptInvitation, (request) =>
    withErrorPage(request, async () => {
      const { tenant, body, headers, baseUrl, requestId } = request;
      const { findInvitation, acceptInvitation, events } = context;
      const isFromForm = isForm(headers.get('content-type'));
      const language = pageLanguage(headers);
      try {
        const email = await acceptInvitation(anonymousCallerOf(request), body);
        events.authentication('invitation_accepted', { tenant: tenant.name, user: email, requestId });
        if (isFromForm) return await signInInvited(context, request, email);
        return json(200, { email, login_url: `${baseUrl}/auth/login/${tenant.name}` });
      } catch (thrown) {
        const problem = asProblem(thrown);
        if (!isFromForm) throw thrown;
        if (!SHOWN_IN_FORM.has(problem.code)) return invitationNotFound({ tenant, language }, thrown);
        return await formPage(findInvitation, { tenant, language, token: body.token, problem });
      }
    }),
  ),
];
