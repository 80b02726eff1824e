import { apiOperations } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { UseCases } from '../../context/use-cases.ts';
import { sessionCookieName } from '../../request/session-cookie.ts';

/** GET /auth/session/{tenant}. An open page asks this every few seconds, so it writes nothing. */
export const checkSession = ({ findBrowserSession }: Pick<UseCases, 'findBrowserSession'>): Route =>
  route(apiOperations.checkSession, async ({ tenant, baseUrl, cookies }) => {
    const session = await findBrowserSession({ tenant }, cookies.get(sessionCookieName({ tenant, baseUrl })));
    return json(200, { active: session !== undefined }, { 'cache-control': 'no-store' });
  });
