import {
  apiOperations,
  callerOf,
  type EffectiveLimits,
  effectiveLimits,
  type LimitDefaults,
  type LimitsRequest,
  operatorLimits,
  type ProblemDetail,
  ProblemError,
  presentLimits,
  requireValid,
  type TenantLimits,
  type TenantLimitsRecord,
  type TenantSettings,
} from '@sluice/contract';
import { contentTag, isMatched, json, type Route, route } from '@sluice/http';
import type { ResourceDatabase, TenantTransaction } from '@sluice/store/resources';

/** Members of a request and the limits that they set. */
const LIMITS = {
  query_time_ms: 'queryTimeLimitMs',
  queries_per_user: 'queriesPerUser',
  queries_per_tenant: 'queriesPerTenant',
  rows_max: 'rowsMax',
  bytes_max: 'bytesMax',
  keep_time_ms: 'keepTimeMaxMs',
  kept_bytes_max: 'keptBytesMax',
  console_keep_ms: 'consoleKeepMs',
} as const satisfies Record<keyof LimitsRequest, keyof TenantLimits>;
const MEMBERS = Object.keys(LIMITS) as (keyof typeof LIMITS)[];

const presentOwn = (own: TenantLimits): TenantLimitsRecord['own'] => ({
  query_time_ms: own.queryTimeLimitMs ?? null,
  queries_per_user: own.queriesPerUser ?? null,
  queries_per_tenant: own.queriesPerTenant ?? null,
  rows_max: own.rowsMax ?? null,
  bytes_max: own.bytesMax ?? null,
  keep_time_ms: own.keepTimeMaxMs ?? null,
  kept_bytes_max: own.keptBytesMax ?? null,
  console_keep_ms: own.consoleKeepMs ?? null,
});

const presentAll = (limits: EffectiveLimits): TenantLimitsRecord['effective'] => ({
  ...presentLimits(limits),
  console_keep_ms: limits.consoleKeepMs,
});

const presentTenantLimits = (settings: TenantSettings, defaults: LimitDefaults): TenantLimitsRecord => ({
  own: presentOwn(settings.ownLimits ?? {}),
  operator: presentAll(operatorLimits(settings, defaults)),
  effective: presentAll(effectiveLimits(settings, defaults)),
});

const ownLimitsOf = (input: LimitsRequest): TenantLimits =>
  Object.fromEntries(MEMBERS.flatMap((member) => (input[member] == null ? [] : [[LIMITS[member], input[member]]])));

/** Throws one `invalid_request` with every limit above that of the operator. */
function requireWithin(input: LimitsRequest, settings: TenantSettings, defaults: LimitDefaults): void {
  const operator = operatorLimits(settings, defaults);
  requireValid(
    MEMBERS.flatMap((member): ProblemDetail[] => {
      const limit = operator[LIMITS[member]];
      const isAbove = limit !== undefined && (input[member] ?? 0) > limit;
      return isAbove
        ? [{ path: `body.${member}`, message: `must be at most ${limit}, the limit of the operator` }]
        : [];
    }),
  );
}

interface PutLimitsInput {
  readonly limits: LimitsRequest;
  readonly defaults: LimitDefaults;
  /** Returns whether the limits are still those that the caller has read. */
  isCurrent(present: TenantLimitsRecord): boolean;
}

/**
 * Replaces the limits that a tenant sets for itself. Throws `precondition_failed` if they were changed meanwhile, and `invalid_request` for
 * limits above those of the operator.
 */
async function putLimits(
  tx: TenantTransaction,
  tenantName: string,
  { limits, defaults, isCurrent }: PutLimitsInput,
): Promise<TenantLimitsRecord> {
  const before = await tx.tenant.lockSettings();
  if (!isCurrent(presentTenantLimits(before, defaults))) {
    throw new ProblemError('precondition_failed', 'The limits were changed meanwhile. Read them again.');
  }
  requireWithin(limits, before, defaults);
  const ownLimits = ownLimitsOf(limits);
  const after = await tx.tenant.setOwnLimits(ownLimits);
  const change = { before: presentOwn(before.ownLimits ?? {}), after: presentOwn(ownLimits) };
  await tx.record('UPDATE_LIMITS', tenantName, change);
  return presentTenantLimits(after, defaults);
}

interface LimitsContext {
  readonly database: ResourceDatabase;
  readonly limitDefaults: LimitDefaults;
}

/** Everything below /admin/limits */
export const limitRoutes = ({ database, limitDefaults: defaults }: LimitsContext): Route[] => [
  route(apiOperations.getLimits, async (request) => {
    const limits = await database.read(callerOf(request), async (tx) => {
      await tx.record('READ_LIMITS', request.tenant.name);
      // The settings of the caller's tenant may be two seconds old, and their entity tag with them.
      return presentTenantLimits(await tx.tenant.settings(), defaults);
    });
    return json(200, limits, { etag: contentTag(limits) });
  }),
  route(apiOperations.putLimits, async (request) => {
    const isCurrent = (limits: TenantLimitsRecord): boolean => isMatched(request.headers, contentTag(limits));
    const input = { limits: request.body, defaults, isCurrent };
    const put = (tx: TenantTransaction) => putLimits(tx, request.tenant.name, input);
    const limits = await database.change(callerOf(request), put);
    return json(200, limits, { etag: contentTag(limits) });
  }),
];
