import type { NameDigest } from '@sluice/auth';
import type { Tenant } from '@sluice/contract';
import type { AuditFilter } from '@sluice/store/audit';

const HOUR_MS = 3_600_000;

/** Range of time and filters of a request. */
interface AuditFilterInput {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly advance_options?:
    | {
        readonly user_name?: string | undefined;
        readonly action?: string | undefined;
        readonly target?: string | undefined;
        readonly request_id?: string | undefined;
        readonly query_id?: string | undefined;
        readonly reads?: string | undefined;
      }
    | undefined;
}

/** Returns the time before which records are hidden from the tenant, dropped or not. A whole hour, like the sealer's counts. */
export const visibleFrom = (tenant: Tenant, retentionMs: number, now: number): number =>
  Math.max(0, Math.floor((now - (tenant.settings.auditRetentionMs ?? retentionMs)) / HOUR_MS) * HOUR_MS);

interface AuditFilterOptions {
  readonly tenantId: string;
  /** Earliest start of the filter. */
  readonly from: number;
  readonly nameDigest: NameDigest;
}

/** Returns the filter for the store. */
export const auditFilterOf = (
  { start, end, advance_options: options }: AuditFilterInput,
  { tenantId, from, nameDigest }: AuditFilterOptions,
): AuditFilter => ({
  start: Math.max(start ?? 0, from),
  ...(end === undefined ? {} : { end }),
  ...(options?.user_name === undefined
    ? {}
    : { user: options.user_name, userDigest: nameDigest(tenantId, options.user_name) }),
  ...(options?.action === undefined ? {} : { action: options.action }),
  ...(options?.target === undefined ? {} : { target: options.target }),
  ...(options?.request_id === undefined ? {} : { requestId: options.request_id }),
  ...(options?.query_id === undefined ? {} : { queryId: options.query_id }),
  ...(options?.reads === undefined ? {} : { reads: options.reads }),
});

/** Returns the filter for the metadata of the record of a read, without absent members. */
export const filterMetadata = ({ start, end, advance_options: options }: AuditFilterInput) => ({
  ...(start === undefined ? {} : { start }),
  ...(end === undefined ? {} : { end }),
  ...options,
});
