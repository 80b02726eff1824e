import type { CredentialKind } from '@sluice/contract';
import type { Request } from 'express';

const REALM = 'realm="sluice"';

/** Challenge for a client that tried Basic: the scheme that it used (RFC 6749 section 5.2). */
export const BASIC_CHALLENGE = `Basic ${REALM}, charset="UTF-8"`;

/** Challenge for operator operations, which need the OPERATOR_TOKEN of the deployment. */
export const OPERATOR_CHALLENGE = 'Bearer realm="sluice operator"';

/**
 * Returns the values of WWW-Authenticate for a 401 (RFC 9110 section 11.6.1). Basic is omitted for scripts in a browser, which would
 * open its own password dialog. `idtoken` has no registered scheme, so it is stated as Bearer with the name of the header.
 */
export function challengesFor(accepted: readonly CredentialKind[], req: Request): string[] {
  const ofScript = req.get('sec-fetch-mode') !== undefined;
  const bearer = accepted.includes('bearer') ? `Bearer ${REALM}` : `Bearer ${REALM}, header="idtoken"`;
  return accepted.includes('basic') && !ofScript ? [BASIC_CHALLENGE, bearer] : [bearer];
}
