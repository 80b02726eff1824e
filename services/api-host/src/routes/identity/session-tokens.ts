import { apiOperations } from '@sluice/contract';
import { json, noContent, type Route, route } from '@sluice/http';
import type { UseCases } from '../../context/use-cases.ts';
import { anonymousCallerOf } from '../../request/anonymous-caller-of.ts';
import { requireOwnOrigin } from '../../request/request-origin.ts';
import { sessionCookieName } from '../../request/session-cookie.ts';

export const sessionTokens = ({ exchangeCookie }: Pick<UseCases, 'exchangeCookie'>): Route =>
  route(apiOperations.sessionTokens, async (request) => {
    requireOwnOrigin(request);
    const cookie = request.cookies.get(sessionCookieName(request));
    const tokens = await exchangeCookie(anonymousCallerOf(request), { cookie });
    return tokens === undefined ? noContent({ 'cache-control': 'no-store' }) : json(200, tokens);
  });
