import { apiOperations, asProblem, type ProblemError } from '@sluice/contract';
import { type ResponseHeaders, type RouteResponse, redirect, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import { loginForm } from '../../pages/login-form.ts';
import { page } from '../../pages/page.ts';
import { loginCookies, readDeviceCookie } from '../../request/device-cookie.ts';
import { requestOrigin, requireOwnOrigin } from '../../request/request-origin.ts';
import { returnToChecker } from '../../request/return-to-checker.ts';
import { sessionCookieName, setSessionCookie } from '../../request/session-cookie.ts';

const signedIn = (headers: ResponseHeaders): RouteResponse =>
  page({ status: 200, title: 'Signed in', body: '<p>You are signed in. This page can be closed.</p>', headers });

/** A person sees a refused password in the form again, and not as JSON. */
const headersOf = (problem: ProblemError): ResponseHeaders =>
  problem.code === 'unauthorized'
    ? { 'www-authenticate': 'Bearer realm="sluice"' }
    : { 'retry-after': String(problem.retryAfterSeconds ?? 1) };

export const signIn = ({ logIn, allowedOrigins, events }: Pick<ApiContext, 'logIn' | 'allowedOrigins' | 'events'>) =>
  route(apiOperations.signIn, async ({ tenant, body, baseUrl, origin, cookies, signal, ...request }) => {
    requireOwnOrigin({ origin, baseUrl });
    const check = returnToChecker({ tenant, baseUrl, allowedOrigins });
    const returnTo = body.return_to === undefined ? undefined : check(body.return_to);
    try {
      const { email, password } = body;
      const { held, deviceCookie } = await logIn.forCookie({
        tenant,
        email,
        password,
        origin: requestOrigin(request),
        deviceCookie: readDeviceCookie({ cookies, baseUrl }),
        sessionCookie: cookies.get(sessionCookieName({ tenant, baseUrl })),
        signal,
      });
      events.authentication('login', { tenant: tenant.name, user: email, requestId: request.requestId });
      const headers = loginCookies(baseUrl, deviceCookie, [setSessionCookie({ tenant, baseUrl }, held)]);
      return returnTo === undefined ? signedIn(headers) : redirect(303, returnTo, headers);
    } catch (thrown) {
      const problem = asProblem(thrown);
      if (problem.code !== 'unauthorized' && problem.code !== 'too_many_requests') throw thrown;
      const { status, message } = problem;
      return loginForm({
        tenant,
        returnTo,
        email: body.email,
        problem: { status, message, headers: headersOf(problem) },
      });
    }
  });
