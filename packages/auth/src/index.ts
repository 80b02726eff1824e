export { addressPrefix } from './address-prefix.ts';
export { type Authenticator, createAuthenticator } from './authenticator.ts';
export { type BasicCredential, decodeBasic } from './basic-credential.ts';
export { type CredentialVerifier, createCredentialVerifier } from './credential-verifier.ts';
export { DEVICE_COOKIE, DEVICE_LIFETIME_MS, readDeviceCookie } from './device-cookie.ts';
export { parseMasterKey } from './key-encryption.ts';
export { createKeyRing, type KeyRing, type KeyRingOptions } from './key-ring.ts';
export type { KeySchedule } from './key-schedule.ts';
export { createLocalKeySource, type KeySource } from './key-source.ts';
export { createLoginThrottle, type LoginThrottle, THROTTLE_POLICY } from './login-throttle.ts';
export { createNameDigest, deriveNameKey, type NameDigest, parseNameKey, UNKNOWN_USER } from './name-digest.ts';
export { type IdentityFacts, readIdentityClaims } from './oidc-client/identity-claims.ts';
export type { AuthorizationInput, OidcClient, OidcProvider, VerifiedIdentity } from './oidc-client/oidc-client.ts';
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
export { createPasswords, type PasswordCosts, type Passwords } from './passwords.ts';
export type {
  AccountStatus,
  AuditLog,
  AuditRecord,
  AuthStatusReader,
  Clock,
  RequestOrigin,
  SigningKeys,
  Throttles,
} from './ports.ts';
export { createRemoteKeySource, keySetWarnings, type RemoteKeySourceOptions } from './remote-key-source.ts';
export type { SecretAttempt, SecretMethod, VerifiedSecret } from './secret-attempt.ts';
export { createSecretBox, type SecretBox } from './secret-box.ts';
export { createSecretVerifier, type SecretVerifier } from './secret-verifier.ts';
export { CLOCK_TOLERANCE_SECONDS, TOKEN_LIFETIME_SECONDS_MAX, type TokenNames } from './token-claims.ts';
export { createTokenSigner, type TokenSigner, type TokenSignerOptions, type TokenSubject } from './token-signer.ts';
export { createTokenVerifier, type TokenVerifier, type VerifiedToken } from './token-verifier.ts';
export { createValueSeal, type ValueSeal } from './value-seal.ts';
