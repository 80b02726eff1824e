import { apiOperations, asProblem, type ProblemError } from '@sluice/contract';
import { type ResponseHeaders, type Route, redirect, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import type { UseCases } from '../../context/use-cases.ts';
import { loginForm, signedInPage } from '../../pages/login-form.ts';
import { anonymousCallerOf } from '../../request/anonymous-caller-of.ts';
import { loginCookies, readDeviceCookie } from '../../request/device-cookie.ts';
import { requireOwnOrigin } from '../../request/request-origin.ts';
import { returnToChecker } from '../../request/return-to-checker.ts';
import { sessionCookieName, setSessionCookie } from '../../request/session-cookie.ts';

type SignInContext = Pick<UseCases, 'logInForCookie'> & Pick<ApiContext, 'allowedOrigins' | 'events'>;

/** Headers of the form after a rejected password: the error is shown in the form, not as JSON. */
const headersOf = (problem: ProblemError): ResponseHeaders =>
  problem.code === 'unauthorized'
    ? { 'www-authenticate': 'Bearer realm="sluice"' }
    : { 'retry-after': String(problem.retryAfterSeconds ?? 1) };

export const signIn = ({ logInForCookie, allowedOrigins, events }: SignInContext): Route =>
  route(apiOperations.signIn, async (request) => {
    requireOwnOrigin(request);
    const { tenant, body, baseUrl, cookies, signal, requestId } = request;
    const { email, password } = body;
    const check = returnToChecker({ tenant, baseUrl, allowedOrigins });
    const returnTo = body.return_to === undefined ? undefined : check(body.return_to);
    try {
      const { session, deviceCookie } = await logInForCookie(anonymousCallerOf(request), {
        email,
        password,
        deviceCookie: readDeviceCookie(request),
        sessionCookie: cookies.get(sessionCookieName({ tenant, baseUrl })),
        signal,
      });
      events.authentication('login', { tenant: tenant.name, user: email, requestId });
      const headers = loginCookies(baseUrl, deviceCookie, [setSessionCookie({ tenant, baseUrl }, session)]);
      return returnTo === undefined ? signedInPage(headers) : redirect(303, returnTo, headers);
    } catch (thrown) {
      const problem = asProblem(thrown);
      if (problem.code !== 'unauthorized' && problem.code !== 'too_many_requests') throw thrown;
      const { status, message } = problem;
      return loginForm({ tenant, returnTo, email, problem: { status, message, headers: headersOf(problem) } });
    }
  });
