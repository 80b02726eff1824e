import { decodeJwt } from 'jose';

/** Claims of an access token that an introspection repeats (RFC 7662 section 2.2). */
export interface AccessTokenClaims {
  readonly iss: string;
  readonly aud: string | string[];
  readonly iat: number;
  readonly exp: number;
  readonly jti: string;
}

/** Reads the claims of a token that the verifier has accepted: it requires all of these. */
export function readAccessTokenClaims(verifiedToken: string): AccessTokenClaims {
  const { iss = '', aud = '', iat = 0, exp = 0, jti = '' } = decodeJwt(verifiedToken);
  return { iss, aud, iat, exp, jti };
}
