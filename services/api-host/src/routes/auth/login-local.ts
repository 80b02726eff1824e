import { apiOperations } from '@sluice/contract';
import { json, route } from '@sluice/http';
import type { ApiContext } from '../../context.ts';
import { requestOrigin } from './request-origin.ts';

export const loginLocal = ({ logIn, events }: Pick<ApiContext, 'logIn' | 'events'>) =>
  route(apiOperations.login, async ({ tenant, body, ...request }) => {
    const origin = requestOrigin(request);
    const tokens = await logIn.forTokens({ tenant, ...body, origin });
    events.authentication('login', { tenant: tenant.name, user: body.email, requestId: origin.requestId });
    return json(200, tokens);
  });
