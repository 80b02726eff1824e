import type { AuditAction, Principal } from '@sluice/contract';
import type { FormatSpec } from '@sluice/encoders';

/** What a caller asks for, whichever route took it. */
export interface QueryRequest {
  readonly principal: Principal;
  readonly action: AuditAction;
  readonly sql: string;
  readonly format: FormatSpec;
  readonly timeZone: string;
  readonly rowsMax: number | undefined;
  /** What the audit record says of the request, besides its SQL. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly requestId: string;
  readonly address: string;
  readonly userAgent: string | undefined;
  /** Aborts with a ProblemError when the client is gone, takes nothing, or the host stops. */
  readonly signal: AbortSignal;
}
