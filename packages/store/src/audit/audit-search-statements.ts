/** What a search is narrowed to; what is absent narrows nothing. */
export interface AuditFilter {
  /** Epoch milliseconds, inclusive. */
  readonly start?: number | undefined;
  /** Epoch milliseconds, exclusive. */
  readonly end?: number | undefined;
  readonly user?: string | undefined;
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

/** First rows of the tenant that the filter takes, whenever they were. */
export function matching(tenantId: string, filter: AuditFilter): Conditions {
  const conditions: Conditions = { values: [], terms: [] };
  conditions.terms.push(`tenant_id = ${parameter(conditions, tenantId)}`, 'record_id is null');
  for (const [field, column, type] of EQUALITIES) {
    const value = filter[field];
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
