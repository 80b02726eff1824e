/** Session of one request, which its `X-Trino-*` headers describe completely: the protocol keeps none in the server. */
export interface ClientSession {
  /** Undefined: the header is absent. */
  readonly user: string | undefined;
  readonly catalog: string | undefined;
  readonly schema: string | undefined;
  /** IANA name or offset such as `+05:30`, as Trino accepts it. Undefined: the zone of the server, `UTC`. */
  readonly timeZone: string | undefined;
  /** Session properties by name, such as `query_max_run_time`. */
  readonly properties: ReadonlyMap<string, string>;
  /** Text of prepared statements by name. Handles are resolved. */
  readonly prepared: ReadonlyMap<string, string>;
  /** Undefined: no transaction is open. */
  readonly transactionId: string | undefined;
  readonly capabilities: {
    /** `PARAMETRIC_DATETIME`: without it, times and timestamps have three digits and types without a precision. */
    readonly parametricDatetime: boolean;
    /** `NUMBER`: without it, hugeint is `varchar`. */
    readonly number: boolean;
  };
  /** What the audit record holds. */
  readonly source: string | undefined;
  readonly clientInfo: string | undefined;
  readonly clientTags: readonly string[];
  readonly traceToken: string | undefined;
}
