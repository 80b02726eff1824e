import type { AuditAction, Permission, Tenant } from '@sluice/contract';

// What this package needs of a store. @sluice/store fits these by shape, so neither package imports the other.

/** An account as it stands at this moment. */
export interface AccountStatus {
  readonly kind: 'user' | 'client';
  readonly id: string;
  /** The e-mail, or the client id. */
  readonly name: string;
  readonly disabled: boolean;
  readonly roles: readonly string[];
  readonly permissions: readonly Permission[];
}

export interface SessionStatus {
  readonly tenant: Tenant;
  readonly account: AccountStatus | undefined;
  readonly sessionLive: boolean;
  readonly keyRevoked: boolean;
}

export interface SecretStatus {
  readonly tenant: Tenant;
  readonly account: AccountStatus | undefined;
  readonly secretHashes: readonly string[];
  /** What each of them is called; tells nothing of it. */
  readonly secretIds: readonly string[];
  /** States of the throttle keys that were asked for. */
  readonly throttle: ThrottleStates;
  /** Whether the device that was asked for has logged in to this account. */
  readonly isDeviceKnown: boolean;
  /** Clock of the database when it answered, in milliseconds of the epoch. */
  readonly databaseMs: number;
}

/** Throttle keys that are read together with the status of an account. */
export interface ThrottleQuery {
  readonly keys: readonly ThrottleKey[];
  /** SHA-256 of the device cookie, in hex. */
  readonly deviceHash?: string | undefined;
}

/** Asked at every request: what the token says of rights is never believed. Undefined: no such tenant. */
export interface AuthStatusReader {
  ofSession(token: {
    tenantName: string;
    sessionId: string;
    accountId: string;
    keyId: string;
  }): Promise<SessionStatus | undefined>;
  ofUser(tenantName: string, email: string, throttle: ThrottleQuery): Promise<SecretStatus | undefined>;
  ofClient(tenantName: string, clientId: string, throttle: ThrottleQuery): Promise<SecretStatus | undefined>;
}

export type ThrottleScope = 'account' | 'address' | 'account_at_address' | 'device' | 'session';

export interface ThrottleKey {
  readonly scope: ThrottleScope;
  readonly key: string;
}

export interface ThrottlePolicy {
  readonly failuresFree: number;
  readonly delayFirstMs: number;
  readonly delayMaxMs: number;
  readonly windowMs: number;
}

export interface ThrottleState {
  readonly failures: number;
  /** Time since the last failure. */
  readonly ageMs: number;
  readonly blockedMs: number;
}

export type ThrottleStates = Readonly<Partial<Record<ThrottleScope, ThrottleState>>>;

export type HoldOutcome =
  | { readonly kind: 'held'; readonly hold: string }
  | { readonly kind: 'blocked'; readonly blockedMs: number }
  | { readonly kind: 'busy' };

export interface Throttles {
  /** Key of the deployment under which names are hashed. */
  hashKey(): Promise<Uint8Array>;
  findStates(tenantId: string, keys: readonly ThrottleKey[]): Promise<ThrottleStates>;
  /** Counts an attempt until it is released, has failed, or expires. */
  hold(
    tenantId: string,
    key: ThrottleKey,
    options: { expiresMs: number; policy: ThrottlePolicy },
  ): Promise<HoldOutcome>;
  release(tenantId: string, key: ThrottleKey, hold: string): Promise<void>;
  /** Returns how long a key with a hard limit is blocked now. */
  countFailure(
    tenantId: string,
    keys: readonly ThrottleKey[],
    options: { hold?: string | undefined; policy: ThrottlePolicy },
  ): Promise<number>;
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
