import { apiOperations } from '@sluice/contract';
import { type Route, redirect, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import type { UseCases } from '../../context/use-cases.ts';
import { anonymousCallerOf } from '../../request/anonymous-caller-of.ts';
import { callbackUrl } from '../../request/callback-url.ts';
import { consoleReturnPath } from '../../request/console-return-path.ts';
import { loginCookieName, setLoginCookie } from '../../request/login-cookie.ts';
import { isFromOtherSite } from '../../request/request-origin.ts';
import { returnToChecker } from '../../request/return-to-checker.ts';
import { prefersPassword } from '../../request/sign-in-choice.ts';
import { withErrorPage } from '../../request/with-error-page.ts';
import { passwordSignInPath } from '../../use-cases/identity/password-sign-in-path.ts';

type StartLoginContext = Pick<UseCases, 'findTenantProvider' | 'startSingleSignOn' | 'takeTestLogin'> &
  Pick<ApiContext, 'allowedOrigins'>;

/**
 * GET /auth/login/{tenant}: redirects to the identity provider of the tenant. It redirects to the password form if the tenant has no
 * provider, and in a browser whose last login took a password: the form offers both ways, and the provider would not know the password.
 */
export const startLogin = ({
  findTenantProvider,
  startSingleSignOn,
  takeTestLogin,
  allowedOrigins,
}: StartLoginContext): Route =>
  route(apiOperations.startLogin, (request) =>
    withErrorPage(request, async () => {
      const { tenant, query, baseUrl, cookies, headers } = request;
      const provider = await findTenantProvider({ tenant });
      const wanted = query.return_to ?? consoleReturnPath(cookies);
      const returnTo =
        wanted === undefined
          ? undefined
          : returnToChecker({ tenant, baseUrl, allowedOrigins })(wanted, provider?.stored.returnTo);
      const isChosen = query.with === 'provider' || query.test !== undefined;
      const usesForm = provider === undefined || (!isChosen && prefersPassword(cookies, { tenant, baseUrl }));
      if (usesForm) return redirect(302, passwordSignInPath(tenant, returnTo));
      return await withErrorPage({ tenant, headers, returnTo }, async () => {
        if (query.test !== undefined) await takeTestLogin({ tenant }, query.test);
        const { location, cookie } = await startSingleSignOn(anonymousCallerOf(request), {
          provider,
          redirectUri: callbackUrl(baseUrl, tenant.name),
          returnTo,
          asksAgain: query.prompt === 'login',
          isTest: query.test !== undefined,
          isFromOtherSite: isFromOtherSite(headers),
          cookie: cookies.get(loginCookieName({ tenant, baseUrl })),
        });
        return redirect(302, location, { 'set-cookie': setLoginCookie({ tenant, baseUrl }, cookie) });
      });
    }),
  );
