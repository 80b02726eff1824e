import { apiOperations } from '@sluice/contract';
import { json, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import { requestOrigin } from '../../request/request-origin.ts';
import { TOKEN_HEADERS } from '../../request/token-headers.ts';

// RFC 6749 section 5.1 asks for both headers on every token answer.
export const refresh = ({ refreshTokens, events }: Pick<ApiContext, 'refreshTokens' | 'events'>) =>
  route(apiOperations.refresh, async ({ tenant, body, ...request }) => {
    const origin = requestOrigin(request);
    const { tokens, user } = await refreshTokens({ tenant, refreshToken: body.refresh_token, origin });
    events.authentication('token_refreshed', { tenant: tenant.name, user, requestId: origin.requestId });
    return json(200, tokens, TOKEN_HEADERS);
  });
