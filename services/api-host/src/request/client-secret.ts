import { decodeBasic } from '@sluice/auth';
import { ProblemError } from '@sluice/contract';

interface ClientSecret {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** RFC 6749 section 2.3.1: both parts are form-encoded before they are joined. A string that is not form-encoded is used unchanged. */
const formDecoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
};

const invalidClient = (): ProblemError => new ProblemError('invalid_client', 'Send client_id and client_secret.');

/**
 * Reads the credential of a client, from the form or from HTTP Basic. Throws `invalid_request` for both at once (RFC 6749 section
 * 2.3: one method per request), and `invalid_client` for a missing or malformed one.
 */
export function readClientSecret(
  body: { readonly client_id?: string | undefined; readonly client_secret?: string | undefined },
  authorization: string | undefined,
): ClientSecret {
  const { client_id: clientId, client_secret: clientSecret } = body;
  if (authorization === undefined) {
    if (!clientId || !clientSecret) throw invalidClient();
    return { clientId, clientSecret };
  }
  if (clientSecret !== undefined) {
    throw new ProblemError('invalid_request', 'Send the client secret in the form or by HTTP Basic, not both.');
  }
  const [, token] = /^basic +(\S+)$/i.exec(authorization) ?? [];
  const basic = token === undefined ? undefined : decodeBasic(token);
  if (basic === undefined) throw invalidClient();
  const name = formDecoded(basic.name);
  if (clientId !== undefined && clientId !== name) throw invalidClient();
  return { clientId: name, clientSecret: formDecoded(basic.secret) };
}
