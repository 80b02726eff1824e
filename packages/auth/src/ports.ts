import type { AuditAction, Permission, Tenant } from '@sluice/contract';

// Stores that this package needs. @sluice/store implements them structurally, so neither package imports the other.

/** State of an account at the time of a request. */
export interface AccountStatus {
  readonly kind: 'user' | 'client';
  readonly id: string;
  /** E-mail address of a user, client id of a client. */
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
  /** Ids of `secretHashes`, in the same order. They reveal nothing about the secrets. */
  readonly secretIds: readonly string[];
  /** States of the queried throttle keys. */
  readonly throttle: ThrottleStates;
  /** Whether the queried device has logged in to this account. */
  readonly isDeviceKnown: boolean;
  /** Time of the database at the query, in milliseconds of the epoch. */
  readonly databaseMs: number;
}

/** Throttle keys that are read together with the status of an account. */
export interface ThrottleQuery {
  readonly keys: readonly ThrottleKey[];
  /** SHA-256 of the device cookie, in hex. */
  readonly deviceHash?: string | undefined;
}

/** Reads the state of accounts at every request: permissions never come from the token. Undefined: no such tenant. */
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
  /** Returns the deployment's key for the hashes of names. */
  hashKey(): Promise<Uint8Array>;
  findStates(tenantId: string, keys: readonly ThrottleKey[]): Promise<ThrottleStates>;
  /** Counts an attempt until it is released, has failed, or expires. */
  hold(
    tenantId: string,
    key: ThrottleKey,
    options: { expiresMs: number; policy: ThrottlePolicy },
  ): Promise<HoldOutcome>;
  release(tenantId: string, key: ThrottleKey, hold: string): Promise<void>;
  /** Returns the time for which a key with a hard limit is blocked from now on. */
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

/** Returns milliseconds of the epoch. Tests inject a clock. */
export type Clock = () => number;

/** Origin of a request, for throttles and audit records. */
export interface RequestOrigin {
  readonly address: string;
  readonly requestId: string;
  readonly userAgent?: string;
}
