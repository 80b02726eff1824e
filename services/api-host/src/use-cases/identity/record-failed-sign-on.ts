import type { AuditStore } from '@sluice/store/audit';
import type { AnonymousCaller } from './anonymous-caller.ts';

interface FailedSignOn {
  readonly user: string;
  readonly issuer: string;
  readonly reason: string;
  readonly subject?: string;
}

/** Writes the audit record of a failed single sign-on. */
export type RecordFailedSignOn = (caller: AnonymousCaller, failure: FailedSignOn) => Promise<void>;

interface RecordFailedSignOnDependencies {
  readonly audit: Pick<AuditStore, 'append'>;
  /** Called for each failed login; for metrics. */
  readonly onFailed: (caller: AnonymousCaller, user: string) => void;
}

export const createRecordFailedSignOn =
  ({ audit, onFailed }: RecordFailedSignOnDependencies): RecordFailedSignOn =>
  async (caller, { user, ...failure }) => {
    onFailed(caller, user);
    const { tenant, origin } = caller;
    const metadata = { method: 'single_sign_on', ...failure };
    await audit.append({ tenantId: tenant.id, user, action: 'LOGIN_FAILED', target: user, metadata, ...origin });
  };
