import type { AuditAction, Caller, QueryParameter } from '@sluice/contract';
import type { FormatSpec } from '@sluice/encoders';
import type { Reader } from '../../queries/reader-pace.ts';
import type { Bundle } from '../marketplace/bundle.ts';

/** A query request from any route, in any format. */
export interface QueryInput {
  /** Id of the query, if the caller needs it before the start; generated otherwise. */
  readonly queryId?: string;
  readonly action: AuditAction;
  /** Target of the audit record; the query id by default. */
  readonly target?: string;
  readonly sql: string;
  /** Values of the parameters of the SQL. Default: none. */
  readonly parameters?: readonly QueryParameter[] | undefined;
  readonly format: FormatSpec;
  /** Combines the results of one or more statements into one file. `sql` is then only recorded, not run. */
  readonly bundle?: Bundle;
  /** Catalog and schema of unqualified names. Default: those of the engine. */
  readonly catalog?: string | undefined;
  readonly schema?: string | undefined;
  readonly timeZone: string;
  /** Time after which this query ends with an error, if it is less than the limit of the tenant. Default: that limit. */
  readonly timeLimitMs?: number | undefined;
  readonly rowsMax: number | undefined;
  /** Keeps the result for this long after its end. Default: not at all. */
  readonly keepMs?: number | undefined;
  /** Metadata of the audit record, in addition to the SQL. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Called when the receipt of the complete result is durable. */
  readonly onFinished?: (end: { readonly rows: number; readonly bytes: number }) => void;
  /** Aborts with a ProblemError when the client disconnects or stops reading, and when the host stops. */
  readonly signal: AbortSignal;
  /** Progress of the client that reads the result. */
  readonly reader: Reader;
}

/** A query together with its caller. */
export interface QueryRequest extends QueryInput {
  readonly caller: Caller;
}
