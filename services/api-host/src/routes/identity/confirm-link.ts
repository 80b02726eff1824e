import { apiOperations, asProblem } from '@sluice/contract';
import { json, redirect, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import { linkForm } from '../../pages/link-form.ts';
import { deviceLoginCookies, readDeviceCookie } from '../../request/device-cookie.ts';
import { loginCookieName } from '../../request/login-cookie.ts';
import { orPage } from '../../request/login-refusal.ts';
import { requestOrigin, requireOwnOrigin } from '../../request/request-origin.ts';
import { returnToChecker } from '../../request/return-to-checker.ts';
import { setSessionCookie } from '../../request/session-cookie.ts';
import { TOKEN_HEADERS } from '../../request/token-headers.ts';

type ConfirmLinkContext = Pick<ApiContext, 'singleSignOn' | 'allowedOrigins' | 'events'>;

/** A person sees a refused password in the form again. */
const SHOWN_IN_FORM = new Set(['unauthorized', 'too_many_requests']);

/** POST /auth/link/{tenant} */
export const confirmLink = ({ singleSignOn, allowedOrigins, events }: ConfirmLinkContext) =>
  route(apiOperations.confirmLink, ({ tenant, body, baseUrl, cookies, headers, origin: pageOrigin, ...request }) =>
    orPage({ tenant, headers }, async () => {
      requireOwnOrigin({ origin: pageOrigin, baseUrl });
      const origin = requestOrigin(request);
      const { link: token, password } = body;
      const browser = { tenant, token, origin, cookie: cookies.get(loginCookieName({ tenant, baseUrl })) };
      const link = await singleSignOn.confirmLink.find(browser);
      try {
        const opened = await singleSignOn.confirmLink.confirm(link, {
          ...browser,
          password,
          deviceCookie: readDeviceCookie({ cookies, baseUrl }),
          checkReturnTo: returnToChecker({ tenant, baseUrl, allowedOrigins }),
        });
        events.authentication('login', { tenant: tenant.name, user: opened.user, requestId: origin.requestId });
        const { userId } = opened;
        const login = { tenant, userId, baseUrl, cookies, rememberDevice: singleSignOn.rememberDevice };
        if ('tokens' in opened) {
          return json(200, opened.tokens, { ...TOKEN_HEADERS, ...(await deviceLoginCookies(login)) });
        }
        const session = setSessionCookie({ tenant, baseUrl }, opened.held);
        return redirect(303, opened.returnTo, await deviceLoginCookies(login, [session]));
      } catch (thrown) {
        const problem = asProblem(thrown);
        if (!SHOWN_IN_FORM.has(problem.code)) throw thrown;
        return linkForm({ tenant, link, token, problem });
      }
    }),
  );
