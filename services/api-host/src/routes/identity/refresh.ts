import { apiOperations } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import type { UseCases } from '../../context/use-cases.ts';
import { anonymousCallerOf } from '../../request/anonymous-caller-of.ts';
import { TOKEN_HEADERS } from '../../request/token-headers.ts';

export const refresh = ({
  refreshTokens,
  events,
}: Pick<UseCases, 'refreshTokens'> & Pick<ApiContext, 'events'>): Route =>
  route(apiOperations.refresh, async (request) => {
    const { tenant, body, requestId } = request;
    const { tokens, user } = await refreshTokens(anonymousCallerOf(request), { refreshToken: body.refresh_token });
    events.authentication('token_refreshed', { tenant: tenant.name, user, requestId });
    return json(200, tokens, TOKEN_HEADERS);
  });
