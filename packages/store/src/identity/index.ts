export { type AccountStore, createAccountStore } from './account-store.ts';
export { type AuthStatusStore, createAuthStatusStore } from './auth-status-store.ts';
export { createDeviceStore, type DeviceStore } from './device-store.ts';
export { createLoginTransactionStore, type LoginTransactionStore } from './login-transaction-store.ts';
export { createRefreshTokenStore, type RefreshTokenStore, type Rotation } from './refresh-token-store.ts';
export { createSessionStore, type NewSession, type SessionStore } from './session-store.ts';
export { createSigningKeyStore, type SigningKeyStore } from './signing-key-store.ts';
export { createTenantStore, type TenantStore } from './tenant-store.ts';
export { createThrottleStore, type ThrottleStore } from './throttle-store.ts';
