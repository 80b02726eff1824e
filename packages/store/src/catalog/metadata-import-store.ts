import { randomUUID } from 'node:crypto';
import { type FileFormat, IMPORT_KEPT_DAYS } from '@sluice/contract';
import { changeInBatches } from '../database/change-in-batches.ts';
import type { Database } from '../database/database.ts';
import {
  IMPORT_COLUMNS,
  type ImportBatch,
  type ImportError,
  type ImportLease,
  type ImportReference,
  type ImportRow,
  type ImportSender,
  type MetadataImport,
  type ReportedBatch,
  toMetadataImport,
} from './metadata-import-mapper.ts';

export interface NewImport {
  readonly tenantId: string;
  readonly format: FileFormat;
  readonly sender: ImportSender;
  /** Maximum number of imports of the tenant that are received, wait or run. */
  readonly openMax: number;
}

/** Imported metadata files: received in batches, and then applied by at most one host at a time. */
export interface MetadataImportStore {
  /** Creates an import that receives its file. Returns undefined if the tenant has too many open ones. */
  open(input: NewImport): Promise<ImportReference | undefined>;
  /** Stores batches of the file as they arrive. */
  stage(reference: ImportReference, batches: readonly ImportBatch[]): Promise<void>;
  /** Removes an import whose file was rejected. */
  discard(reference: ImportReference): Promise<void>;
  /** Returns open imports of all tenants that no host works on. */
  findWaiting(): Promise<ImportLease[]>;
  /** Returns undefined when another host works on the import, or it has ended or does not exist. */
  claim(reference: ImportReference, leaseMs: number): Promise<MetadataImport | undefined>;
  /** Lets another host continue the import. */
  release(lease: ImportLease): Promise<void>;
  finish(lease: ImportLease, error?: ImportError): Promise<void>;
  /** Returns a batch, with its results if it was applied. */
  batch(reference: ImportReference, number: number): Promise<ReportedBatch | undefined>;
  /** Removes imports that ended long ago, and files that were never received completely. */
  deleteOld(): Promise<void>;
}

const OPEN = `state in ('UPLOADING', 'QUEUED', 'RUNNING')`;
const WAITING = `state in ('QUEUED', 'RUNNING') and (held_until is null or held_until < clock_timestamp())`;
/** One import, by the first two parameters. */
const ONE = 'tenant_id = $1 and import_id = $2';

/** Serializes the imports that a tenant opens, so that concurrent ones cannot exceed the limit. */
const LOCK_IMPORTS = `select pg_advisory_xact_lock(hashtextextended('sluice.imports ' || $1, 0))`;

const INSERT = `
  insert into metadata_imports (tenant_id, import_id, format, account_kind, account_id, account_name, permissions, address, user_agent)
  select $1, $2, $3, $4, $5, $6, $7, $8, $9
  where (select count(*) from metadata_imports where tenant_id = $1 and ${OPEN}) < $10
  returning import_id`;

const STAGE = `
  with received as (update metadata_imports set received = clock_timestamp() where ${ONE})
  insert into metadata_import_batches (tenant_id, import_id, number, objects)
  select $1, $2, number, objects from unnest($3::integer[], $4::text[]) as w (number, objects)`;

const DISCARD = `delete from metadata_imports where ${ONE} and state = 'UPLOADING'`;

const FIND_WAITING = `select tenant_id, import_id, attempt from metadata_imports where ${WAITING}`;

const CLAIM = `
  update metadata_imports set state = 'RUNNING', attempt = attempt + 1, stalled = stalled + 1,
    started = coalesce(started, clock_timestamp()), held_until = clock_timestamp() + make_interval(secs => $3::float8 / 1000)
  where ${ONE} and ${WAITING} returning ${IMPORT_COLUMNS}`;

/** An import that the attempt of the third parameter still holds. */
const HELD = `${ONE} and attempt = $3 and state = 'RUNNING'`;

const RELEASE = `update metadata_imports set state = 'QUEUED', held_until = null where ${HELD}`;

const FINISH = `
  update metadata_imports set state = case when $4::jsonb is null then 'FINISHED' else 'FAILED' end,
    ended = clock_timestamp(), held_until = null, error = $4
  where ${HELD}`;

const BATCH = `select number, objects, results from metadata_import_batches where ${ONE} and number = $3`;

const IS_OLD = `
  ended < now() - interval '${IMPORT_KEPT_DAYS} days' or (state = 'UPLOADING' and received < now() - interval '15 minutes')`;
/** Imports that one statement removes: each has its batches, of a file of many objects. */
const REMOVED_MAX = 20;

export function createMetadataImportStore(database: Database): MetadataImportStore {
  const run = <R extends object>(
    { tenantId, importId }: ImportReference,
    text: string,
    more: readonly unknown[] = [],
  ) => database.withTenant(tenantId, (transaction) => transaction.query<R>(text, [tenantId, importId, ...more]));

  return {
    async open({ tenantId, format, sender, openMax }) {
      const reference = { tenantId, importId: randomUUID() };
      const { kind, id, name, permissions, address, userAgent } = sender;
      const values = [format, kind, id, name, permissions, address, userAgent ?? null, openMax];
      const opened = await database.withTenant(tenantId, async (transaction) => {
        await transaction.query(LOCK_IMPORTS, [tenantId]);
        return await transaction.query(INSERT, [tenantId, reference.importId, ...values]);
      });
      return opened.length > 0 ? reference : undefined;
    },
    async stage(reference, batches) {
      await run(reference, STAGE, [batches.map(({ number }) => number), batches.map(({ objects }) => objects)]);
    },
    async discard(reference) {
      await run(reference, DISCARD);
    },
    async findWaiting() {
      const rows = await database.acrossTenants((transaction) =>
        transaction.query<{ tenant_id: string; import_id: string; attempt: number }>(FIND_WAITING),
      );
      return rows.map(({ tenant_id: tenantId, import_id: importId, attempt }) => ({ tenantId, importId, attempt }));
    },
    async claim(reference, leaseMs) {
      const [row] = await run<ImportRow>(reference, CLAIM, [leaseMs]);
      return row && toMetadataImport(row);
    },
    async release(lease) {
      await run(lease, RELEASE, [lease.attempt]);
    },
    async finish(lease, error) {
      await run(lease, FINISH, [lease.attempt, error === undefined ? null : JSON.stringify(error)]);
    },
    batch: async (reference, number) => (await run<ReportedBatch>(reference, BATCH, [number]))[0],
    async deleteOld() {
      await changeInBatches(database, {
        change: 'delete from metadata_imports',
        table: 'metadata_imports',
        where: IS_OLD,
        rowsMax: REMOVED_MAX,
      });
    },
  };
}
