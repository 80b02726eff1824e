import type { AuditSigner } from '@sluice/audit';
import { createTenantDirectory } from '@sluice/store/administration';
import { createAuditSealStore } from '@sluice/store/audit';
import type { Database } from '@sluice/store/database';
import { createResourceDatabase } from '@sluice/store/resources';
import { createMakeInvitation } from '../resources/administration/make-invitation.ts';
import { createSealAuditLog } from '../use-cases/audit/seal-audit-log.ts';
import { createSealCommitted } from '../use-cases/audit/seal-committed.ts';

/** Creates what the commands that create and change tenants use. */
export const createTenantsContext = (
  database: Database,
  { invitationLifetimeMs }: { readonly invitationLifetimeMs: number },
) => ({
  database: createResourceDatabase(database),
  directory: createTenantDirectory(database),
  makeInvitation: createMakeInvitation({ lifetimeMs: invitationLifetimeMs, now: Date.now }),
});

/** Time limit of a command, which no proxy ends: a backlog of hours is sealed within it. */
const SEAL_TIME_LIMIT_MS = 10 * 60_000;

/** Creates the function that seals the log before `npm run tenant -- export` reads it. */
export const createSealing = (database: Database, signer: AuditSigner): (() => Promise<void>) => {
  const auditSeals = createAuditSealStore(database);
  const sealAuditLog = createSealAuditLog({ auditSeals, signer, now: Date.now, onCut: () => undefined });
  return createSealCommitted({ auditSeals, sealAuditLog, timeLimitMs: SEAL_TIME_LIMIT_MS });
};
