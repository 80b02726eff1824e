import { type Permission, PROBLEMS, type ProblemError, type QueryEndState } from '@sluice/contract';
import type { Logger } from './logger.ts';
import type { MailOutcome } from './metrics/mail-metrics.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { AuthenticationEvent } from './metrics/security-metrics.ts';

/** Caller and request of an event. Names of accounts are logged, credentials never. */
interface EventSubject {
  readonly requestId?: string;
  readonly traceId?: string;
  readonly tenant?: string;
  readonly user?: string;
}

interface QueryEnd extends EventSubject {
  readonly queryId: string;
  readonly outcome: QueryEndState;
  /** Such as `sse`, `json` or `csv`. */
  readonly format: string;
  readonly rows: number;
  readonly bytes: number;
  readonly durationMs: number;
  /** Stream code of the failure, such as `TIME_LIMIT`. */
  readonly problem?: string;
  /** Failure of the service or a back end, logged with its cause. Absent for errors of the caller, which may contain their SQL. */
  readonly err?: ProblemError;
}

/** Attempt to send a mail. Its recipient and its content are not logged. */
interface MailAttempt {
  readonly outcome: MailOutcome;
  readonly tenant: string;
  readonly mailId: string;
  readonly kind: string;
  readonly attempt: number;
  /** Sentence about the failure. */
  readonly reason?: string;
}

/** Change of a tenant's audit chain that no host made. */
interface AuditTampering {
  readonly event: 'audit_chain_cut' | 'audit_forgeries_set_aside' | 'audit_records_skipped';
  readonly tenantId: string;
  readonly details: Readonly<Record<string, unknown>>;
}

const TAMPERED: Readonly<Record<AuditTampering['event'], string>> = {
  audit_chain_cut: 'the audit chain is shorter than what was signed',
  audit_forgeries_set_aside: 'entries or checkpoints that no host had added to the audit chain were set aside',
  audit_records_skipped: 'audit records were not sealed, because the sealed chain has entries for them already',
};
const TEMPORARY_FOLDER_FAILED =
  'the folder for temporary files (TMPDIR) is full or cannot be used; see SluiceQueryFailures in docs/operations.md';
const RUNBOOK = 'see SluiceAuditTampering in docs/operations.md';

const MAIL_LINES: Readonly<Record<MailOutcome, string>> = {
  sent: 'a mail was sent',
  failed: 'a mail could not be sent and will be tried again',
  given_up: 'a mail could not be sent for days and will not be tried again; see Mails in docs/operations.md',
  dropped: 'a mail was not sent, because it is not wanted any more or its user gets none',
};

/** Business events. Each function writes a log line with a stable `event` and updates a metric. */
export interface Events {
  queryStarted(event: EventSubject & { readonly queryId: string; readonly format: string }): void;
  queryEnded(event: QueryEnd): void;
  authentication(kind: AuthenticationEvent, subject: EventSubject & { readonly address?: string }): void;
  /** Updates a metric only; the login is logged separately. */
  secretChecked(method: string, isRight: boolean): void;
  accessDenied(
    event: EventSubject & {
      readonly permission: Permission | 'tenant' | 'network' | 'scope';
      readonly operation: string;
    },
  ): void;
  auditFailed(event: EventSubject & { readonly action: string; readonly err: unknown }): void;
  auditSealFailed(err: unknown): void;
  auditTampered(event: AuditTampering): void;
  mailAttempted(event: MailAttempt): void;
  drainStarted(): void;
}

export function createEvents(options: { readonly log: Logger; readonly metrics: Metrics }): Events {
  const { log, metrics } = options;
  return {
    queryStarted(event) {
      metrics.queriesRunning.inc();
      log.info({ event: 'query_started', ...event }, 'query started');
    },
    queryEnded(event) {
      metrics.queriesRunning.dec();
      metrics.queriesEnded.inc({
        state: event.outcome.toLowerCase(),
        format: event.format,
        ...(event.problem === undefined ? {} : { error_type: event.problem.toLowerCase() }),
      });
      metrics.queryDuration.observe({ format: event.format }, event.durationMs / 1000);
      metrics.resultRows.inc(event.rows);
      metrics.resultBytes.inc(event.bytes);
      const level = event.err === undefined ? 'info' : PROBLEMS[event.err.code].logLevel;
      log[level]({ event: 'query_ended', ...event }, 'query ended');
      if (event.problem === 'STORAGE_UNAVAILABLE')
        log.error({ event: 'temporary_folder_failed', err: event.err }, TEMPORARY_FOLDER_FAILED);
    },
    authentication(kind, subject) {
      metrics.authentications.inc({ event: kind });
      const level = kind.endsWith('_reused') ? 'warn' : 'info';
      log[level]({ event: kind, ...subject }, kind.replaceAll('_', ' '));
    },
    secretChecked(method, isRight) {
      metrics.secretChecks.inc({ method, outcome: isRight ? 'right' : 'wrong' });
    },
    accessDenied(event) {
      metrics.accessDenied.inc({ permission: event.permission });
      log.info({ event: 'access_denied', ...event }, 'access denied');
    },
    auditFailed(event) {
      metrics.auditFailures.inc();
      log.error({ event: 'audit_failed', ...event }, 'an audit record could not be written');
    },
    auditSealFailed(err) {
      metrics.auditSealFailures.inc();
      log.error(
        { event: 'audit_seal_failed', err },
        'audit records were not sealed; this is repeated every second, and no record is lost; see SluiceAuditNotSealed in docs/operations.md',
      );
    },
    auditTampered({ event, tenantId, details }) {
      metrics.auditTampering.inc();
      log.error({ event, tenantId, ...details }, `${TAMPERED[event]}; ${RUNBOOK}`);
    },
    mailAttempted(event) {
      const { outcome } = event;
      metrics.mails.inc({ outcome });
      const level = outcome === 'given_up' ? 'error' : outcome === 'failed' ? 'warn' : 'info';
      log[level]({ event: `mail_${outcome}`, ...event }, MAIL_LINES[outcome]);
    },
    drainStarted() {
      log.info({ event: 'drain_started' }, 'drain started');
    },
  };
}
