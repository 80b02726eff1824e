import { apiOperations } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { UseCases } from '../../context/use-cases.ts';
import { anonymousCallerOf } from '../../request/anonymous-caller-of.ts';
import { readClientCredential } from '../../request/client-credential.ts';
import { recordingInvalidInput, recordingRefusal } from '../../request/record-refusals.ts';
import { TOKEN_HEADERS } from '../../request/token-headers.ts';

/** `method` of the record of a refusal. */
const METHOD = 'introspect';

/** POST /auth/{tenant}/oauth2/introspect */
export const introspectToken = ({
  introspectToken: introspect,
  recordRefusal,
}: Pick<UseCases, 'introspectToken' | 'recordRefusal'>): Route =>
  recordingInvalidInput(
    recordRefusal,
    METHOD,
    route(apiOperations.introspectToken, async (request) => {
      const { body, headers, signal } = request;
      // A wrong credential is recorded where it is checked.
      const credential = await recordingRefusal(recordRefusal, { request, method: METHOD }, async () =>
        readClientCredential(body, headers.get('authorization')),
      );
      const described = await introspect(anonymousCallerOf(request), { credential, token: body.token, signal });
      return json(200, described, TOKEN_HEADERS);
    }),
  );
