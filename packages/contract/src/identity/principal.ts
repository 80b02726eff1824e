import type { Permission } from './permission.ts';

/** The name of a tenant: a label of a host name (RFC 1123 section 2.1), lower case. */
export const TENANT_NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** A tenant as every host knows it. */
export interface Tenant {
  readonly id: string;
  /** The slug of host names, paths and tokens. */
  readonly name: string;
  readonly state: 'active' | 'suspended';
  readonly settings: TenantSettings;
}

/** What an operator may set for one tenant; what is absent has the deployment's default. */
export interface TenantSettings {
  readonly allowedOrigins?: readonly string[];
  readonly queryTimeLimitMs?: number;
  readonly queriesPerUser?: number;
  readonly queriesPerTenant?: number;
  readonly rowsMax?: number;
  readonly bytesMax?: number;
  /** Records of the audit log that are older are hidden from the tenant. */
  readonly auditRetentionMs?: number;
}

/** Who asks: a person or a service account, as the store (not the token) says at this moment. */
export interface Principal {
  readonly tenant: Tenant;
  readonly kind: 'user' | 'client';
  /** UUID of the account. */
  readonly id: string;
  /** The e-mail of a user, the client id of a client: the `user` of audit records, and the engine's user. */
  readonly name: string;
  readonly roles: readonly string[];
  readonly permissions: ReadonlySet<Permission>;
  /** When the store was asked for this, by `performance.now()` of this process: what is old must be looked at again. */
  readonly authenticatedAtMs: number;
  /** Absent under Basic, which has no session. */
  readonly sessionId?: string;
  /** Which of the account's secrets was shown, under Basic: what was begun by it ends with it. */
  readonly secretId?: string;
}
