import { randomUUID } from 'node:crypto';
import {
  type Column,
  type DatamapRecord,
  jdbcTypeOf,
  type ParameterDeclaration,
  type Principal,
  type UserActivity,
} from '@sluice/contract';
import type { Transaction } from '../database/transaction.ts';
import { isUuid } from '../database/uuid.ts';
import { refreshSearch } from '../search/refresh-search.ts';
import { type DatamapRow, datamapRecordOf } from './datamap-mapper.ts';
import {
  ADD_TO_COUNTERS,
  DELETE_FACT,
  DELETE_FIELDS,
  FIND_DATAMAP,
  FIND_DATAMAPS,
  INSERT_COUNTERS,
  INSERT_DATAMAP,
  INSERT_FACT,
  INSERT_FIELDS,
  LOCK_ACTIVITY,
  LOCK_COUNTERS,
  LOCK_DATAMAP,
  LOCK_DATAMAP_TO_DELETE,
  PUT_ACTIVITY,
  UPDATE_DATAMAP,
  UPDATE_FACT,
  UPDATE_READS,
} from './datamap-statements.ts';

/** Account that reads or writes. A datamap shows the activity of this account. */
export type DatamapAccount = Pick<Principal, 'kind' | 'id' | 'name'>;

export interface StoredDatamap {
  readonly record: DatamapRecord;
  /** Increases with every change. */
  readonly version: number;
  readonly ownerId: string;
  readonly stewardId: string | null;
  readonly sourceId: string;
}

/** Everything that users write in a datamap. */
export interface DatamapContent {
  readonly name: string;
  readonly displayName: string;
  readonly description: string | null;
  readonly tags: readonly string[];
  readonly state: DatamapRecord['datamap']['state'];
  readonly priority: DatamapRecord['datamap']['priority'];
  readonly steward: { readonly id: string; readonly name: string } | null;
  readonly sql: string | null;
  readonly parameters: readonly ParameterDeclaration[];
  readonly explanation: string;
  readonly sourceId: string;
  readonly limit: number;
}

/** Columns and tables of a statement, as the engine reports them without running it. */
export interface DescribedSql {
  readonly columns: readonly Column[];
  /** Tables that it reads, as an import names them. */
  readonly reads: readonly string[];
}

export interface DatamapWrite {
  readonly content: DatamapContent;
  /** Description of new SQL; undefined when the SQL is unchanged. */
  readonly described?: DescribedSql | undefined;
  readonly isPublished?: boolean;
}

type Activity = Pick<UserActivity, 'is_favourite' | 'rating' | 'vote'>;

