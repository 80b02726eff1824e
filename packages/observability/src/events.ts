import type { Permission, QueryEndState } from '@sluice/contract';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';

/** Who and which request, on every business event. Names of accounts are logged, what proves them never is. */
export interface EventSubject {
  readonly requestId?: string;
  readonly tenant?: string;
  readonly user?: string;
}

export interface QueryEnd extends EventSubject {
  readonly queryId: string;
  readonly outcome: QueryEndState;
  /** As in `sse`, `json`, `csv`. */
  readonly format: string;
  readonly rows: number;
  readonly bytes: number;
  readonly durationMs: number;
  /** The stream code of what ended it, as in `TIME_LIMIT`. */
  readonly problem?: string;
  /** What is behind a fault of ours or of a back end; absent for what the caller can mend, since it may repeat their SQL. */
  readonly err?: unknown;
}

export type AuthenticationEvent =
  | 'login'
  | 'login_failed'
  | 'token_refreshed'
  | 'refresh_token_reused'
  | 'token_issued'
  | 'logout'
  | 'invitation_accepted';

/** One function for each thing that a business wants to count or find again: a log line with a stable `event`, and a metric. */
export interface Events {
  queryStarted(event: EventSubject & { readonly queryId: string; readonly format: string }): void;
  queryEnded(event: QueryEnd): void;
  authentication(kind: AuthenticationEvent, subject: EventSubject & { readonly address?: string }): void;
  /** Counted only: the login that it belongs to is logged. */
  secretChecked(method: string, isRight: boolean): void;
  accessDenied(event: EventSubject & { readonly permission: Permission | 'tenant'; readonly operation: string }): void;
  auditFailed(event: EventSubject & { readonly action: string; readonly err: unknown }): void;
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
      metrics.queriesEnded.inc({ state: event.outcome.toLowerCase(), format: event.format });
      metrics.queryDuration.observe({ format: event.format }, event.durationMs / 1000);
      metrics.resultRows.inc(event.rows);
      metrics.resultBytes.inc(event.bytes);
      log.info({ event: 'query_ended', ...event }, 'query ended');
    },
    authentication(kind, subject) {
      metrics.authentications.inc({ event: kind });
      const level = kind === 'refresh_token_reused' ? 'warn' : 'info';
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
    drainStarted() {
      log.info({ event: 'drain_started' }, 'drain started');
    },
  };
}
