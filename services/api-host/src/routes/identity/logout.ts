import { apiOperations } from '@sluice/contract';
import { pageLanguage, type ResponseHeaders, type Route, type RouteRequest, redirect, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import type { UseCases } from '../../context/use-cases.ts';
import { logoutForm, signedOutPage } from '../../pages/logout-form.ts';
import { anonymousCallerOf } from '../../request/anonymous-caller-of.ts';
import { isFromOtherSite, requireOwnOrigin } from '../../request/request-origin.ts';
import { clearSessionCookie, sessionCookieName } from '../../request/session-cookie.ts';

type LogoutContext = Pick<UseCases, 'logOut'> & Pick<ApiContext, 'events'>;
type LogoutRequest = RouteRequest<typeof apiOperations.logout> | RouteRequest<typeof apiOperations.confirmLogout>;

interface EndedLogin {
  /** Address of the login page, or of the provider's logout, which leads there. */
  readonly next: string;
  readonly headers: ResponseHeaders;
}

const accessTokenOf = ({ headers }: LogoutRequest): string | undefined =>
  /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];

const loginPathOf = ({ tenant }: LogoutRequest): string => `/auth/login/${tenant.name}`;

/** GET and POST /auth/logout/{tenant} */
export function logoutRoutes({ logOut, events }: LogoutContext): Route[] {
  const end = async (request: LogoutRequest, { usesCookie }: { readonly usesCookie: boolean }): Promise<EndedLogin> => {
    const { tenant, headers, cookies, baseUrl, requestId } = request;
    const { users, endSessionUrl } = await logOut(anonymousCallerOf(request), {
      cookie: usesCookie ? cookies.get(sessionCookieName({ tenant, baseUrl })) : undefined,
      idToken: headers.get('idtoken'),
      accessToken: accessTokenOf(request),
      loginUrl: `${baseUrl}${loginPathOf(request)}`,
    });
    for (const user of users) events.authentication('logout', { tenant: tenant.name, user, requestId });
    return {
      next: endSessionUrl ?? loginPathOf(request),
      headers: usesCookie ? { 'set-cookie': clearSessionCookie({ tenant, baseUrl }) } : {},
    };
  };

  return [
    route(apiOperations.logout, async (request) => {
      const { tenant, headers } = request;
      // A browser that prefetches the link before a click must not end the session.
      const isPrefetch = /prefetch/.test(headers.get('sec-purpose') ?? headers.get('purpose') ?? '');
      if (isPrefetch) return redirect(302, loginPathOf(request));
      const isForeign = isFromOtherSite(headers);
      // A page that sends a token holds that session. The cookie may belong to another one.
      const hasToken = headers.get('idtoken') !== undefined || accessTokenOf(request) !== undefined;
      if (isForeign && !hasToken) return logoutForm(tenant, pageLanguage(headers));
      const ended = await end(request, { usesCookie: !isForeign });
      return redirect(302, ended.next, ended.headers);
    }),
    route(apiOperations.confirmLogout, async (request) => {
      requireOwnOrigin(request);
      const ended = await end(request, { usesCookie: true });
      return signedOutPage({ tenant: request.tenant, language: pageLanguage(request.headers), ...ended });
    }),
  ];
}
