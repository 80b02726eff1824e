import { apiOperations, asProblem } from '@sluice/contract';
import { json, pageLanguage, type Route, redirect, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import type { UseCases } from '../../context/use-cases.ts';
import { linkForm } from '../../pages/link-form.ts';
import { anonymousCallerOf } from '../../request/anonymous-caller-of.ts';
import { loginCookies, readDeviceCookie } from '../../request/device-cookie.ts';
import { loginCookieName } from '../../request/login-cookie.ts';
import { requireOwnOrigin } from '../../request/request-origin.ts';
import { returnToChecker } from '../../request/return-to-checker.ts';
import { sessionCookieName, setSessionCookie } from '../../request/session-cookie.ts';
import { TOKEN_HEADERS } from '../../request/token-headers.ts';
import { type ErrorPageRequest, withErrorPage } from '../../request/with-error-page.ts';

type ConfirmLinkContext = Pick<UseCases, 'findLink' | 'confirmLink'> & Pick<ApiContext, 'allowedOrigins' | 'events'>;

/** Errors that the form shows, so that the user can try again. */
const SHOWN_IN_FORM = new Set(['unauthorized', 'too_many_requests']);

/** POST /auth/link/{tenant} */
export const confirmLink = ({ findLink, confirmLink: confirm, allowedOrigins, events }: ConfirmLinkContext): Route =>
  route(apiOperations.confirmLink, (request) => {
    const { tenant, body, baseUrl, headers, cookies, requestId } = request;
    const shown: ErrorPageRequest = { tenant, headers };
    return withErrorPage(shown, async () => {
      requireOwnOrigin(request);
      const caller = anonymousCallerOf(request);
      const { link: token, password } = body;
      const cookie = cookies.get(loginCookieName({ tenant, baseUrl }));
      const link = await findLink(caller, { token, cookie });
      shown.returnTo = link.returnTo;
      try {
        const opened = await confirm(caller, {
          link,
          token,
          password,
          cookie,
          deviceCookie: readDeviceCookie(request),
          sessionCookie: cookies.get(sessionCookieName({ tenant, baseUrl })),
          checkReturnTo: returnToChecker({ tenant, baseUrl, allowedOrigins }),
        });
        const { user, deviceCookie } = opened;
        events.authentication('login', { tenant: tenant.name, user, requestId });
        if ('tokens' in opened) {
          return json(200, opened.tokens, { ...TOKEN_HEADERS, ...loginCookies(baseUrl, deviceCookie) });
        }
        const session = setSessionCookie({ tenant, baseUrl }, opened.session);
        return redirect(303, opened.returnTo, loginCookies(baseUrl, deviceCookie, [session]));
      } catch (thrown) {
        const problem = asProblem(thrown);
        if (!SHOWN_IN_FORM.has(problem.code)) throw thrown;
        return linkForm({ tenant, language: pageLanguage(headers), link, token, problem });
      }
    });
  });
