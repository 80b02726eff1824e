import type { AuditAction, Permission, Tenant } from '@sluice/contract';

// What this package needs of a store. @sluice/store fits these by shape, so neither package imports the other.

/** An account as it stands at this moment. */
export interface AccountStanding {
  readonly kind: 'user' | 'client';
  readonly id: string;
  /** The e-mail, or the client id. */
  readonly name: string;
  readonly disabled: boolean;
  readonly roles: readonly string[];
  readonly permissions: readonly Permission[];
}

export interface SessionStanding {
  readonly tenant: Tenant;
  readonly account: AccountStanding | undefined;
  readonly sessionLive: boolean;
  readonly keyRevoked: boolean;
}

export interface SecretStanding {
  readonly tenant: Tenant;
  readonly account: AccountStanding | undefined;
  readonly secretHashes: readonly string[];
  /** What each of them is called; tells nothing of it. */
  readonly secretIds: readonly string[];
  /** How long the first blocked of the throttle keys still is; 0 when none is. */
  readonly blockedMs: number;
}

/** Asked at every request: what the token says of rights is never believed. Undefined: no such tenant. */
export interface Standings {
  ofSession(token: {
    tenantName: string;
    sessionId: string;
    accountId: string;
    keyId: string;
  }): Promise<SessionStanding | undefined>;
  ofUser(tenantName: string, email: string, throttleKeys: readonly ThrottleKey[]): Promise<SecretStanding | undefined>;
  ofClient(
    tenantName: string,
    clientId: string,
    throttleKeys: readonly ThrottleKey[],
  ): Promise<SecretStanding | undefined>;
}

export interface ThrottleKey {
  readonly scope: 'account' | 'address';
  readonly key: string;
  readonly failuresFree: number;
}

export interface ThrottlePolicy {
  readonly delayFirstMs: number;
  readonly delayMaxMs: number;
  readonly windowMs: number;
}

export interface Throttles {
  /** Counts an attempt as failed before it is checked; 0, or for how long it is blocked. */
  take(tenantId: string, keys: readonly ThrottleKey[], policy: ThrottlePolicy): Promise<number>;
  giveBack(tenantId: string, keys: readonly ThrottleKey[]): Promise<void>;
}

export interface AuditRecord {
  readonly tenantId: string;
  readonly user: string;
  readonly action: AuditAction;
  readonly target: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly requestId?: string;
  readonly sessionId?: string;
  readonly address?: string;
  readonly userAgent?: string;
}

export interface AuditLog {
  append(record: AuditRecord): Promise<void>;
}

export interface StoredSigningKey {
  readonly kid: string;
  readonly privateKeyEncrypted: Uint8Array;
  readonly publicJwk: Readonly<Record<string, unknown>>;
  readonly publishAt: Date;
  readonly signFrom: Date;
  readonly signUntil: Date;
  readonly expiresAt: Date;
}

export interface SigningKeys {
  update(
    plan: (keys: readonly StoredSigningKey[]) => Promise<readonly StoredSigningKey[]>,
  ): Promise<StoredSigningKey[]>;
}

/** Milliseconds of the epoch; tests give their own. */
export type Clock = () => number;

/** Where a request came from, for throttles and audit records. */
export interface RequestOrigin {
  readonly address: string;
  readonly requestId: string;
  readonly userAgent?: string;
}
