import { apiOperations } from '@sluice/contract';
import { type Route, redirect, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import type { UseCases } from '../../context/use-cases.ts';
import { anonymousCallerOf } from '../../request/anonymous-caller-of.ts';
import { clearSessionCookie, sessionCookieName } from '../../request/session-cookie.ts';

export const logout = ({ logOut, events }: Pick<UseCases, 'logOut'> & Pick<ApiContext, 'events'>): Route =>
  route(apiOperations.logout, async (request) => {
    const { tenant, cookies, headers, baseUrl, requestId } = request;
    const loginPath = `/auth/login/${tenant.name}`;
    // A browser that prefetches the link before a click must not end the session.
    const isPrefetch = /prefetch/.test(headers.get('sec-purpose') ?? headers.get('purpose') ?? '');
    if (isPrefetch) return redirect(302, loginPath);
    const { users, endSessionUrl } = await logOut(anonymousCallerOf(request), {
      cookie: cookies.get(sessionCookieName({ tenant, baseUrl })),
      idToken: headers.get('idtoken'),
      loginUrl: `${baseUrl}${loginPath}`,
    });
    for (const user of users) events.authentication('logout', { tenant: tenant.name, user, requestId });
    return redirect(302, endSessionUrl ?? loginPath, { 'set-cookie': clearSessionCookie({ tenant, baseUrl }) });
  });