/** Datamaps of one tenant, within one transaction. Changes are visible to the next search. An id that is not a datamap is not found. */
export interface DatamapRepository {
  find(account: DatamapAccount, id: string): Promise<StoredDatamap | undefined>;
  /** Returns the existing datamaps by id. */
  findAll(account: DatamapAccount, ids: readonly string[]): Promise<ReadonlyMap<string, StoredDatamap>>;
  /** Returns the ids of datamaps with these names in any state, by name, oldest first. */
  idsByName(names: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Finds the user with this e-mail, as a possible steward. */
  findUser(email: string): Promise<{ readonly id: string; readonly name: string } | undefined>;
  /** Finds a datamap and locks it until the end of the transaction. */
  lock(account: DatamapAccount, id: string): Promise<StoredDatamap | undefined>;
  /** Locks a datamap in the stronger mode that its removal needs. */
  lockToRemove(account: DatamapAccount, id: string): Promise<StoredDatamap | undefined>;
  insert(account: DatamapAccount, write: DatamapWrite): Promise<StoredDatamap>;
  /** Changes a locked datamap. */
  update(account: DatamapAccount, id: string, write: DatamapWrite): Promise<StoredDatamap>;
  remove(id: string): Promise<void>;
  /** Sets the account's own favourite, rating and vote, and updates the counters. Missing members keep their value. */
  setActivity(account: DatamapAccount, id: string, activity: Partial<Activity>): Promise<StoredDatamap>;
}

const FIND_USER = 'select id, email as name from users where tenant_id = $1 and email = $2 and not disabled';

const IDS_BY_NAME = `
  select d.name, array_agg(d.fact_id::text order by f.created, d.fact_id) as ids
  from datamaps d join facts f on f.tenant_id = d.tenant_id and f.fact_id = d.fact_id
  where d.tenant_id = $1 and d.name = any ($2::text[]) group by d.name`;

const storedDatamapOf = (row: DatamapRow, accountId: string): StoredDatamap => ({
  record: datamapRecordOf(row, { accountId, score: 0 }),
  version: Number(row.version),
  ownerId: row.owner_id,
  stewardId: row.steward_id,
  sourceId: row.config.source_id ?? '',
});

const configOf = ({ sourceId, limit }: DatamapContent): string => JSON.stringify({ source_id: sourceId, limit });

const NONE: Activity = { is_favourite: null, rating: null, vote: null };

const asNumber = (isTrue: boolean): number => (isTrue ? 1 : 0);

/** Returns what an activity adds to the counters of its datamap. */
const counterWeights = ({ is_favourite, rating, vote }: Activity): readonly number[] => [
  asNumber(is_favourite === true),
  asNumber(rating !== null),
  rating ?? 0,
  asNumber(vote === 'UP'),
  asNumber(vote === 'DOWN'),
];

export function createDatamapRepository(transaction: Transaction, tenantId: string): DatamapRepository {
  const read = async (accountId: string, id: string): Promise<StoredDatamap | undefined> => {
    const [row] = await transaction.query<DatamapRow>(FIND_DATAMAP, [tenantId, accountId, id]);
    return row && storedDatamapOf(row, accountId);
  };
  /** Reads a datamap that this transaction has locked or written. */
  const readBack = async (accountId: string, id: string): Promise<StoredDatamap> => {
    const found = await read(accountId, id);
    if (found === undefined) throw new Error('a locked datamap was removed');
    return found;
  };
  const lock = async (statement: string, accountId: string, id: string): Promise<StoredDatamap | undefined> => {
    if (!isUuid(id)) return undefined;
    const [locked] = await transaction.query(statement, [tenantId, id]);
    return locked && (await read(accountId, id));
  };
  /** Replaces the columns of a datamap, and the tables that it reads. */
  const describe = async (id: string, { columns, reads }: DescribedSql): Promise<void> => {
    await transaction.query(UPDATE_READS, [tenantId, id, reads]);
    await transaction.query(DELETE_FIELDS, [tenantId, id]);
    const fields = columns.map(({ name, type }, position) => ({ position, name, type, ...jdbcTypeOf(type) }));
    if (fields.length > 0) await transaction.query(INSERT_FIELDS, [tenantId, id, JSON.stringify(fields)]);
  };

  return {
    find: async ({ id: accountId }, id) => (isUuid(id) ? read(accountId, id) : undefined),
    async findAll({ id: accountId }, ids) {
      const rows = await transaction.query<DatamapRow>(FIND_DATAMAPS, [tenantId, accountId, ids.filter(isUuid)]);
      return new Map(rows.map((row) => [row.fact_id, storedDatamapOf(row, accountId)]));
    },
    async idsByName(names) {
      const rows = await transaction.query<{ name: string; ids: string[] }>(IDS_BY_NAME, [tenantId, names]);
      return new Map(rows.map(({ name, ids }) => [name, ids]));
    },
    async findUser(email) {
      const values = [tenantId, email.toLowerCase()];
      const [user] = await transaction.query<{ id: string; name: string }>(FIND_USER, values);
      return user;
    },
    lock: ({ id: accountId }, id) => lock(LOCK_DATAMAP, accountId, id),
    lockToRemove: ({ id: accountId }, id) => lock(LOCK_DATAMAP_TO_DELETE, accountId, id),
    async insert({ kind, id: accountId, name: user }, { content, described = { columns: [], reads: [] } }) {
      const id = randomUUID();
      const { name, displayName, description, tags, state, priority, steward, sql, explanation } = content;
      await transaction.query(INSERT_FACT, [tenantId, id, description, tags, user]);
      await transaction.query(INSERT_DATAMAP, [
        ...[tenantId, id, name, displayName, state, priority, kind, accountId, user],
        ...[steward?.id ?? null, steward?.name ?? null, sql, explanation, configOf(content)],
        JSON.stringify(content.parameters),
      ]);
      await transaction.query(INSERT_COUNTERS, [tenantId, id]);
      await describe(id, described);
      await refreshSearch(transaction, tenantId, [id]);
      return readBack(accountId, id);
    },
    async update({ id: accountId, name: user }, id, { content, described, isPublished = false }) {
      const { name, displayName, description, tags, state, priority, steward, sql, explanation } = content;
      await transaction.query(UPDATE_FACT, [tenantId, id, description, tags, user]);
      await transaction.query(UPDATE_DATAMAP, [
        ...[tenantId, id, name, displayName, state, priority, steward?.id ?? null, steward?.name ?? null, sql],
        ...[explanation, configOf(content), isPublished ? user : null, JSON.stringify(content.parameters)],
      ]);
      if (described !== undefined) await describe(id, described);
      await refreshSearch(transaction, tenantId, [id]);
      return readBack(accountId, id);
    },
    async remove(id) {
      await transaction.query(DELETE_FACT, [tenantId, id]);
    },
    async setActivity({ id: accountId }, id, changes) {
      // Locked first: of two concurrent requests of one user, the second must see what the first one set.
      await transaction.query(LOCK_COUNTERS, [tenantId, id]);
      const [stored = NONE] = await transaction.query<Activity>(LOCK_ACTIVITY, [tenantId, id, accountId]);
      const next: Activity = { ...NONE, ...stored, ...changes };
      const before = counterWeights(stored);
      const added = counterWeights(next).map((weight, index) => weight - (before[index] ?? 0));
      const activity = [next.is_favourite, next.rating, next.vote];
      await transaction.query(PUT_ACTIVITY, [tenantId, id, accountId, randomUUID(), ...activity]);
      await transaction.query(ADD_TO_COUNTERS, [tenantId, id, ...added]);
      return readBack(accountId, id);
    },
  };
}
