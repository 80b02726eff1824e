import { randomUUID } from 'node:crypto';
import { type AuditRecord, type FileFormat, IMPORT_KEPT_DAYS } from '@sluice/contract';
import { appendAudit } from '../audit/audit-store.ts';
import { changeInBatches } from '../database/change-in-batches.ts';
import type { Database } from '../database/database.ts';
import { isUuid } from '../database/uuid.ts';
import {
  IMPORT_COLUMNS,
  type ImportBatch,
  type ImportError,
  type ImportLease,
  type ImportReference,
  type ImportRow,
  type ImportSender,
  importOf,
  type MetadataImport,
  type ReportedBatch,
} from './metadata-import-mapper.ts';

export interface NewImport {
  readonly tenantId: string;
  readonly format: FileFormat;
  readonly sender: ImportSender;
  /** Maximum number of imports of the tenant that are received, wait or run. */
  readonly openMax: number;
}

/** Counts and options of a file whose last batch was received. */
export interface ReceivedFile {
  readonly objects: number;
  readonly batches: number;
  readonly isDryRun: boolean;
  readonly isTabular: boolean;
}

/** Imported metadata files: received in batches, and then applied by at most one host at a time. */
export interface MetadataImportStore {
  /** Creates an import that receives its file. Returns undefined if the tenant has too many open ones. */
  open(input: NewImport): Promise<ImportReference | undefined>;
  stage(reference: ImportReference, batches: readonly ImportBatch[]): Promise<void>;
  /** Makes a received file ready for the job, in a transaction with the audit record. */
  enqueue(reference: ImportReference, file: ReceivedFile, record: AuditRecord): Promise<MetadataImport>;
  /** Removes an import whose file was rejected. */
  discard(reference: ImportReference): Promise<void>;
  /** Returns undefined for an unknown id, and while the file is received. */
  find(reference: ImportReference): Promise<MetadataImport | undefined>;
  /** Cancels an open import, with the audit record that `record` makes. Returns undefined if the import has ended before. */
  cancel(
    reference: ImportReference,
    record: (found: MetadataImport) => AuditRecord,
  ): Promise<MetadataImport | undefined>;
  /** Returns open imports of all tenants that no host works on. */
  findWaiting(): Promise<ImportLease[]>;
  /** Returns undefined when another host works on the import, or it has ended or does not exist. */
  claim(reference: ImportReference, leaseMs: number): Promise<MetadataImport | undefined>;
  /** Lets another host continue the import. */
  release(lease: ImportLease): Promise<void>;
  finish(lease: ImportLease, error?: ImportError): Promise<void>;
  batch(reference: ImportReference, number: number): Promise<ImportBatch | undefined>;
  reportedBatch(reference: ImportReference, number: number): Promise<ReportedBatch | undefined>;
  /** Removes imports that ended long ago, and files that were never received completely. */
  deleteOld(): Promise<void>;
}

const OPEN = `state in ('UPLOADING', 'QUEUED', 'RUNNING')`;
const WAITING = `state in ('QUEUED', 'RUNNING') and (held_until is null or held_until < clock_timestamp())`;
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

const ENQUEUE = `
  update metadata_imports set state = 'QUEUED', objects = $3, batches = $4, is_dry_run = $5, is_tabular = $6
  where ${ONE} and state = 'UPLOADING' returning ${IMPORT_COLUMNS}`;

const DISCARD = `delete from metadata_imports where ${ONE} and state = 'UPLOADING'`;

const FIND = `select ${IMPORT_COLUMNS} from metadata_imports where ${ONE} and state <> 'UPLOADING'`;

/** Waits for the batch in progress, whose transaction has locked the row. */
const CANCEL = `
  update metadata_imports set state = 'CANCELLED', ended = clock_timestamp(), held_until = null
  where ${ONE} and state in ('QUEUED', 'RUNNING') returning ${IMPORT_COLUMNS}`;

const FIND_WAITING = `select tenant_id, import_id, attempt from metadata_imports where ${WAITING}`;

const CLAIM = `
  update metadata_imports set state = 'RUNNING', attempt = attempt + 1, stalled = stalled + 1,
    started = coalesce(started, clock_timestamp()), held_until = clock_timestamp() + make_interval(secs => $3::float8 / 1000)
  where ${ONE} and ${WAITING} returning ${IMPORT_COLUMNS}`;

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

  const batch = async (reference: ImportReference, number: number): Promise<ReportedBatch | undefined> =>
    (await run<ReportedBatch>(reference, BATCH, [number]))[0];

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
    enqueue: ({ tenantId, importId }, { objects, batches, isDryRun, isTabular }, record) =>
      database.withTenant(tenantId, async (transaction) => {
        const values = [tenantId, importId, objects, batches, isDryRun, isTabular];
        const [row] = await transaction.query<ImportRow>(ENQUEUE, values);
        if (row === undefined) throw new Error('the import was removed while its file was received');
        await appendAudit(transaction, record);
        return importOf(row);
      }),
    async discard(reference) {
      await run(reference, DISCARD);
    },
    async find(reference) {
      if (!isUuid(reference.importId)) return undefined;
      const [row] = await run<ImportRow>(reference, FIND);
      return row && importOf(row);
    },
    cancel: ({ tenantId, importId }, record) =>
      database.withTenant(tenantId, async (transaction) => {
        const [row] = await transaction.query<ImportRow>(CANCEL, [tenantId, importId]);
        if (row === undefined) return undefined;
        const cancelled = importOf(row);
        await appendAudit(transaction, record(cancelled));
        return cancelled;
      }),
    async findWaiting() {
      const rows = await database.acrossTenants((transaction) =>
        transaction.query<{ tenant_id: string; import_id: string; attempt: number }>(FIND_WAITING),
      );
      return rows.map(({ tenant_id: tenantId, import_id: importId, attempt }) => ({ tenantId, importId, attempt }));
    },
    async claim(reference, leaseMs) {
      const [row] = await run<ImportRow>(reference, CLAIM, [leaseMs]);
      return row && importOf(row);
    },
    async release(lease) {
      await run(lease, RELEASE, [lease.attempt]);
    },
    async finish(lease, error) {
      await run(lease, FINISH, [lease.attempt, error === undefined ? null : JSON.stringify(error)]);
    },
    batch,
    reportedBatch: batch,
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
