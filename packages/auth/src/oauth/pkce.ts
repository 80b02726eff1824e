import { createHash, timingSafeEqual } from 'node:crypto';

/** A SHA-256 in base64url (RFC 7636 section 4.2). */
const CHALLENGE = /^[\w-]{43}$/;
const VERIFIER = /^[\w.~-]{43,128}$/;

/** Checks whether a text can be a challenge of the method S256. */
export const isCodeChallenge = (text: string): boolean => CHALLENGE.test(text);

/** Checks the verifier of a code against its challenge, with the method S256 (RFC 7636 section 4.6). */
export function verifiesChallenge(verifier: string, challenge: string): boolean {
  if (!VERIFIER.test(verifier) || !isCodeChallenge(challenge)) return false;
  const computed = createHash('sha256').update(verifier).digest('base64url');
  return timingSafeEqual(Buffer.from(computed), Buffer.from(challenge));
}
