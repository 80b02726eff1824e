export { addressPrefix } from './address-prefix.ts';
export { includesAddress } from './allowed-networks.ts';
export { type Authenticator, createAuthenticator } from './authenticator.ts';
export { decodeBasic } from './basic-credential.ts';
export { type ByteCipher, createByteCipher } from './byte-cipher.ts';
export { createCredentialVerifier } from './credential-verifier.ts';
export { DEVICE_COOKIE, DEVICE_LIFETIME_MS } from './device-cookie.ts';
export { type MasterKeys, parseMasterKey, rewrap } from './key-encryption.ts';
export { createKeyRing, type KeyRing, TOKEN_ALGORITHM } from './key-ring.ts';
export { createLocalKeySource } from './key-source.ts';
export { createLoginThrottle, type LoginThrottle, THROTTLE_POLICY } from './login-throttle.ts';
export { createNameDigest, deriveNameKey, type NameDigest, parseNameKey } from './name-digest.ts';
export { readAccessTokenClaims } from './oauth/access-token-claims.ts';
export {
  CLIENT_ASSERTION_TYPE,
  readAssertionHint,
  repeatedAssertion,
  unknownAssertionKey,
  verifyClientAssertion,
} from './oauth/client-assertion.ts';
export { documentClient, InvalidClientDocument, isDocumentId } from './oauth/client-document.ts';
export type { ClientDocuments } from './oauth/client-documents.ts';
export type { ClientKeySource } from './oauth/client-key-source.ts';
export {
  createExternalLogins,
  EXTERNAL_LOGIN_LIFETIME_MS,
  type ExternalLogins,
  type RequestedLogin,
} from './oauth/external-login.ts';
export { findBuiltInClient, isClientSecret, type OAuthClient, TRINO_CLIENT } from './oauth/oauth-clients.ts';
export { openClientDocuments } from './oauth/open-client-documents.ts';
export { openClientKeySource } from './oauth/open-client-key-source.ts';
export { isCodeChallenge, verifiesChallenge } from './oauth/pkce.ts';
export { isRegisteredRedirectUri } from './oauth/redirect-uri.ts';
export { isWithinScope, joinScopes, parseScope, requireWithin, scopeForClient } from './oauth/scope.ts';
export {
  isTokenTarget,
  parseTargets,
  requireGranted,
  type TargetAddresses,
  type TokenTarget,
  type TokenTargets,
} from './oauth/token-targets.ts';
export { createUserCode, formatUserCode, hashUserCode, readUserCode } from './oauth/user-code.ts';
export { type IdentityFacts, readIdentityClaims } from './oidc-client/identity-claims.ts';
export type { LogoutToken } from './oidc-client/logout-token.ts';
export type { OidcClient, OidcProvider, VerifiedIdentity } from './oidc-client/oidc-client.ts';
export { openOidcClient } from './oidc-client/open-oidc-client.ts';
export {
  createOpaqueToken,
  hashOpaqueToken,
  openLink,
  openLogin,
  openReplay,
  sealLink,
  sealLogin,
  sealReplay,
} from './opaque-token.ts';
export { createOperatorGate, type OperatorGate } from './operator-gate.ts';
export { createPageTokens, invalidPageToken, type PageTokens } from './page-tokens.ts';
export { createPasswords, type PasswordCosts, type Passwords } from './passwords.ts';
export type { AuthStatusReader, Clock, RequestOrigin } from './ports.ts';
export { createRemoteKeySource, keySetWarnings } from './remote-key-source.ts';
export { createRevalidateCaller, type RevalidateCaller } from './revalidate-caller.ts';
export { createSecretBox, type SecretBox } from './secret-box.ts';
export { secretSelectorOf } from './secret-selector.ts';
export { createSecretVerifier, type SecretVerifier } from './secret-verifier.ts';
export { createTicketSeal, type TicketSeal } from './ticket-seal.ts';
export { apiAudienceOf, issuerOf } from './token-claims.ts';
export { createTokenSigner, type TokenSigner } from './token-signer.ts';
export { createTokenVerifier, type TokenVerifier } from './token-verifier.ts';
export { createValueSeal, type ValueSeal } from './value-seal.ts';
