/** Filter of a search. Absent members match all records. */
export interface AuditFilter {
  /** Epoch milliseconds, inclusive. */
  readonly start?: number | undefined;
  /** Epoch milliseconds, exclusive. */
  readonly end?: number | undefined;
  readonly user?: string | undefined;
  /** Digest of `user`. Also finds failed logins with that name and no known account. */
  readonly userDigest?: string | undefined;
  readonly action?: string | undefined;
  readonly target?: string | undefined;
  readonly requestId?: string | undefined;
  readonly queryId?: string | undefined;
  /** Any of these actions, each once. Not together with `action` or `excludedActions`. */
  readonly actions?: readonly string[] | undefined;
  readonly excludedActions?: readonly string[] | undefined;
  /** Folded words that target and SQL must all contain. */
  readonly words?: readonly string[] | undefined;
}

/** SQL conditions with the values of their parameters, in the order of their numbers. */
export interface Conditions {
  readonly values: unknown[];
  readonly terms: string[];
}

/** Returns the `timestamptz` of milliseconds since the epoch. Exact, because a millisecond is a whole number of microseconds. */
export const momentOf = (parameter: string): string =>
  `(timestamptz 'epoch' + ${parameter}::float8 * interval '1 millisecond')`;

/** Returns microseconds since the epoch. Exact, because a double holds the microseconds of all years that the log may have. */
export const microseconds = (moment: string): string => `(date_part('epoch', ${moment}) * 1000000)::int8`;

/** Fields of the filter that are compared for equality, with their columns and types. */
export const EQUALITIES = [
  ['user', 'user_name', 'text'],
  ['action', 'action', 'text'],
  ['target', 'target', 'text'],
  ['requestId', 'request_id', 'text'],
  ['queryId', 'query_id', 'uuid'],
] as const;

/** Adds a value and returns its placeholder. */
export const parameter = ({ values }: Conditions, value: unknown): string => {
  values.push(value);
  return `$${values.length}`;
};

/** `user` of failed logins without a known account. The target of the record is a digest of the name. */
export const UNKNOWN_USER = 'unknown';

/**
 * Returns the `from` clause of the records that match the part of the filter for which there are indexes. With a digest it is a union of the
 * records of the user and of failed logins with the digest, with several actions a union of those of each. Each part is read in `order` from its
 * own index, because sorting the union would read all of it.
 */
export function recordsOf(conditions: Conditions, filter: AuditFilter, order = ''): string {
  const where = conditions.terms.join(' and ');
  if (order !== '' && isReadByAction(filter)) {
    const names = `unnest(${parameter(conditions, filter.actions)}::text[]) named (action_name)`;
    const part = `select * from audit_log where ${where} and action = named.action_name ${order}`;
    return `(select part.* from ${names} cross join lateral (${part}) part) audit_log`;
  }
  const { user, userDigest } = filter;
  if (user === undefined || userDigest === undefined) return `audit_log where ${where}`;
  const name = `${parameter(conditions, user)}::text`;
  const digest = `${parameter(conditions, userDigest)}::text`;
  const part = (condition: string) => `(select * from audit_log where ${where} and ${condition} ${order})`;
  const named = part(`user_name = ${name}`);
  const digested = part(`target = ${digest} and user_name = '${UNKNOWN_USER}' and user_name <> ${name}`);
  return `(${named} union all ${digested}) audit_log`;
}

/** More parts than these of a search for words would each be read as far as the whole search. */
const ACTIONS_WITH_WORDS_MAX = 5;

/** Returns whether the records of each of the actions are read from their index: no other field of the filter has one. */
export function isReadByAction({ actions, words, ...filter }: AuditFilter): boolean {
  if (actions === undefined || (words !== undefined && actions.length > ACTIONS_WITH_WORDS_MAX)) return false;
  return EQUALITIES.every(([field]) => filter[field] === undefined);
}

/** Adds the conditions on lists of actions to those of a row, such as `l.`. */
export function addActionTerms(
  conditions: Conditions,
  { actions, excludedActions }: Pick<AuditFilter, 'actions' | 'excludedActions'>,
  row = '',
): void {
  if (actions !== undefined) conditions.terms.push(`${row}action = any (${parameter(conditions, actions)}::text[])`);
  if (excludedActions !== undefined)
    conditions.terms.push(`${row}action <> all (${parameter(conditions, excludedActions)}::text[])`);
}

/** Returns the conditions of the filter without its range of time. `recordsOf` adds the one for a user with a digest. */
function filterConditions(tenantId: string, filter: AuditFilter): Conditions {
  const conditions: Conditions = { values: [], terms: [] };
  conditions.terms.push(`tenant_id = ${parameter(conditions, tenantId)}`, 'record_id is null');
  for (const [field, column, type] of EQUALITIES) {
    const value = field === 'user' && filter.userDigest !== undefined ? undefined : filter[field];
    if (value !== undefined) conditions.terms.push(`${column} = ${parameter(conditions, value)}::${type}`);
  }
  return conditions;
}

/** Returns the conditions of the filter with its range of time. */
export function rangeConditions(tenantId: string, filter: AuditFilter): Conditions {
  const conditions = filterConditions(tenantId, filter);
  if (filter.start !== undefined) {
    conditions.terms.push(`occurred >= ${momentOf(parameter(conditions, filter.start))}`);
  }
  if (filter.end !== undefined) conditions.terms.push(`occurred < ${momentOf(parameter(conditions, filter.end))}`);
  return conditions;
}
