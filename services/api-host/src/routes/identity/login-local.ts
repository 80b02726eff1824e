import { apiOperations } from '@sluice/contract';
import { json, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import { loginCookies, readDeviceCookie } from '../../request/device-cookie.ts';
import { requestOrigin } from '../../request/request-origin.ts';
import { sessionCookieName } from '../../request/session-cookie.ts';

export const loginLocal = ({ logIn, events }: Pick<ApiContext, 'logIn' | 'events'>) =>
  route(apiOperations.login, async ({ tenant, body, baseUrl, cookies, signal, ...request }) => {
    const origin = requestOrigin(request);
    const { tokens, deviceCookie } = await logIn.forTokens({
      tenant,
      ...body,
      origin,
      deviceCookie: readDeviceCookie({ cookies, baseUrl }),
      sessionCookie: cookies.get(sessionCookieName({ tenant, baseUrl })),
      signal,
    });
    events.authentication('login', { tenant: tenant.name, user: body.email, requestId: origin.requestId });
    return json(200, tokens, loginCookies(baseUrl, deviceCookie));
  });
