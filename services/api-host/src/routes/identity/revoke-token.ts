import { apiOperations } from '@sluice/contract';
import { json, type Route, type RouteRequest, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import type { UseCases } from '../../context/use-cases.ts';
import { anonymousCallerOf } from '../../request/anonymous-caller-of.ts';
import { programIdOf, readProgramCredential } from '../../request/oauth-client.ts';
import { recordingInvalidInput, recordingRefusal } from '../../request/record-refusals.ts';
import { TOKEN_HEADERS } from '../../request/token-headers.ts';

type RevokeTokenContext = Pick<UseCases, 'authenticateProgram' | 'revokeProgramToken' | 'recordRefusal'> &
  Pick<ApiContext, 'events'>;

/** `method` of the record of a refusal. */
const METHOD = 'revoke';

/** POST /auth/{tenant}/oauth2/revoke */
export function revokeToken(context: RevokeTokenContext): Route {
  const { authenticateProgram, revokeProgramToken, recordRefusal, events } = context;

  const revoke = async (request: RouteRequest<typeof apiOperations.revokeToken>): Promise<void> => {
    const { tenant, body, headers, requestId } = request;
    const caller = anonymousCallerOf(request);
    const { id: oauthClient } = await authenticateProgram(caller, readProgramCredential(body, headers));
    const user = await revokeProgramToken(caller, { token: body.token, oauthClient });
    if (user !== undefined) events.authentication('logout', { tenant: tenant.name, user, requestId });
  };

  return recordingInvalidInput(
    recordRefusal,
    METHOD,
    route(apiOperations.revokeToken, async (request) => {
      const refusal = { request, method: METHOD, clientId: programIdOf(request.body, request.headers) };
      await recordingRefusal(recordRefusal, refusal, () => revoke(request));
      return json(200, {}, TOKEN_HEADERS);
    }),
  );
}
