import { apiOperations } from '@sluice/contract';
import { redirect, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import { requestOrigin } from '../../request/request-origin.ts';
import { clearSessionCookie, sessionCookieName } from '../../request/session-cookie.ts';

export const logout = ({ logOut, events }: Pick<ApiContext, 'logOut' | 'events'>) =>
  route(apiOperations.logout, async ({ tenant, cookies, headers, baseUrl, ...request }) => {
    const login = `/auth/login/${tenant.name}`;
    // A browser that fetches the link ahead of the click has not been asked to log anybody out.
    const isPrefetch = /prefetch/.test(headers.get('sec-purpose') ?? headers.get('purpose') ?? '');
    if (isPrefetch) return redirect(302, login);
    const origin = requestOrigin(request);
    const cookie = cookies.get(sessionCookieName({ tenant, baseUrl }));
    const idToken = headers.get('idtoken');
    const { users, endSessionUrl } = await logOut({ tenant, cookie, idToken, loginUrl: `${baseUrl}${login}`, origin });
    for (const user of users) {
      events.authentication('logout', { tenant: tenant.name, user, requestId: origin.requestId });
    }
    return redirect(302, endSessionUrl ?? login, { 'set-cookie': clearSessionCookie({ tenant, baseUrl }) });
  });
