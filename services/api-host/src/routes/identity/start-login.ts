import { apiOperations } from '@sluice/contract';
import { redirect, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import { callbackUrl } from '../../request/callback-url.ts';
import { loginCookieName, setLoginCookie } from '../../request/login-cookie.ts';
import { orPage } from '../../request/login-refusal.ts';
import { requestOrigin } from '../../request/request-origin.ts';
import { returnToChecker } from '../../request/return-to-checker.ts';
import { ownLoginScreen } from '../../use-cases/identity/own-login-screen.ts';

type StartLoginContext = Pick<ApiContext, 'allowedOrigins' | 'singleSignOn'>;

/** A tenant with an identity provider sends its people there; nowhere else is that decided. */
export const startLogin = ({ allowedOrigins, singleSignOn }: StartLoginContext) =>
  route(apiOperations.startLogin, async ({ tenant, query, baseUrl, cookies, headers, ...request }) => {
    const provider = await singleSignOn.findProvider(tenant.id);
    const returnTo =
      query.return_to === undefined
        ? undefined
        : returnToChecker({ tenant, baseUrl, allowedOrigins })(query.return_to, provider?.stored.returnTo);
    if (provider === undefined) return redirect(302, ownLoginScreen(tenant, returnTo));
    return orPage({ tenant, headers }, async () => {
      const { location, cookie } = await singleSignOn.start({
        tenant,
        provider,
        redirectUri: callbackUrl(baseUrl, tenant.name),
        returnTo,
        cookie: cookies.get(loginCookieName({ tenant, baseUrl })),
        origin: requestOrigin(request),
      });
      return redirect(302, location, { 'set-cookie': setLoginCookie({ tenant, baseUrl }, cookie) });
    });
  });
