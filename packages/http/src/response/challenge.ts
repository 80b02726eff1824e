import type { CredentialKind } from '@sluice/contract';
import type { Request } from 'express';

const REALM = 'realm="sluice"';

/** What a client that tried Basic is told (RFC 6749 section 5.2): the scheme that it used. */
export const BASIC_CHALLENGE = `Basic ${REALM}, charset="UTF-8"`;

/** Whoever operates the deployment shows a token that no login gives. */
export const OPERATOR_CHALLENGE = 'Bearer realm="sluice operator"';

/**
 * The WWW-Authenticate lines of a 401 (RFC 9110 section 11.6.1). Basic is not named to a browser's script, for the browser
 * would open its own password box over the page. `idtoken` has no scheme of its own; Bearer with the header's name says it.
 */
export function challengesFor(accepted: readonly CredentialKind[], req: Request): string[] {
  const ofScript = req.get('sec-fetch-mode') !== undefined;
  const bearer = accepted.includes('bearer') ? `Bearer ${REALM}` : `Bearer ${REALM}, header="idtoken"`;
  return accepted.includes('basic') && !ofScript ? [BASIC_CHALLENGE, bearer] : [bearer];
}
