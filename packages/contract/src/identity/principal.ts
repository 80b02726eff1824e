import type { Permission } from './permission.ts';

/** Name of a tenant: a lower-case label of a host name (RFC 1123 section 2.1). */
export const TENANT_NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export interface Tenant {
  readonly id: string;
  /** Used in host names, paths and tokens. */
  readonly name: string;
  readonly state: 'active' | 'suspended';
  readonly settings: TenantSettings;
}

/** Limits of queries of one tenant. */
export interface TenantLimits {
  readonly queryTimeLimitMs?: number;
  readonly queriesPerUser?: number;
  readonly queriesPerTenant?: number;
  readonly rowsMax?: number;
  readonly bytesMax?: number;
  /** Longest time for which results may be kept. 0: they are not. */
  readonly keepTimeMaxMs?: number;
  /** Limit of the bytes of all kept results. */
  readonly keptBytesMax?: number;
  /** Time for which the console keeps the results of its users. 0: it keeps none. */
  readonly consoleKeepMs?: number;
}

/** Lifetimes of the sessions of users. Absent: that of the deployment alone. */
export interface SessionLimits {
  /** Time without a request after which a session ends. */
  readonly idleMinutes?: number;
  /** Time after the login at which a session ends. */
  readonly absoluteHours?: number;
}

/** Settings of one tenant. An absent one has the default of the deployment. */
export interface TenantSettings extends TenantLimits {
  readonly allowedOrigins?: readonly string[];
  /** Limits that the tenant's admin has set. The smaller one of these and the others is in force. */
  readonly ownLimits?: TenantLimits;
  /** Older audit records are hidden from the tenant. */
  readonly auditRetentionMs?: number;
  /** False: the audit log has no records of reads of metadata. Chosen by the tenant's admin. Absent: it has. */
  readonly recordsMetadataReads?: boolean;
  /** Chosen by the tenant's admin. */
  readonly sessionLimits?: SessionLimits;
  /** True: users may let programs log in that are described by a document at their client id. Chosen by the tenant's admin. */
  readonly allowsClientDocuments?: boolean;
}

/**
 * Returns whether the audit log of a tenant has records of reads of metadata: lists and descriptions of tables, domains, datamaps and marketplace
 * items. Everything else is always recorded.
 */
export const recordsMetadataReads = ({ settings }: Pick<Tenant, 'settings'>): boolean =>
  settings.recordsMetadataReads !== false;

/** Authenticated caller: a user or a service account, with the rights that the store (not the token) has now. */
export interface Principal {
  readonly tenant: Tenant;
  readonly kind: 'user' | 'client';
  /** UUID of the account. */
  readonly id: string;
  /** E-mail of a user or client id of a client. It is the `user` of audit records and the engine's user. */
  readonly name: string;
  readonly roles: readonly string[];
  readonly permissions: ReadonlySet<Permission>;
  /** Time of the lookup in the store, by `performance.now()` of this process. An old principal must be looked up again. */
  readonly authenticatedAtMs: number;
  /** Absent for Basic, which has no session. */
  readonly sessionId?: string;
  /** Secret that was used with Basic. Queries started with it end when it is revoked. */
  readonly secretId?: string;
  /** True if the session is limited to a scope. Its permissions are those of the scope. */
  readonly hasScope?: boolean;
  /** Address of the request, when the networks of the service account do not include it. Such a caller may do nothing. */
  readonly refusedAddress?: string;
}
