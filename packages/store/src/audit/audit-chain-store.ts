import type { Checkpoint, CheckpointRow, SealedRecord } from '@sluice/audit';
import type { SealVersion } from '@sluice/contract';
import type { Database } from '../database/database.ts';
import { safeInteger } from '../database/safe-integer.ts';
import { prepared } from '../database/transaction.ts';
import { withReadNames } from './audit-read-names.ts';
import { SEALED_COLUMNS } from './audit-seal-statements.ts';
import {
  type AuditFilter,
  addActionTerms,
  type Conditions,
  EQUALITIES,
  momentOf,
  parameter,
  UNKNOWN_USER,
} from './audit-search-statements.ts';
import { textConditionOfAnyRow } from './audit-text-search.ts';

/** Audit row with its position in the chain. */
export interface ChainRow {
  readonly record: SealedRecord;
  readonly sequence: number;
  readonly version: SealVersion;
  readonly hash: Buffer;
  /** Hash of the previous position; null for the first position and for the first one after a dropped range. */
  readonly previousHash: Buffer | null;
}

interface ChainWindow {
  readonly tenantId: string;
  /** Exclusive. */
  readonly after: number;
  /** Inclusive. */
  readonly through: number;
  readonly filter?: AuditFilter;
}

export interface AuditChainStore {
  /** Returns the last checkpoint; undefined when nothing is sealed. */
  head(tenantId: string): Promise<Checkpoint | undefined>;
  /**
   * Returns the first and last position in a range of time; undefined when there is none. The positions may include records slightly
   * outside the range, so a window needs its filter too.
   */
  bounds(
    tenantId: string,
    range: Pick<AuditFilter, 'start' | 'end'>,
  ): Promise<{ first: number; last: number } | undefined>;
  /**
   * Returns the matching rows of a window, by sequence. A window of a few hundred positions takes one short statement, however few of
   * them match the filter.
   */
  rows(window: ChainWindow): Promise<ChainRow[]>;
  /** Returns the checkpoints after a number, by number. */
  checkpoints(tenantId: string, page: { readonly after: number; readonly size: number }): Promise<Checkpoint[]>;
  /** Returns the payloads of the checkpoints that sign dropped ranges, latest first. */
  dropPayloads(tenantId: string): Promise<string[]>;
  keys(): Promise<{ readonly keyId: string; readonly publicKey: Buffer }[]>;
}

/**
 * Longer than any of our transactions can stay open. Records that are further apart than this have the same order by time and by
 * position.
 */
const CLOCK_SKEW = `interval '10 minutes'`;

const CHECKPOINT_COLUMNS = 'number::int8, sequence, payload, key_id as "keyId", signature';

const HEAD = prepared(
  'audit_head',
  `select ${CHECKPOINT_COLUMNS} from audit_checkpoints where tenant_id = $1 order by number desc limit 1`,
);
const CHECKPOINTS = prepared(
  'audit_checkpoints',
  `select ${CHECKPOINT_COLUMNS} from audit_checkpoints where tenant_id = $1 and number > $2 order by number limit $3`,
);
const DROPS = prepared(
  'audit_drops',
  `select payload from audit_checkpoints where tenant_id = $1 and payload like '%"dropped":%' order by number desc`,
);
const KEYS = prepared(
  'audit_keys',
  'select key_id as "keyId", public_key as "publicKey" from audit_keys order by added',
);

const toCheckpoint = (row: CheckpointRow): Checkpoint => ({
  ...row,
  number: safeInteger(row.number),
  sequence: safeInteger(row.sequence),
});

const boundsStatement = (tenantId: string, { start, end }: Pick<AuditFilter, 'start' | 'end'>) => {
  const range: Conditions = { values: [tenantId], terms: ['tenant_id = $1'] };
  if (start !== undefined) range.terms.push(`occurred >= ${momentOf(parameter(range, start))}`);
  if (end !== undefined) range.terms.push(`occurred < ${momentOf(parameter(range, end))}`);
  const within = range.terms.join(' and ');
  const text = `
    with earliest as (select occurred from audit_chain where ${within} order by occurred limit 1),
      latest as (select occurred from audit_chain where ${within} order by occurred desc limit 1)
    select
      (select min(sequence) from audit_chain where ${within} and occurred <= (select occurred from earliest) + ${CLOCK_SKEW}) as first,
      (select max(sequence) from audit_chain where ${within} and occurred >= (select occurred from latest) - ${CLOCK_SKEW}) as last`;
  return { statement: prepared('audit_bounds', text), values: range.values };
};

