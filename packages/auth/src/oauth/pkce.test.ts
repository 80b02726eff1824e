import { describe, expect, it } from '@jest/globals';
import { isCodeChallenge, verifiesChallenge } from './pkce.ts';

/** The example of RFC 7636, appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

describe('verifiesChallenge', () => {
  it('accepts the verifier of the challenge only', () => {
    expect(verifiesChallenge(VERIFIER, CHALLENGE)).toBe(true);
    expect(verifiesChallenge(`${VERIFIER}x`, CHALLENGE)).toBe(false);
    expect(verifiesChallenge(VERIFIER.toLowerCase(), CHALLENGE)).toBe(false);
  });

  it('rejects the challenge itself, as the method plain would accept it, and verifiers of other lengths', () => {
    for (const verifier of [CHALLENGE, '', 'x'.repeat(42), 'x'.repeat(129), `${'x'.repeat(42)}ä`]) {
      expect(verifiesChallenge(verifier, CHALLENGE)).toBe(false);
    }
  });
});

describe('isCodeChallenge', () => {
  it('accepts a SHA-256 in base64url only', () => {
    expect(isCodeChallenge(CHALLENGE)).toBe(true);
    for (const text of ['', `${CHALLENGE}=`, CHALLENGE.slice(1), `${CHALLENGE.slice(1)}+`]) {
      expect(isCodeChallenge(text)).toBe(false);
    }
  });
});
