import type { NameDigest } from '@sluice/auth';
import type { Tenant } from '@sluice/contract';
import { type AuditFilter, searchWordsOf } from '@sluice/store/audit';

const HOUR_MS = 3_600_000;

/** Range of time and filters of a request. */
interface AuditFilterInput {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly advance_options?:
    | {
        readonly user_name?: string | undefined;
        readonly action?: string | undefined;
        readonly actions?: readonly string[] | undefined;
        readonly exclude_actions?: readonly string[] | undefined;
        readonly target?: string | undefined;
        readonly request_id?: string | undefined;
        readonly query_id?: string | undefined;
        readonly text?: string | undefined;
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

type ActionOptions = Pick<NonNullable<AuditFilterInput['advance_options']>, 'action' | 'actions' | 'exclude_actions'>;

/** Returns the one condition on actions that all options together mean: one action, a list of which each is wanted, or a list of which none is. */
function actionFilter({
  action,
  actions,
  exclude_actions: excluded,
}: ActionOptions): Pick<AuditFilter, 'action' | 'actions' | 'excludedActions'> {
  const listed = actions ?? (action === undefined ? undefined : [action]);
  if (listed === undefined) return excluded === undefined ? {} : { excludedActions: [...new Set(excluded)] };
  const wanted = [...new Set(listed)].filter(
    (each) => (action === undefined || each === action) && excluded?.includes(each) !== true,
  );
  const [only] = wanted;
  return only !== undefined && wanted.length === 1 ? { action: only } : { actions: wanted };
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
  ...actionFilter(options ?? {}),
  ...(options?.target === undefined ? {} : { target: options.target }),
  ...(options?.request_id === undefined ? {} : { requestId: options.request_id }),
  ...(options?.query_id === undefined ? {} : { queryId: options.query_id }),
  ...(options?.text === undefined ? {} : { words: searchWordsOf(options.text) }),
  ...(options?.reads === undefined ? {} : { reads: options.reads }),
});

/** Returns the filter for the metadata of the record of a read, without absent members. */
export const filterMetadata = ({ start, end, advance_options: options }: AuditFilterInput) => ({
  ...(start === undefined ? {} : { start }),
  ...(end === undefined ? {} : { end }),
  ...options,
});
