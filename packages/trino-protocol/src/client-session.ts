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
  /**
   * Prepared statements by name, as the client sent them: a text, or the handle of a long one. `readStatement` resolves the one that a statement
   * names (`PreparedHandles`); a driver sends all that are open with each request.
   */
  readonly prepared: ReadonlyMap<string, string>;
  /** Undefined: no transaction is open. */
  readonly transactionId: string | undefined;
  readonly capabilities: {
    /** `PARAMETRIC_DATETIME`: without it, times and timestamps have three digits and types without a precision. */
    readonly parametricDatetime: boolean;
    /** `NUMBER`: without it, hugeint is `varchar`. */
    readonly number: boolean;
  };
  /** Path of functions, from `SET PATH`. It has no effect. */
  readonly path?: string | undefined;
  /** Roles by catalog: `ALL`, `NONE` or `ROLE{name}`. They have no effect: the rights of the account count. */
  readonly roles?: ReadonlyMap<string, string>;
  /** Fields of the audit record. */
  readonly source: string | undefined;
  readonly clientInfo: string | undefined;
  readonly clientTags: readonly string[];
  readonly traceToken: string | undefined;
}
