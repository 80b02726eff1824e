import { apiOperations } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { UseCases } from '../../context/use-cases.ts';
import { anonymousCallerOf } from '../../request/anonymous-caller-of.ts';
import { readClientCredential } from '../../request/client-credential.ts';
import { TOKEN_HEADERS } from '../../request/token-headers.ts';

/** POST /auth/{tenant}/oauth2/introspect */
export const introspectToken = ({ introspectToken: introspect }: Pick<UseCases, 'introspectToken'>): Route =>
  route(apiOperations.introspectToken, async (request) => {
    const { body, headers, signal } = request;
    const credential = readClientCredential(body, headers.get('authorization'));
    const described = await introspect(anonymousCallerOf(request), { credential, token: body.token, signal });
    return json(200, described, TOKEN_HEADERS);
  });
