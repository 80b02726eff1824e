import { ProblemError } from '@sluice/contract';
import type { QueryStore, StopReason } from '@sluice/store/queries';
import type { RunningQueries } from '../../queries/running-queries.ts';

export interface StopDueQueriesDependencies {
  readonly hostId: string;
  readonly queries: Pick<QueryStore, 'stopsDue'>;
  readonly running: RunningQueries;
}

const REASONS: Readonly<Record<StopReason, string>> = {
  cancelled: 'The query was cancelled by its caller.',
  logged_out: 'The query was stopped because its session ended.',
  password_changed: 'The query was stopped because the password of its account was changed.',
  disabled: 'The query was stopped because its account was disabled.',
  suspended: 'The query was stopped because its tenant was suspended.',
  key_revoked: 'The query was stopped because the key of its session was revoked.',
  not_permitted: 'The query was stopped because its caller may not run queries any more.',
};

/** Stops the queries of this host whose callers may not, or do not want to, go on. To be called more than once a second. */
export async function stopDueQueries(dependencies: StopDueQueriesDependencies): Promise<void> {
  if (dependencies.running.size === 0) return;
  for (const due of await dependencies.queries.stopsDue(dependencies.hostId)) {
    dependencies.running.find(due.queryId)?.stop(new ProblemError('query_cancelled', REASONS[due.reason]));
  }
}
