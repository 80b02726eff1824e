import { apiOperations } from '@sluice/contract';
import { json, pageLanguage, type Route, redirect, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import type { UseCases } from '../../context/use-cases.ts';
import { linkForm, linkProblem } from '../../pages/link-form.ts';
import { testLoginPage } from '../../pages/test-login-page.ts';
import { anonymousCallerOf } from '../../request/anonymous-caller-of.ts';
import { loginCookies, readDeviceCookie } from '../../request/device-cookie.ts';
import { loginCookieName } from '../../request/login-cookie.ts';
import { returnToChecker } from '../../request/return-to-checker.ts';
import { sessionCookieName, setSessionCookie } from '../../request/session-cookie.ts';
import { forgetPassword } from '../../request/sign-in-choice.ts';
import { TOKEN_HEADERS } from '../../request/token-headers.ts';
import { acceptsHtml, type ErrorPageRequest, withErrorPage } from '../../request/with-error-page.ts';

type FinishLoginContext = Pick<UseCases, 'finishSingleSignOn'> & Pick<ApiContext, 'allowedOrigins' | 'events'>;

/** GET /auth/callback/{tenant} */
export const finishLogin = ({ finishSingleSignOn, allowedOrigins, events }: FinishLoginContext): Route =>
  route(apiOperations.finishLogin, (request) => {
    const { tenant, query, baseUrl, cookies, headers, requestId } = request;
    const shown: ErrorPageRequest = { tenant, headers };
    return withErrorPage(shown, async () => {
      const finished = await finishSingleSignOn(anonymousCallerOf(request), {
        query,
        cookie: cookies.get(loginCookieName({ tenant, baseUrl })),
        deviceCookie: readDeviceCookie(request),
        sessionCookie: cookies.get(sessionCookieName({ tenant, baseUrl })),
        checkReturnTo: returnToChecker({ tenant, baseUrl, allowedOrigins }),
        onReturnTo(returnTo) {
          shown.returnTo = returnTo;
        },
      });
      if ('claims' in finished) return testLoginPage(tenant, finished, pageLanguage(headers));
      if ('linkToken' in finished) {
        if (!acceptsHtml(headers)) throw linkProblem(finished);
        return linkForm({ tenant, language: pageLanguage(headers), link: finished, token: finished.linkToken });
      }
      const { user, deviceCookie } = finished;
      events.authentication('login', { tenant: tenant.name, user, requestId });
      if ('tokens' in finished) {
        return json(200, finished.tokens, { ...TOKEN_HEADERS, ...loginCookies(baseUrl, deviceCookie) });
      }
      const session = setSessionCookie({ tenant, baseUrl }, finished.session);
      return redirect(
        302,
        finished.returnTo,
        loginCookies(baseUrl, deviceCookie, [session, forgetPassword({ tenant, baseUrl })]),
      );
    });
  });
