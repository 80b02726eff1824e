import { apiOperations } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import type { UseCases } from '../../context/use-cases.ts';
import { anonymousCallerOf } from '../../request/anonymous-caller-of.ts';
import { TOKEN_HEADERS } from '../../request/token-headers.ts';

type BackchannelLogoutContext = Pick<UseCases, 'endProviderSessions'> & Pick<ApiContext, 'events'>;

/** POST /auth/backchannel-logout/{tenant} */
export const backchannelLogout = ({ endProviderSessions, events }: BackchannelLogoutContext): Route =>
  route(apiOperations.backchannelLogout, async (request) => {
    const { tenant, body, requestId } = request;
    const users = await endProviderSessions(anonymousCallerOf(request), body.logout_token);
    for (const user of users) events.authentication('logout', { tenant: tenant.name, user, requestId });
    return json(200, { ended_count: users.length }, TOKEN_HEADERS);
  });