const orDigest = (conditions: Conditions, { userDigest }: AuditFilter): string =>
  userDigest === undefined
    ? ''
    : ` or l.user_name = '${UNKNOWN_USER}' and l.target = ${parameter(conditions, userDigest)}::text`;

/** Matches records that read a table, and the outcomes of such records. */
const hasRead = (names: string): string => `exists (
  select from audit_reads r where r.tenant_id = $1 and r.name = any (${names}::text[])
    and r.occurred = audit_read_time($1, l.query_id, l.record_id, l.occurred) and r.record_id = coalesce(l.record_id, l.id) offset 0)`;

const windowStatement = ({ tenantId, after, through, filter = {} }: ChainWindow) => {
  const conditions: Conditions = { values: [tenantId, after, through], terms: ['c.sequence > $2'] };
  for (const [field, column, type] of EQUALITIES) {
    const value = filter[field];
    if (value === undefined) continue;
    const equal = `l.${column} = ${parameter(conditions, value)}::${type}`;
    conditions.terms.push(field === 'user' ? `(${equal}${orDigest(conditions, filter)})` : equal);
  }
  if (filter.start !== undefined)
    conditions.terms.push(`l.occurred >= ${momentOf(parameter(conditions, filter.start))}`);
  if (filter.end !== undefined) conditions.terms.push(`l.occurred < ${momentOf(parameter(conditions, filter.end))}`);
  addActionTerms(conditions, filter, 'l.');
  if (filter.words !== undefined) conditions.terms.push(textConditionOfAnyRow(conditions, filter.words));
  if (filter.readNames !== undefined) conditions.terms.push(hasRead(parameter(conditions, filter.readNames)));
  const text = `
    select c.sequence, c.hash, c.v, c.previous, ${SEALED_COLUMNS}
    from (
      select sequence, occurred, record_id, hash, v, lag(hash) over (order by sequence) as previous
      from audit_chain where tenant_id = $1 and sequence >= $2::bigint and sequence <= $3::bigint
    ) c
    join audit_log l on l.tenant_id = $1 and l.occurred = c.occurred and l.id = c.record_id
    where ${conditions.terms.join(' and ')}
    order by c.sequence`;
  return { statement: prepared('audit_window', text), values: conditions.values };
};

type WindowRow = SealedRecord & {
  readonly sequence: string;
  readonly hash: Buffer;
  readonly v: SealVersion;
  readonly previous: Buffer | null;
};

const chainRowOf = ({ sequence, hash, v, previous, ...record }: WindowRow): ChainRow => ({
  record,
  sequence: safeInteger(sequence),
  version: v,
  hash,
  previousHash: previous,
});

/** Creates the store that reads the sealed chain. */
export function createAuditChainStore(database: Database): AuditChainStore {
  return {
    async head(tenantId) {
      const [row] = await database.run<CheckpointRow>({ tenantId }, HEAD, [tenantId]);
      return row && toCheckpoint(row);
    },
    async bounds(tenantId, range) {
      const { statement, values } = boundsStatement(tenantId, range);
      const [row] = await database.run<{ first: string | null; last: string | null }>({ tenantId }, statement, values);
      if (row === undefined || row.first === null || row.last === null) return undefined;
      return { first: safeInteger(row.first), last: safeInteger(row.last) };
    },
    async rows(asked) {
      const window = { ...asked, filter: await withReadNames(database, asked.tenantId, asked.filter ?? {}) };
      const { statement, values } = windowStatement(window);
      const rows = await database.run<WindowRow>({ tenantId: window.tenantId }, statement, values);
      return rows.map(chainRowOf);
    },
    async checkpoints(tenantId, { after, size }) {
      const rows = await database.run<CheckpointRow>({ tenantId }, CHECKPOINTS, [tenantId, after, size]);
      return rows.map(toCheckpoint);
    },
    async dropPayloads(tenantId) {
      const rows = await database.run<{ payload: string }>({ tenantId }, DROPS, [tenantId]);
      return rows.map(({ payload }) => payload);
    },
    keys: () => database.run<{ keyId: string; publicKey: Buffer }>('no-tenant', KEYS, []),
  };
}
