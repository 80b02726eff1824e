import type { EngineError, ProblemError } from '@sluice/contract';

/** Payload of `failed`. The cause is for the host's log. */
export interface FailedPayload {
  readonly code: ProblemError['code'];
  readonly message: string;
  readonly location?: ProblemError['location'];
  /** The error as the engine names it. */
  readonly engineError?: EngineError;
  readonly cause?: string;
  /** The engine still runs the cancelled statement, so this process must be replaced. */
  readonly mustReplace: boolean;
}

/** Payload of `not-kept`. */
export interface NotKeptPayload {
  readonly reason: string;
}

/** Payload of `read-stored`: a part of the sealed bytes of a kept result, `end` exclusive. */
export interface StoredRange {
  readonly start: number;
  readonly end: number;
}

/** Payload of `remote-statement`: the address at which the statement can be cancelled. */
export interface RemoteStatementAddress {
  readonly url: string;
}
