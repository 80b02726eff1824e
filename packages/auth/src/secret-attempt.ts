import type { Tenant } from '@sluice/contract';
import type { AccountStatus, RequestOrigin } from './ports.ts';

/** `password_change` is the current password at its change. */
export type SecretMethod = 'password' | 'password_change' | 'basic' | 'client_secret';

export interface SecretAttempt {
  readonly tenantName: string;
  /** `client_secret` authenticates a client, the others a user. */
  readonly method: SecretMethod;
  readonly name: string;
  readonly secret: string;
  readonly origin: RequestOrigin;
  /** Device cookie of a browser that has logged in before. */
  readonly deviceCookie?: string | undefined;
  /** The valid session of the client, if it sent one. */
  readonly session?: { readonly sessionId: string; readonly accountId: string } | undefined;
  /** Aborts when the client disconnects. An attempt that is not verified by then is not counted. */
  readonly signal?: AbortSignal | undefined;
}

export interface VerifiedSecret {
  readonly tenant: Tenant;
  readonly account: AccountStatus;
  /** The stored hash that the secret matched. */
  readonly secretHash: string;
  readonly secretId: string;
  /** End of the secret in epoch milliseconds; undefined: none. */
  readonly endsMs?: number | undefined;
}
