import { apiOperations } from '@sluice/contract';
import { json, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import { requestOrigin, requireOwnOrigin } from '../../request/request-origin.ts';
import { sessionCookieName } from '../../request/session-cookie.ts';

export const sessionTokens = ({ exchangeCookie }: Pick<ApiContext, 'exchangeCookie'>) =>
  route(apiOperations.sessionTokens, async ({ tenant, cookies, ...request }) => {
    requireOwnOrigin(request);
    const cookie = cookies.get(sessionCookieName({ tenant, baseUrl: request.baseUrl }));
    return json(200, await exchangeCookie({ tenant, cookie, origin: requestOrigin(request) }));
  });
