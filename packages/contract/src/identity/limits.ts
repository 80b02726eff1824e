import { z } from 'zod';
import type { TenantLimits, TenantSettings } from './principal.ts';

/** Limits of one tenant as every response presents them. Null: no limit. */
export const limitFields = {
  query_time_ms: z.int().describe('Maximum run time of a query'),
  queries_per_user: z.int().describe('Maximum of concurrent queries of one user'),
  queries_per_tenant: z.int().describe('Maximum of concurrent queries of the tenant'),
  rows_max: z.int().nullable().describe('Maximum number of rows of a result'),
  bytes_max: z.int().nullable().describe('Maximum number of bytes of a result'),
  keep_time_ms: z.int().describe('Longest time for which a query may keep its result; 0: results are not kept'),
  kept_bytes_max: z.int().describe('Maximum number of bytes of all kept results of the tenant'),
};

/** Time for which the web console keeps results. It is a choice below `keep_time_ms`, not a limit of queries. */
export const consoleKeepField = {
  console_keep_ms: z.int().describe('Time for which the console keeps the results of its users; 0: it keeps none'),
};

/** Limits that a deployment sets for every tenant without its own. */
export interface LimitDefaults
  extends Required<Pick<TenantLimits, 'queryTimeLimitMs' | 'queriesPerUser' | 'queriesPerTenant' | 'keptBytesMax'>> {
  /** Undefined: results are not kept. */
  readonly keepTimeMaxMs?: number | undefined;
}

/** Limits of a result. Undefined: no limit. */
export interface ResultLimits {
  readonly rowsMax?: number | undefined;
  readonly bytesMax?: number | undefined;
}

/** Limits of the kept results of a tenant. */
type KeepLimits = Required<Pick<TenantLimits, 'keepTimeMaxMs' | 'keptBytesMax' | 'consoleKeepMs'>>;

/** Limits in force for a tenant. */
export interface EffectiveLimits extends Omit<LimitDefaults, keyof KeepLimits>, KeepLimits, ResultLimits {}

/** Time for which the console keeps results of a tenant that has not chosen another, if its limit allows that. */
const CONSOLE_KEEP_MS = 86_400_000;

const least = (one: number, other: number | undefined): number => (other === undefined ? one : Math.min(one, other));
const leastDefined = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined ? other : least(one, other);

type KeepDefaults = Pick<LimitDefaults, 'keepTimeMaxMs' | 'keptBytesMax'>;

/** Returns the limits that the operator sets for a tenant: those of the tenant, or else of the deployment. */
export function operatorLimits(settings: TenantSettings, defaults: LimitDefaults): EffectiveLimits {
  const keepTimeMaxMs = settings.keepTimeMaxMs ?? defaults.keepTimeMaxMs ?? 0;
  return {
    queryTimeLimitMs: settings.queryTimeLimitMs ?? defaults.queryTimeLimitMs,
    queriesPerUser: settings.queriesPerUser ?? defaults.queriesPerUser,
    queriesPerTenant: settings.queriesPerTenant ?? defaults.queriesPerTenant,
    rowsMax: settings.rowsMax,
    bytesMax: settings.bytesMax,
    keepTimeMaxMs,
    keptBytesMax: settings.keptBytesMax ?? defaults.keptBytesMax,
    consoleKeepMs: least(settings.consoleKeepMs ?? keepTimeMaxMs, keepTimeMaxMs),
  };
}

/** Returns the longest time for which results of a tenant may be kept; 0: they are not. */
export const keepTimeMax = (settings: TenantSettings, defaults: Pick<KeepDefaults, 'keepTimeMaxMs'>): number =>
  least(settings.keepTimeMaxMs ?? defaults.keepTimeMaxMs ?? 0, settings.ownLimits?.keepTimeMaxMs);

/** Returns the limit of the bytes of all kept results of a tenant. */
export const keptBytesLimit = (settings: TenantSettings, defaults: Pick<KeepDefaults, 'keptBytesMax'>): number =>
  least(settings.keptBytesMax ?? defaults.keptBytesMax, settings.ownLimits?.keptBytesMax);

function keepLimits(settings: TenantSettings, defaults: KeepDefaults): KeepLimits {
  const keepTimeMaxMs = keepTimeMax(settings, defaults);
  const chosenMs = leastDefined(settings.consoleKeepMs, settings.ownLimits?.consoleKeepMs) ?? CONSOLE_KEEP_MS;
  return {
    keepTimeMaxMs,
    keptBytesMax: keptBytesLimit(settings, defaults),
    consoleKeepMs: least(chosenMs, keepTimeMaxMs),
  };
}

/** Returns the limits in force of a result. A deployment has no default for them. */
export const resultLimits = ({ rowsMax, bytesMax, ownLimits }: TenantSettings): ResultLimits => ({
  rowsMax: leastDefined(rowsMax, ownLimits?.rowsMax),
  bytesMax: leastDefined(bytesMax, ownLimits?.bytesMax),
});

/** Returns the limits in force: the smaller one of the operator's and those that the tenant's admin has set. */
export function effectiveLimits(settings: TenantSettings, defaults: LimitDefaults): EffectiveLimits {
  const operator = operatorLimits(settings, defaults);
  const own = settings.ownLimits ?? {};
  return {
    queryTimeLimitMs: least(operator.queryTimeLimitMs, own.queryTimeLimitMs),
    queriesPerUser: least(operator.queriesPerUser, own.queriesPerUser),
    queriesPerTenant: least(operator.queriesPerTenant, own.queriesPerTenant),
    ...resultLimits(settings),
    ...keepLimits(settings, defaults),
  };
}

/** Converts limits to the form of responses. */
export const presentLimits = (limits: EffectiveLimits) => ({
  query_time_ms: limits.queryTimeLimitMs,
  queries_per_user: limits.queriesPerUser,
  queries_per_tenant: limits.queriesPerTenant,
  rows_max: limits.rowsMax ?? null,
  bytes_max: limits.bytesMax ?? null,
  keep_time_ms: limits.keepTimeMaxMs,
  kept_bytes_max: limits.keptBytesMax,
});
