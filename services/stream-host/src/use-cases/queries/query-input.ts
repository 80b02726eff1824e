import type { AuditAction, Caller } from '@sluice/contract';
import type { FormatSpec } from '@sluice/encoders';
import type { Reader } from '../../queries/reader-pace.ts';
import type { Bundle } from '../marketplace/bundle.ts';

/** A query as its caller asked for it, for every format and route. */
export interface QueryInput {
  /** Set where the id must be known before the start; generated otherwise. */
  readonly queryId?: string;
  readonly action: AuditAction;
  /** Target of the audit record, where it is not the query itself. */
  readonly target?: string;
  readonly sql: string;
  readonly format: FormatSpec;
  /** Makes one file of the results of one or several statements; then `sql` is for the records alone. */
  readonly bundle?: Bundle;
  readonly timeZone: string;
  readonly rowsMax: number | undefined;
  /** Metadata of the audit record, besides the SQL. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Aborts with a ProblemError when the client disconnects or stops reading, and when the host stops. */
  readonly signal: AbortSignal;
  /** The client's reading of the result. */
  readonly reader: Reader;
}

/** A query together with its caller. */
export interface QueryRequest extends QueryInput {
  readonly caller: Caller;
}
