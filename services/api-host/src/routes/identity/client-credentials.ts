import { apiOperations, ProblemError } from '@sluice/contract';
import { json, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import { readClientSecret } from '../../request/client-secret.ts';
import { requestOrigin } from '../../request/request-origin.ts';
import { TOKEN_HEADERS } from '../../request/token-headers.ts';

// RFC 6749 section 5.1 asks for both headers on every token answer.
export const clientCredentials = ({ issueClientToken, events }: Pick<ApiContext, 'issueClientToken' | 'events'>) =>
  route(apiOperations.clientCredentials, async ({ tenant, body, headers, signal, ...request }) => {
    if (body.grant_type !== 'client_credentials') {
      throw new ProblemError('unsupported_grant_type', 'grant_type must be client_credentials.');
    }
    const secret = readClientSecret(body, headers.get('authorization'));
    const origin = requestOrigin(request);
    const token = await issueClientToken({ tenant, ...secret, origin, signal });
    events.authentication('token_issued', {
      tenant: tenant.name,
      user: secret.clientId,
      requestId: origin.requestId,
    });
    return json(200, token, TOKEN_HEADERS);
  });
