import { apiOperations } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import type { UseCases } from '../../context/use-cases.ts';
import { anonymousCallerOf } from '../../request/anonymous-caller-of.ts';
import { loginCookies, readDeviceCookie } from '../../request/device-cookie.ts';
import { sessionCookieName } from '../../request/session-cookie.ts';

type LoginLocalContext = Pick<UseCases, 'logInForTokens'> & Pick<ApiContext, 'events'>;

export const loginLocal = ({ logInForTokens, events }: LoginLocalContext): Route =>
  route(apiOperations.login, async (request) => {
    const { tenant, body, baseUrl, cookies, signal } = request;
    const { tokens, deviceCookie } = await logInForTokens(anonymousCallerOf(request), {
      ...body,
      deviceCookie: readDeviceCookie(request),
      sessionCookie: cookies.get(sessionCookieName({ tenant, baseUrl })),
      signal,
    });
    events.authentication('login', { tenant: tenant.name, user: body.email, requestId: request.requestId });
    return json(200, tokens, loginCookies(baseUrl, deviceCookie));
  });
