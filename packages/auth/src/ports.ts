import type { AuditRecord } from '@sluice/contract';

// Stores that this package needs. They are declared in the contract, so that @sluice/store implements them and neither package
// imports the other.
export type {
  AccountStatus,
  AuthStatusReader,
  CallerStatusReader,
  HoldOutcome,
  KeyRevocation,
  RevokedKey,
  SecretStatus,
  SessionStatus,
  SigningKeys,
  StoredSigningKey,
  ThrottleKey,
  ThrottlePolicy,
  ThrottleStates,
  Throttles,
} from '@sluice/contract';

export interface AuditLog {
  append(record: AuditRecord): Promise<void>;
}

/** Returns milliseconds of the epoch. Tests inject a clock. */
export type Clock = () => number;

/** Origin of a request, for throttles and audit records. */
export interface RequestOrigin {
  readonly address: string;
  readonly requestId: string;
  readonly userAgent?: string;
}
