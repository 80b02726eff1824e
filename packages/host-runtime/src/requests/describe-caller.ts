import { type Caller, effectiveLimits, keepWithin, type Me, presentLimits } from '@sluice/contract';
import type { QueryLimitSettings } from '../settings/query-limit-settings.ts';

/** Store of the use of limits, as far as it is needed here. */
interface CallerUses {
  find(caller: {
    readonly tenantId: string;
    readonly accountId: string;
    readonly sessionId?: string | undefined;
  }): Promise<{
    readonly queries: number;
    readonly tenantQueries: number;
    readonly queued: number;
    readonly tenantQueued: number;
    readonly sessionExpiresMs: number | null;
    readonly hasPassword: boolean;
  }>;
}

interface DescribeCallerDependencies {
  readonly callerUses: CallerUses;
  readonly settings: QueryLimitSettings;
}

/** Describes a caller to itself: account, rights, limits and their current use. Not recorded in the audit log. */
export type DescribeCaller = (caller: Caller) => Promise<Me>;

export const createDescribeCaller =
  ({ callerUses, settings }: DescribeCallerDependencies): DescribeCaller =>
  async ({ principal }) => {
    const { tenant, kind, id, name, roles, permissions, sessionId } = principal;
    const limits = effectiveLimits(tenant.settings, settings);
    const use = await callerUses.find({ tenantId: tenant.id, accountId: id, sessionId });
    return {
      kind,
      id,
      user: name,
      tenant: tenant.name,
      roles: [...roles].sort(),
      permissions: [...permissions].sort(),
      has_password: use.hasPassword,
      session_expires_ts: use.sessionExpiresMs,
      limits: {
        ...presentLimits(limits),
        console_keep: keepWithin(limits.consoleKeepMs),
        queued_per_user: settings.queuedPerUser,
        queued_per_tenant: settings.queuedPerTenant,
        queue_timeout_ms: settings.queueTimeoutMs,
      },
      use: {
        queries: use.queries,
        tenant_queries: use.tenantQueries,
        queued: use.queued,
        tenant_queued: use.tenantQueued,
      },
    };
  };
