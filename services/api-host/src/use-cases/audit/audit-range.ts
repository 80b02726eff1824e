import type { NameDigest } from '@sluice/auth';
import type { Tenant } from '@sluice/contract';
import type { AuditFilter } from '@sluice/store/audit';

const HOUR_MS = 3_600_000;

/** What a request may narrow the log to. */
export interface AuditNarrowing {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly advance_options?:
    | {
        readonly user_name?: string | undefined;
        readonly action?: string | undefined;
        readonly target?: string | undefined;
        readonly request_id?: string | undefined;
        readonly query_id?: string | undefined;
      }
    | undefined;
}

/** Records older than this are hidden from the tenant, whether their partition is there or not. A whole hour, as the counts are. */
export const visibleFrom = (tenant: Tenant, retentionMs: number, now: number): number =>
  Math.max(0, Math.floor((now - (tenant.settings.auditRetentionMs ?? retentionMs)) / HOUR_MS) * HOUR_MS);

export interface FilterBounds {
  readonly tenantId: string;
  /** The filter never begins before this. */
  readonly from: number;
  readonly nameDigest: NameDigest;
}

/** The store's filter of a request. */
export const filterOf = (
  { start, end, advance_options: options }: AuditNarrowing,
  { tenantId, from, nameDigest }: FilterBounds,
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
});

/** The filter as the record of a reading keeps it: what was asked, and nothing that was not. */
export const narrowingRecord = ({ start, end, advance_options: options }: AuditNarrowing) => ({
  ...(start === undefined ? {} : { start }),
  ...(end === undefined ? {} : { end }),
  ...options,
});
