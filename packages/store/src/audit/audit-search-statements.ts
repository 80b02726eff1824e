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
  /** Folded words that target, SQL and the message of the outcome must all contain together. */
  readonly words?: readonly string[] | undefined;
  /** Table that was read: a full name, a prefix that ends with a dot (a schema or a catalog), or any other prefix, followed by `*`. */
  readonly reads?: string | undefined;
  /** Names of the index that `reads` means. Set by this package (`withReadNames`). */
  readonly readNames?: readonly string[] | undefined;
}

/** SQL conditions with the values of their parameters, in the order of their numbers. */
export interface Conditions {
  readonly values: unknown[];
  readonly terms: string[];
}

/** Conditions of records. */
export interface RecordConditions extends Conditions {
  /** Those of the terms that also hold for the entries of `audit_reads`, whose `record_id` is `id` here. */
  readonly keys: string[];
  /** Parameter of the snapshot that a page shows; absent for counts. */
  readonly snapshot?: string;
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

/** Adds a condition of `tenant_id`, `occurred`, `id` or `xact`, which entries of `audit_reads` have too. */
export function addKeyTerm(conditions: RecordConditions, term: string): void {
  conditions.terms.push(term);
  conditions.keys.push(term);
}

/** Columns by which records are in order: the time and the id of a record. */
export interface OrderColumns {
  readonly at: string;
  readonly id: string;
}

const OWN_COLUMNS: OrderColumns = { at: 'audit_log.occurred', id: 'id' };
const ENTRY_COLUMNS: OrderColumns = { at: 'read_at', id: 'read_id' };

/** Returns the clause that orders and limits records; empty for a count. */
type InOrder = (columns: OrderColumns) => string;
const NO_ORDER: InOrder = () => '';

/** Items of a `from` clause, one of which is `audit_log`, and the columns by which they are in order. */
export interface RecordSource {
  readonly from: string;
  readonly order: OrderColumns;
}

/** Returns the source of the records that meet the conditions. */
type SourceOf = (terms: readonly string[]) => RecordSource;

const ownRecords: SourceOf = (terms) => ({ from: `audit_log where ${terms.join(' and ')}`, order: OWN_COLUMNS });

/**
 * Returns the entries of a name, each with its record. With OFFSET, PostgreSQL does not join the two in another order: it would walk the log
 * and look for an entry of each record.
 */
const recordsOfName =
  ({ keys }: RecordConditions, name: string): SourceOf =>
  (terms) => ({
    from: `(
      select e.occurred as read_at, e.id as read_id
      from (select tenant_id, name, occurred, record_id as id, xact from audit_reads) e
      where e.name = ${name} and ${keys.join(' and ')}
    ) entry cross join lateral (
      select * from audit_log where ${terms.join(' and ')} and occurred = entry.read_at and id = entry.read_id offset 0
    ) audit_log`,
    order: ENTRY_COLUMNS,
  });

/**
 * Returns the source of the records that match the part of the filter for which there are indexes, each read in order from its own index:
 *
 * - with a digest, a union of the records of the user and of failed logins with the digest; sorting the union would read all of it
 * - with several actions and nothing else, a union of the first records of each one
 * - with one table, the entries of its name, each of which finds its record
 * - with several tables, the first records of each one, without those that several of them have
 */
export function recordsOf(
  conditions: RecordConditions,
  filter: AuditFilter,
  inOrder: InOrder = NO_ORDER,
): RecordSource {
  const { readNames } = filter;
  if (inOrder !== NO_ORDER && isReadByAction(filter)) {
    const names = `unnest(${parameter(conditions, filter.actions)}::text[]) named (action_name)`;
    const { from, order } = ownRecords([...conditions.terms, 'action = named.action_name']);
    const part = `select * from ${from} ${inOrder(order)}`;
    return { from: `(select part.* from ${names} cross join lateral (${part}) part) audit_log`, order: OWN_COLUMNS };
  }
  if (readNames === undefined) return matchesIn(ownRecords, conditions, filter, inOrder);
  if (readNames.length === 0) return ownRecords([...conditions.terms, 'false']);
  const isOne = readNames.length === 1;
  const names = parameter(conditions, isOne ? readNames[0] : readNames);
  const sourceOf = recordsOfName(conditions, isOne ? `${names}::text` : 'named.name');
  const matches = matchesIn(sourceOf, conditions, filter, inOrder);
  if (isOne) return matches;
  return {
    from: `(
      select distinct on (occurred, id) found.* from unnest(${names}::text[]) named (name)
      cross join lateral (select audit_log.* from ${matches.from} ${inOrder(matches.order)}) found
    ) audit_log`,
    order: OWN_COLUMNS,
  };
}

function matchesIn(
  sourceOf: SourceOf,
  conditions: RecordConditions,
  { user, userDigest }: AuditFilter,
  inOrder: InOrder,
): RecordSource {
  const { terms } = conditions;
  if (user === undefined || userDigest === undefined) return sourceOf(terms);
  const name = `${parameter(conditions, user)}::text`;
  const digest = `${parameter(conditions, userDigest)}::text`;
  const part = (condition: string): string => {
    const { from, order } = sourceOf([...terms, condition]);
    return `(select audit_log.* from ${from} ${inOrder(order)})`;
  };
  const named = part(`user_name = ${name}`);
  const digested = part(`target = ${digest} and user_name = '${UNKNOWN_USER}' and user_name <> ${name}`);
  return { from: `(${named} union all ${digested}) audit_log`, order: OWN_COLUMNS };
}

/** More parts than these of a search for words would each be read as far as the whole search. */
const ACTIONS_WITH_WORDS_MAX = 5;

/** Returns whether the records of each of the actions are read from their index: no other field of the filter has one. */
export function isReadByAction({ actions, words, readNames, ...filter }: AuditFilter): boolean {
  if (actions === undefined || readNames !== undefined) return false;
  if (words !== undefined && actions.length > ACTIONS_WITH_WORDS_MAX) return false;
  return EQUALITIES.every(([field]) => filter[field] === undefined);
}

/** Returns the plan of a statement that reads a page or a window of records; undefined: that of the planner. */
export function planOf(filter: AuditFilter): 'in-order' | 'in-order lookups' | undefined {
  // Their indexes do not contain the order. They match few rows.
  if (filter.requestId !== undefined || filter.queryId !== undefined) return undefined;
  return filter.readNames === undefined && !isReadByAction(filter) ? 'in-order' : 'in-order lookups';
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

/** Returns the conditions of the filter without its range of time. `recordsOf` adds those of tables and of a user with a digest. */
function filterConditions(tenantId: string, filter: AuditFilter): RecordConditions {
  const conditions: RecordConditions = { values: [], terms: [], keys: [] };
  addKeyTerm(conditions, `tenant_id = ${parameter(conditions, tenantId)}`);
  conditions.terms.push('record_id is null');
  for (const [field, column, type] of EQUALITIES) {
    const value = field === 'user' && filter.userDigest !== undefined ? undefined : filter[field];
    if (value !== undefined) conditions.terms.push(`${column} = ${parameter(conditions, value)}::${type}`);
  }
  return conditions;
}

/** Returns the conditions of the filter with its range of time. */
export function rangeConditions(tenantId: string, filter: AuditFilter): RecordConditions {
  const conditions = filterConditions(tenantId, filter);
  if (filter.start !== undefined) {
    addKeyTerm(conditions, `occurred >= ${momentOf(parameter(conditions, filter.start))}`);
  }
  if (filter.end !== undefined) addKeyTerm(conditions, `occurred < ${momentOf(parameter(conditions, filter.end))}`);
  return conditions;
}
