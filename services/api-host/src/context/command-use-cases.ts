import type { AuditSigner } from '@sluice/audit';
import type { OidcClient, SecretBox } from '@sluice/auth';
import { createOperatorStore } from '@sluice/store/administration';
import { createAuditSealStore } from '@sluice/store/audit';
import type { Database } from '@sluice/store/database';
import { createMakeInvitation } from '../use-cases/administration/make-invitation.ts';
import { createOnBoardTenant, type OnBoardTenant } from '../use-cases/administration/on-board-tenant.ts';
import { createSealAuditLog } from '../use-cases/audit/seal-audit-log.ts';
import { createSealCommitted } from '../use-cases/audit/seal-committed.ts';

interface OnBoardingContext {
  readonly database: Database;
  readonly oidc: OidcClient;
  readonly box: SecretBox;
  readonly invitationLifetimeMs: number;
}

/** Creates the use-case of `npm run tenant -- apply`. */
export const createOnBoarding = ({ database, oidc, box, invitationLifetimeMs }: OnBoardingContext): OnBoardTenant =>
  createOnBoardTenant({
    operator: createOperatorStore(database),
    makeInvitation: createMakeInvitation({ lifetimeMs: invitationLifetimeMs, now: Date.now }),
    oidc,
    box,
  });

/** Time limit of a command, which no proxy ends: a backlog of hours is sealed within it. */
const SEAL_TIME_LIMIT_MS = 10 * 60_000;

/** Creates the function that seals the log before `npm run tenant -- export` reads it. */
export const createSealing = (database: Database, signer: AuditSigner): (() => Promise<void>) => {
  const auditSeals = createAuditSealStore(database);
  const sealAuditLog = createSealAuditLog({ auditSeals, signer, now: Date.now, onCut: () => undefined });
  return createSealCommitted({ auditSeals, sealAuditLog, timeLimitMs: SEAL_TIME_LIMIT_MS });
};
