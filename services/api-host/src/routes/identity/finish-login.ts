import { apiOperations } from '@sluice/contract';
import { json, redirect, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import { linkForm, linkProblem } from '../../pages/link-form.ts';
import { deviceLoginCookies } from '../../request/device-cookie.ts';
import { loginCookieName } from '../../request/login-cookie.ts';
import { orPage, wantsPage } from '../../request/login-refusal.ts';
import { requestOrigin } from '../../request/request-origin.ts';
import { returnToChecker } from '../../request/return-to-checker.ts';
import { setSessionCookie } from '../../request/session-cookie.ts';
import { TOKEN_HEADERS } from '../../request/token-headers.ts';

type FinishLoginContext = Pick<ApiContext, 'singleSignOn' | 'allowedOrigins' | 'events'>;

/** GET /auth/callback/{tenant} */
export const finishLogin = ({ singleSignOn, allowedOrigins, events }: FinishLoginContext) =>
  route(apiOperations.finishLogin, ({ tenant, query, baseUrl, cookies, headers, ...request }) =>
    orPage({ tenant, headers }, async () => {
      const origin = requestOrigin(request);
      const cookie = cookies.get(loginCookieName({ tenant, baseUrl }));
      const finished = await singleSignOn.finish({
        tenant,
        query,
        cookie,
        origin,
        checkReturnTo: returnToChecker({ tenant, baseUrl, allowedOrigins }),
      });
      if ('linkToken' in finished) {
        if (!wantsPage(headers)) throw linkProblem(finished);
        return linkForm({ tenant, link: finished, token: finished.linkToken });
      }
      events.authentication('login', { tenant: tenant.name, user: finished.user, requestId: origin.requestId });
      const { userId } = finished;
      const login = { tenant, userId, baseUrl, cookies, rememberDevice: singleSignOn.rememberDevice };
      if ('tokens' in finished) {
        return json(200, finished.tokens, { ...TOKEN_HEADERS, ...(await deviceLoginCookies(login)) });
      }
      const session = setSessionCookie({ tenant, baseUrl }, finished.held);
      return redirect(302, finished.returnTo, await deviceLoginCookies(login, [session]));
    }),
  );
