import { apiOperations, ProblemError } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import type { UseCases } from '../../context/use-cases.ts';
import { anonymousCallerOf } from '../../request/anonymous-caller-of.ts';
import { readClientSecret } from '../../request/client-secret.ts';
import { TOKEN_HEADERS } from '../../request/token-headers.ts';

type ClientCredentialsContext = Pick<UseCases, 'issueClientToken'> & Pick<ApiContext, 'events'>;

export const clientCredentials = ({ issueClientToken, events }: ClientCredentialsContext): Route =>
  route(apiOperations.clientCredentials, async (request) => {
    const { tenant, body, headers, signal, requestId } = request;
    if (body.grant_type !== 'client_credentials') {
      throw new ProblemError('unsupported_grant_type', 'grant_type must be client_credentials.');
    }
    const secret = readClientSecret(body, headers.get('authorization'));
    const token = await issueClientToken(anonymousCallerOf(request), { ...secret, signal });
    events.authentication('token_issued', { tenant: tenant.name, user: secret.clientId, requestId });
    return json(200, token, TOKEN_HEADERS);
  });
