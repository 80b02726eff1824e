import { apiOperations, asProblem } from '@sluice/contract';
import { pageLanguage, type Route, redirect, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import type { UseCases } from '../../context/use-cases.ts';
import { loginForm, signedInPage } from '../../pages/login-form.ts';
import { anonymousCallerOf } from '../../request/anonymous-caller-of.ts';
import { loginCookies, readDeviceCookie } from '../../request/device-cookie.ts';
import { requireOwnOrigin } from '../../request/request-origin.ts';
import { returnToChecker } from '../../request/return-to-checker.ts';
import { sessionCookieName, setSessionCookie } from '../../request/session-cookie.ts';
import { rememberPassword } from '../../request/sign-in-choice.ts';
import { withErrorPage } from '../../request/with-error-page.ts';

type SignInContext = Pick<UseCases, 'logInForCookie' | 'hasTenantProvider'> &
  Pick<ApiContext, 'allowedOrigins' | 'events'>;

/** Errors that the form shows, so that the user can try again. */
const SHOWN_IN_FORM = new Set(['unauthorized', 'too_many_requests']);

/** POST /auth/sign-in/{tenant}. The form shows a rejected password; other errors have a page of their own. */
export const signIn = ({ logInForCookie, hasTenantProvider, allowedOrigins, events }: SignInContext): Route =>
  route(apiOperations.signIn, (request) =>
    withErrorPage(request, async () => {
      requireOwnOrigin(request);
      const { tenant, body, baseUrl, headers, cookies, signal, requestId } = request;
      const { email, password } = body;
      const language = pageLanguage(headers);
      const check = returnToChecker({ tenant, baseUrl, allowedOrigins });
      const returnTo = body.return_to === undefined ? undefined : check(body.return_to);
      return await withErrorPage({ tenant, headers, returnTo }, async () => {
        try {
          const { session, deviceCookie } = await logInForCookie(anonymousCallerOf(request), {
            email,
            password,
            deviceCookie: readDeviceCookie(request),
            sessionCookie: cookies.get(sessionCookieName({ tenant, baseUrl })),
            signal,
          });
          events.authentication('login', { tenant: tenant.name, user: email, requestId });
          const cookieHeaders = loginCookies(baseUrl, deviceCookie, [
            setSessionCookie({ tenant, baseUrl }, session),
            rememberPassword({ tenant, baseUrl }),
          ]);
          return returnTo === undefined
            ? signedInPage(language, cookieHeaders)
            : redirect(303, returnTo, cookieHeaders);
        } catch (thrown) {
          const problem = asProblem(thrown);
          if (!SHOWN_IN_FORM.has(problem.code)) throw thrown;
          const hasProvider = await hasTenantProvider({ tenant });
          return loginForm({ tenant, language, hasProvider, returnTo, email, problem });
        }
      });
    }),
  );
