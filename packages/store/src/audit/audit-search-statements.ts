/** What a search is narrowed to; what is absent narrows nothing. */
export interface AuditFilter {
  /** Epoch milliseconds, inclusive. */
  readonly start?: number | undefined;
  /** Epoch milliseconds, exclusive. */
  readonly end?: number | undefined;
  readonly user?: string | undefined;
  /** Digest of the same name, by which failed logins with no known account are found too. */
  readonly userDigest?: string | undefined;
  readonly action?: string | undefined;
  readonly target?: string | undefined;
  readonly requestId?: string | undefined;
  readonly queryId?: string | undefined;
}

/** Conditions with their parameters, numbered as they are added. */
export interface Conditions {
  readonly values: unknown[];
  readonly terms: string[];
}

/** `timestamptz` of epoch milliseconds, exact: the factor is a whole number of microseconds. */
export const momentOf = (parameter: string): string =>
  `(timestamptz 'epoch' + ${parameter}::float8 * interval '1 millisecond')`;

/** Fields of the filter with their columns and types. */
export const EQUALITIES = [
  ['user', 'user_name', 'text'],
  ['action', 'action', 'text'],
  ['target', 'target', 'text'],
  ['requestId', 'request_id', 'text'],
  ['queryId', 'query_id', 'uuid'],
] as const;

export const parameter = ({ values }: Conditions, value: unknown): string => {
  values.push(value);
  return `$${values.length}`;
};

/** User in the log of a failed login whose name is not a known account; its target is a digest of the name. */
export const UNKNOWN_USER = 'unknown';

/**
 * The records that the conditions and the filter take, to stand behind FROM: of a user with a digest, those under the name and those of failed logins under
 * the digest. Each part is read in `order` by an index of its own; to sort all of both would cost as much as there is.
 */
export function recordsOf(conditions: Conditions, { user, userDigest }: AuditFilter, order = ''): string {
  const where = conditions.terms.join(' and ');
  if (user === undefined || userDigest === undefined) return `audit_log where ${where}`;
  const name = `${parameter(conditions, user)}::text`;
  const digest = `${parameter(conditions, userDigest)}::text`;
  const part = (condition: string) => `(select * from audit_log where ${where} and ${condition} ${order})`;
  const named = part(`user_name = ${name}`);
  const digested = part(`target = ${digest} and user_name = '${UNKNOWN_USER}' and user_name <> ${name}`);
  return `(${named} union all ${digested}) audit_log`;
}

/** First rows of the tenant that the filter takes, whenever they were. A user with a digest is left to `recordsOf`. */
export function matching(tenantId: string, filter: AuditFilter): Conditions {
  const conditions: Conditions = { values: [], terms: [] };
  conditions.terms.push(`tenant_id = ${parameter(conditions, tenantId)}`, 'record_id is null');
  for (const [field, column, type] of EQUALITIES) {
    const value = field === 'user' && filter.userDigest !== undefined ? undefined : filter[field];
    if (value !== undefined) conditions.terms.push(`${column} = ${parameter(conditions, value)}::${type}`);
  }
  return conditions;
}

/** The same, within the filter's range of time. */
export function matchingInRange(tenantId: string, filter: AuditFilter): Conditions {
  const conditions = matching(tenantId, filter);
  if (filter.start !== undefined) {
    conditions.terms.push(`occurred >= ${momentOf(parameter(conditions, filter.start))}`);
  }
  if (filter.end !== undefined) conditions.terms.push(`occurred < ${momentOf(parameter(conditions, filter.end))}`);
  return conditions;
}
