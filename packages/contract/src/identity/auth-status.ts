import type { ClientKeySet } from '../administration/service-account-access.ts';
import type { Permission } from './permission.ts';
import type { Tenant } from './principal.ts';
import type { ThrottleKey, ThrottleStates } from './throttle.ts';

/** Current state of an account, with the permissions of all its roles. */
export interface AccountStatus {
  readonly kind: 'user' | 'client';
  readonly id: string;
  /** E-mail of a user, client id of a client. */
  readonly name: string;
  readonly disabled: boolean;
  readonly roles: readonly string[];
  readonly permissions: readonly Permission[];
  /** Networks of the addresses from which a client may send requests. Null or absent: any. */
  readonly allowedNetworks?: readonly string[] | null | undefined;
  /** Whether a client may introspect tokens. */
  readonly mayIntrospect?: boolean | undefined;
}

/** Public keys with which a client signs in, or their address. At most one of the two is set. */
export interface ClientKeys {
  readonly jwks: ClientKeySet | null;
  readonly jwksUri: string | null;
}

export interface SessionStatus {
  readonly tenant: Tenant;
  /** Undefined when the session or its account does not exist. */
  readonly account: AccountStatus | undefined;
  readonly sessionLive: boolean;
  readonly keyRevoked: boolean;
  /** Whether the session is limited to a scope. */
  readonly hasScope?: boolean;
}

export interface SecretStatus {
  readonly tenant: Tenant;
  readonly account: AccountStatus | undefined;
  /** argon2 hashes, any of which the secret may match; empty for an account without a password. */
  readonly secretHashes: readonly string[];
  /** Ids of `secretHashes`, in the same order. They reveal nothing about the secrets. */
  readonly secretIds: readonly string[];
  /** Beginnings of the secrets, in the same order; null: unknown. Absent for users. */
  readonly secretSelectors?: readonly (string | null)[];
  /** Ends of the secrets in epoch milliseconds, in the same order; null: none. Absent for users. */
  readonly secretEnds?: readonly (number | null)[];
  /** Keys of a client. Absent for users, and without an account. */
  readonly clientKeys?: ClientKeys | undefined;
  /** States of the requested throttle keys. */
  readonly throttle: ThrottleStates;
  /** Whether the requested device has logged in to this account. */
  readonly isDeviceKnown: boolean;
  /** Clock of the database at the time of the statement, in epoch milliseconds. */
  readonly databaseMs: number;
}

/** Throttle keys that are read together with the status of an account. */
export interface ThrottleQuery {
  readonly keys: readonly ThrottleKey[];
  /** SHA-256 of the device cookie, in hex. */
  readonly deviceHash?: string | undefined;
}

/** An account and how it authenticated, to check later whether it still may act. */
export interface CallerReference {
  readonly tenantName: string;
  readonly accountKind: 'user' | 'client';
  readonly accountId: string;
  /** Absent for Basic. */
  readonly sessionId?: string | undefined;
  /** Password that was used with Basic. */
  readonly secretId?: string | undefined;
}

/** Reads the state of a caller who sends no credential again. */
export interface CallerStatusReader {
  /** Returns undefined when there is no such tenant. `sessionLive` is false, for Basic, when the password has changed. */
  ofCaller(caller: CallerReference): Promise<SessionStatus | undefined>;
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
