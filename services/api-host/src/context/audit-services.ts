import type { SetAside } from '@sluice/audit';
import type { NameDigest, ValueSeal } from '@sluice/auth';
import { ProblemError } from '@sluice/contract';
import type { Events, Logger } from '@sluice/observability';
import { createInProcessState, type ExpiringValues } from '@sluice/shared-state';
import type { ApiHostSettings } from '../config.ts';
import { createAuditPageStates } from '../use-cases/audit/audit-page-states.ts';
import { AuditReaderLimit } from '../use-cases/audit/audit-reader-limit.ts';
import { createExportAuditEvidence } from '../use-cases/audit/export-audit-evidence.ts';
import { createExportAuditLogs } from '../use-cases/audit/export-audit-logs.ts';
import { createFollowAuditLogs } from '../use-cases/audit/follow-audit-logs.ts';
import { createNextAuditPage } from '../use-cases/audit/next-audit-page.ts';
import { createRetainAuditLog } from '../use-cases/audit/retain-audit-log.ts';
import { createSealAuditLog } from '../use-cases/audit/seal-audit-log.ts';
import { createSealCommitted } from '../use-cases/audit/seal-committed.ts';
import { createSearchAuditLogs } from '../use-cases/audit/search-audit-logs.ts';
import { createSummarizeAuditLogs } from '../use-cases/audit/summarize-audit-logs.ts';
import { auditSignerOf } from './audit-signer-of.ts';
import type { Stores } from './stores.ts';

interface AuditServicesDependencies {
  readonly settings: ApiHostSettings;
  readonly stores: Stores;
  readonly values: ExpiringValues;
  readonly valueSeal: ValueSeal;
  readonly nameDigest: NameDigest;
  readonly log: Logger;
  readonly events: Pick<Events, 'auditSealFailed' | 'auditTampered'>;
  readonly now: () => number;
  /** False once the host shuts down. */
  readonly isServing: () => boolean;
}

/** Limits per tenant and host. An export queries the database window after window, a follower queries it every second. */
const EXPORTS_MAX = 4;
const FOLLOWERS_MAX = 10;
/** A summary may take a second of the database. */
const SUMMARIES_MAX = 4;

/** Shorter than the 60 s after which common proxies give up a request without a response. */
const SEAL_TIME_LIMIT_MS = 45_000;
const UNSEALED_RETRY_SECONDS = 60;
const UNSEALED =
  'The newest records cannot be sealed, so the log cannot be exported. The log of the host says why: tell the operator.';

/** Digits, because a log of JSON would round the numbers of a forger. */
const setAsideDetails = ({ entries, checkpoints, firstEntries, firstCheckpoints }: SetAside) => ({
  entries,
  checkpoints,
  first_entries: firstEntries.map((entry) => ({ ...entry, sequence: String(entry.sequence) })),
  first_checkpoints: firstCheckpoints.map(String),
});

export type AuditServices = ReturnType<typeof createAuditServices>;

/** Creates the use-cases of the audit log. */
export function createAuditServices(parts: AuditServicesDependencies) {
  const { settings, stores, values, valueSeal, nameDigest, log, events, now, isServing } = parts;
  const { audit, auditChain, auditSearch, auditSeals, auditSummary, authStatus, sessions } = stores;
  const signer = auditSignerOf(settings);
  const retentionMs = settings.auditRetentionMs;
  const sealAuditLog = createSealAuditLog({
    auditSeals,
    signer,
    // Compared with the clock of the database, so not the clock that a test replaces.
    now: Date.now,
    onCut: ({ tenantId, ...details }) => events.auditTampered({ event: 'audit_chain_cut', tenantId, details }),
    onWarning: ({ tenantId, setAside, skipped }) => {
      if (setAside !== undefined)
        events.auditTampered({ event: 'audit_forgeries_set_aside', tenantId, details: setAsideDetails(setAside) });
      if (skipped !== undefined)
        events.auditTampered({ event: 'audit_records_skipped', tenantId, details: { recordIds: skipped } });
    },
  });
  /** An export promises every record that was committed before it, so it needs the sealer. */
  const rejectExport = (err: unknown): never => {
    if (err instanceof ProblemError) throw err;
    events.auditSealFailed(err);
    throw new ProblemError('audit_unavailable', UNSEALED, { cause: err, retryAfterSeconds: UNSEALED_RETRY_SECONDS });
  };
  const pageStates = createAuditPageStates({
    values,
    ownValues: createInProcessState().values,
    seal: valueSeal,
    countLiveHosts: () => stores.hosts.countLive('api'),
    now,
  });
  const reading = { audit, auditChain, retentionMs, now };
  const exporting = {
    ...reading,
    sealCommitted: createSealCommitted({
      auditSeals,
      sealAuditLog: () => sealAuditLog().catch(rejectExport),
      timeLimitMs: SEAL_TIME_LIMIT_MS,
    }),
    signer,
    limit: new AuditReaderLimit(EXPORTS_MAX),
  };
  return {
    sealAuditLog,
    retainAuditLog: createRetainAuditLog({
      database: stores.database,
      databaseUrl: settings.databaseUrl.reveal(),
      signer,
      retentionMs,
      onDropped: (months) =>
        log.info({ event: 'audit_months_dropped', months }, 'old months of the audit log were dropped'),
    }),
    exportAuditLogs: createExportAuditLogs({ ...exporting, nameDigest }),
    exportAuditEvidence: createExportAuditEvidence(exporting),
    followAuditLogs: createFollowAuditLogs({
      ...reading,
      nameDigest,
      authStatus,
      sessions,
      isServing,
      sseHeartbeatMs: settings.sseHeartbeatMs,
      limit: new AuditReaderLimit(FOLLOWERS_MAX),
      onOutage: ({ requestId, principal }, err) =>
        log.error(
          { event: 'audit_stream_interrupted', requestId, tenant: principal.tenant.name, user: principal.name, err },
          'a stream of the audit log cannot read the database; it continues when the database responds',
        ),
    }),
    searchAuditLogs: createSearchAuditLogs({
      auditSearch,
      pageStates,
      retentionMs,
      nameDigest,
      now,
    }),
    nextAuditPage: createNextAuditPage({ auditSearch, pageStates }),
    summarizeAuditLogs: createSummarizeAuditLogs({
      auditSummary,
      audit,
      limit: new AuditReaderLimit(SUMMARIES_MAX),
      retentionMs,
      now,
    }),
  };
}
