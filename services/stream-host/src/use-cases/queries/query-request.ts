import type { AuditAction, Principal } from '@sluice/contract';
import type { FormatSpec } from '@sluice/encoders';
import type { Reader } from '../../queries/reader-pace.ts';
import type { Bundle } from '../marketplace/bundle.ts';

/** What a caller asks for, whichever route took it. */
export interface QueryRequest {
  readonly principal: Principal;
  /** Where it must be known before; made otherwise. */
  readonly queryId?: string;
  readonly action: AuditAction;
  /** What the record names as acted on, where it is not the query itself. */
  readonly target?: string;
  readonly sql: string;
  readonly format: FormatSpec;
  /** Makes one file of the results of one or several statements; then `sql` is for the records alone. */
  readonly bundle?: Bundle;
  readonly timeZone: string;
  readonly rowsMax: number | undefined;
  /** What the audit record says of the request, besides its SQL. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly requestId: string;
  readonly address: string;
  readonly userAgent: string | undefined;
  /** Aborts with a ProblemError when the client is gone, takes nothing, or the host stops. */
  readonly signal: AbortSignal;
  /** How the client takes the result. */
  readonly reader: Reader;
}
