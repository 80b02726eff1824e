import { apiOperations } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import type { UseCases } from '../../context/use-cases.ts';
import { anonymousCallerOf } from '../../request/anonymous-caller-of.ts';
import { readProgramCredential } from '../../request/oauth-client.ts';
import { TOKEN_HEADERS } from '../../request/token-headers.ts';

type RevokeTokenContext = Pick<UseCases, 'authenticateProgram' | 'revokeProgramToken'> & Pick<ApiContext, 'events'>;

/** POST /auth/{tenant}/oauth2/revoke */
export const revokeToken = ({ authenticateProgram, revokeProgramToken, events }: RevokeTokenContext): Route =>
  route(apiOperations.revokeToken, async (request) => {
    const { tenant, body, headers, requestId } = request;
    const { id: oauthClient } = await authenticateProgram(
      anonymousCallerOf(request),
      readProgramCredential(body, headers),
    );
    const user = await revokeProgramToken(anonymousCallerOf(request), { token: body.token, oauthClient });
    if (user !== undefined) events.authentication('logout', { tenant: tenant.name, user, requestId });
    return json(200, {}, TOKEN_HEADERS);
  });
