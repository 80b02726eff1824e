export { type AccountStore, createAccountStore } from './account-store.ts';
export { type AuthStatusStore, createAuthStatusStore } from './auth-status-store.ts';
export {
  type AuthorizationCode,
  type AuthorizationCodeStore,
  createAuthorizationCodeStore,
} from './authorization-code-store.ts';
export { type ClientAssertionStore, createClientAssertionStore } from './client-assertion-store.ts';
export {
  createDeviceAuthorizationStore,
  type DeviceAuthorization,
  type DeviceAuthorizationStore,
} from './device-authorization-store.ts';
export { createDeviceStore, type DeviceStore } from './device-store.ts';
export { createExternalLoginStore, type ExternalLogin, type ExternalLoginStore } from './external-login-store.ts';
export type { NewSession } from './insert-session.ts';
export { createLoginTransactionStore, type LoginTransactionStore } from './login-transaction-store.ts';
export { createOAuthClientStore, type OAuthClientStore, type RegisteredClient } from './oauth-client-store.ts';
export type { StoredConsent } from './oauth-consent-repository.ts';
export { createRefreshTokenStore, type RefreshTokenStore, type Rotation } from './refresh-token-store.ts';
export type { SessionPosition } from './session-repository.ts';
export { createSessionStore, type SessionStore } from './session-store.ts';
export { createSigningKeyStore, type SigningKeyStore } from './signing-key-store.ts';
export { createTenantStore, type TenantStore } from './tenant-store.ts';
export { createThrottleStore, type ThrottleStore } from './throttle-store.ts';
