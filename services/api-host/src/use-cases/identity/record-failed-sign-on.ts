import type { RequestOrigin } from '@sluice/auth';
import type { Tenant } from '@sluice/contract';
import type { AuditStore } from '@sluice/store/audit';

export interface FailedSignOn {
  readonly tenant: Tenant;
  readonly origin: RequestOrigin;
  readonly user: string;
  readonly issuer: string;
  readonly reason: string;
  readonly subject?: string;
}

export interface RecordFailedSignOnDependencies {
  readonly audit: Pick<AuditStore, 'append'>;
  /** Receives each refused login as well; for metrics. */
  readonly onFailed: (failure: Pick<FailedSignOn, 'tenant' | 'origin' | 'user'>) => void;
}

/** Writes the record of a refused single sign-on. */
export const createRecordFailedSignOn =
  ({ audit, onFailed }: RecordFailedSignOnDependencies) =>
  async ({ tenant, origin, user, ...failure }: FailedSignOn): Promise<void> => {
    onFailed({ tenant, user, origin });
    const metadata = { method: 'single_sign_on', ...failure };
    await audit.append({ tenantId: tenant.id, user, action: 'LOGIN_FAILED', target: user, metadata, ...origin });
  };

export type RecordFailedSignOn = ReturnType<typeof createRecordFailedSignOn>;
