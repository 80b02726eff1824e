import {
  auditOf,
  type Caller,
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
import type { AuditStore } from '@sluice/store/audit';
import type { TenantLimitStore } from '@sluice/store/identity';

interface LimitsDependencies {
  readonly tenantLimits: TenantLimitStore;
  readonly audit: Pick<AuditStore, 'append'>;
  readonly limitDefaults: LimitDefaults;
}

/** Returns the limits of the caller's tenant. Fails if the read cannot be recorded. */
export type FindLimits = (caller: Caller) => Promise<TenantLimitsRecord>;

export interface PutLimitsInput {
  readonly limits: LimitsRequest;
  /** Returns whether the limits are still those that the caller has read. */
  isCurrent(present: TenantLimitsRecord): boolean;
}

/**
 * Replaces the limits that the caller's tenant sets for itself. Throws `precondition_failed` if they were changed meanwhile, and
 * `invalid_request` for limits above those of the operator.
 */
export type PutLimits = (caller: Caller, input: PutLimitsInput) => Promise<TenantLimitsRecord>;

/** Members of a request and the limits that they set. */
const LIMITS = {
  query_time_ms: 'queryTimeLimitMs',
  queries_per_user: 'queriesPerUser',
  queries_per_tenant: 'queriesPerTenant',
  rows_max: 'rowsMax',
  bytes_max: 'bytesMax',
} as const satisfies Record<keyof LimitsRequest, keyof TenantLimits>;
const MEMBERS = Object.keys(LIMITS) as (keyof typeof LIMITS)[];

const presentOwn = (own: TenantLimits): TenantLimitsRecord['own'] => ({
  query_time_ms: own.queryTimeLimitMs ?? null,
  queries_per_user: own.queriesPerUser ?? null,
  queries_per_tenant: own.queriesPerTenant ?? null,
  rows_max: own.rowsMax ?? null,
  bytes_max: own.bytesMax ?? null,
});

const presentTenantLimits = (settings: TenantSettings, defaults: LimitDefaults): TenantLimitsRecord => ({
  own: presentOwn(settings.ownLimits ?? {}),
  operator: presentLimits(operatorLimits(settings, defaults)),
  effective: presentLimits(effectiveLimits(settings, defaults)),
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

const changedMeanwhile = (): ProblemError =>
  new ProblemError('precondition_failed', 'The limits were changed meanwhile. Read them again.');

export const createFindLimits =
  ({ tenantLimits, audit, limitDefaults }: LimitsDependencies): FindLimits =>
  async (caller) => {
    const { tenant } = caller.principal;
    await audit.append(auditOf(caller, { action: 'READ_LIMITS', target: tenant.name }));
    // The settings of the caller's tenant may be two seconds old, and their entity tag with them.
    return presentTenantLimits(await tenantLimits.find(tenant.id), limitDefaults);
  };

export const createPutLimits =
  ({ tenantLimits, limitDefaults }: LimitsDependencies): PutLimits =>
  async (caller, { limits, isCurrent }) => {
    const { tenant } = caller.principal;
    const ownLimits = ownLimitsOf(limits);
    const settings = await tenantLimits.replace({
      tenantId: tenant.id,
      ownLimits,
      check: (present) => {
        if (!isCurrent(presentTenantLimits(present, limitDefaults))) throw changedMeanwhile();
        requireWithin(limits, present, limitDefaults);
      },
      record: (before) =>
        auditOf(caller, {
          action: 'UPDATE_LIMITS',
          target: tenant.name,
          metadata: { before: presentOwn(before), after: presentOwn(ownLimits) },
        }),
    });
    return presentTenantLimits(settings, limitDefaults);
  };
