import type { FileFormat, ImportState } from '@sluice/contract';

export interface ImportReference {
  readonly tenantId: string;
  readonly importId: string;
}

/** Right to work on an import, until it expires or another attempt starts. */
export interface ImportLease extends ImportReference {
  readonly attempt: number;
}

/** Account that sent the file, and from where, for the audit records. */
export interface ImportSender {
  readonly kind: 'user' | 'client';
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly string[];
  readonly address: string;
  readonly userAgent: string | undefined;
}

export interface ImportError {
  readonly code: string;
  readonly message: string;
}

export interface MetadataImport extends ImportReference {
  readonly state: ImportState;
  readonly format: FileFormat;
  readonly isDryRun: boolean;
  /** Whether CSV can express every object of the file. It has no columns for `add_tags` and the like. */
  readonly isTabular: boolean;
  readonly sender: ImportSender;
  readonly requested: Date;
  readonly started: Date | null;
  readonly ended: Date | null;
  readonly attempt: number;
  /** Attempts since the last applied batch. */
  readonly stalled: number;
  readonly objects: number;
  readonly batches: number;
  /** Number of the first batch that is not applied. */
  readonly nextBatch: number;
  readonly processed: number;
  readonly succeeded: number;
  readonly changed: number;
  readonly error: ImportError | null;
}

/** Consecutive objects of a file, as JSON. */
export interface ImportBatch {
  readonly number: number;
  readonly objects: string;
}

export interface ReportedBatch extends ImportBatch {
  /** JSON of the results in the order of the objects; null if the batch was not applied. */
  readonly results: string | null;
}

export const IMPORT_COLUMNS = `tenant_id, import_id, state, format, is_dry_run, is_tabular, account_kind, account_id, account_name,
  permissions, address, user_agent, requested, started, ended, attempt, stalled, objects, batches, next_batch, processed,
  succeeded, changed, error`;

/** Members of an import whose columns have the same names. */
type SameNames =
  | 'state'
  | 'format'
  | 'requested'
  | 'started'
  | 'ended'
  | 'attempt'
  | 'stalled'
  | 'objects'
  | 'batches'
  | 'processed'
  | 'succeeded'
  | 'changed'
  | 'error';

export interface ImportRow extends Pick<MetadataImport, SameNames> {
  readonly tenant_id: string;
  readonly import_id: string;
  readonly is_dry_run: boolean;
  readonly is_tabular: boolean;
  readonly account_kind: ImportSender['kind'];
  readonly account_id: string;
  readonly account_name: string;
  readonly permissions: string[];
  readonly address: string;
  readonly user_agent: string | null;
  readonly next_batch: number;
}

export function toMetadataImport(row: ImportRow): MetadataImport {
  const { account_kind: kind, account_id: id, account_name: name, permissions, address, user_agent, ...rest } = row;
  const { tenant_id: tenantId, import_id: importId, is_dry_run: isDryRun, is_tabular: isTabular, ...more } = rest;
  const { next_batch: nextBatch, ...same } = more;
  const sender = { kind, id, name, permissions, address, userAgent: user_agent ?? undefined };
  return { ...same, tenantId, importId, isDryRun, isTabular, nextBatch, sender };
}
