import { type Column, type DatamapRecord, jdbcTypeOf, type ParameterDeclaration } from '@sluice/contract';
import type { Transaction } from '../database/transaction.ts';
import { type DatamapRow, datamapRecordOf } from './datamap-mapper.ts';
import {
  DELETE_FIELDS,
  FIND_DATAMAP,
  INSERT_COUNTERS,
  INSERT_DATAMAP,
  INSERT_FACT,
  INSERT_FIELDS,
  UPDATE_DATAMAP,
  UPDATE_FACT,
  UPDATE_READS,
} from './datamap-statements.ts';

/** Account that reads or writes. */
export interface DatamapActor {
  readonly tenantId: string;
  readonly accountKind: 'user' | 'client';
  readonly accountId: string;
  readonly user: string;
}

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

/** Returns a datamap as this account sees it. */
export const storedDatamapOf = (row: DatamapRow, accountId: string): StoredDatamap => ({
  record: datamapRecordOf(row, { accountId, score: 0 }),
  version: Number(row.version),
  ownerId: row.owner_id,
  stewardId: row.steward_id,
  sourceId: row.config.source_id ?? '',
});

/** Reads a datamap of the tenant of the actor. `id` must be a UUID. */
export const readDatamap = async (
  transaction: Transaction,
  { tenantId, accountId }: DatamapActor,
  id: string,
): Promise<StoredDatamap | undefined> => {
  const [row] = await transaction.query<DatamapRow>(FIND_DATAMAP, [tenantId, accountId, id]);
  return row && storedDatamapOf(row, accountId);
};

/** Reads a datamap that this transaction has locked or written. */
export const readBackDatamap = async (
  transaction: Transaction,
  actor: DatamapActor,
  id: string,
): Promise<StoredDatamap> => {
  const found = await readDatamap(transaction, actor, id);
  if (found === undefined) throw new Error('a locked datamap was removed');
  return found;
};

const configOf = ({ sourceId, limit }: DatamapContent): string => JSON.stringify({ source_id: sourceId, limit });

/** Replaces the columns of a datamap, and the tables that it reads. */
export const writeDescription = async (
  transaction: Transaction,
  tenantId: string,
  { id, columns, reads }: DescribedSql & { readonly id: string },
): Promise<void> => {
  await transaction.query(UPDATE_READS, [tenantId, id, reads]);
  await transaction.query(DELETE_FIELDS, [tenantId, id]);
  const fields = columns.map(({ name, type }, position) => ({ position, name, type, ...jdbcTypeOf(type) }));
  if (fields.length > 0) await transaction.query(INSERT_FIELDS, [tenantId, id, JSON.stringify(fields)]);
};

/** Inserts a datamap without columns. */
export const insertDatamap = async (
  transaction: Transaction,
  actor: DatamapActor,
  { id, content }: { readonly id: string; readonly content: DatamapContent },
): Promise<void> => {
  const { tenantId, accountKind, accountId, user } = actor;
  const { name, displayName, description, tags, state, priority, steward, sql, explanation } = content;
  await transaction.query(INSERT_FACT, [tenantId, id, description, tags, user]);
  await transaction.query(INSERT_DATAMAP, [
    ...[tenantId, id, name, displayName, state, priority, accountKind, accountId, user],
    ...[steward?.id ?? null, steward?.name ?? null, sql, explanation, configOf(content)],
    JSON.stringify(content.parameters),
  ]);
  await transaction.query(INSERT_COUNTERS, [tenantId, id]);
};

/** Writes the content of a datamap, and its description if its SQL is new. */
export const updateDatamap = async (
  transaction: Transaction,
  { tenantId, user }: DatamapActor,
  { id, write }: { readonly id: string; readonly write: DatamapWrite },
): Promise<void> => {
  const { content, described, isPublished = false } = write;
  const { name, displayName, description, tags, state, priority, steward, sql, explanation } = content;
  await transaction.query(UPDATE_FACT, [tenantId, id, description, tags, user]);
  await transaction.query(UPDATE_DATAMAP, [
    ...[tenantId, id, name, displayName, state, priority, steward?.id ?? null, steward?.name ?? null, sql, explanation],
    ...[configOf(content), isPublished ? user : null, JSON.stringify(content.parameters)],
  ]);
  if (described !== undefined) await writeDescription(transaction, tenantId, { id, ...described });
};
