import { includesAddress } from '@sluice/auth';
import { ProblemError } from '@sluice/contract';
import type { QueryStore, StopReason } from '@sluice/store/queries';
import type { RunningQueries } from '../../queries/running-queries.ts';
import { cancelledByCaller } from './announce-waiting-queries.ts';

interface StopDueQueriesDependencies {
  readonly hostId: string;
  readonly queries: Pick<QueryStore, 'stopsDue'>;
  readonly running: RunningQueries;
}

const REASONS: Readonly<Record<Exclude<StopReason, 'killed'>, string>> = {
  cancelled: 'The query was cancelled by its caller.',
  cancelled_by_admin: 'The query was cancelled by an admin of its tenant.',
  logged_out: 'The query was stopped because its session ended.',
  password_changed: 'The query was stopped because the password of its account was changed.',
  disabled: 'The query was stopped because its account was disabled.',
  suspended: 'The query was stopped because its tenant was suspended.',
  key_revoked: 'The query was stopped because the key of its session was revoked.',
  not_permitted: 'The query was stopped because its caller lost the permission to run queries.',
  networks: 'The query was stopped because its service account may no longer send requests from its address.',
};

/** Stops queries of this host that were cancelled or whose callers lost the right to them. Call it more than once a second. */
export type StopDueQueries = () => Promise<void>;

export function createStopDueQueries({ hostId, queries, running }: StopDueQueriesDependencies): StopDueQueries {
  return async () => {
    if (running.size === 0) return;
    for (const { queryId, reason, networks, killMessage } of await queries.stopsDue(hostId)) {
      const query = running.find(queryId);
      if (query === undefined || (reason === 'networks' && includesAddress(networks, query.address))) continue;
      query.stop(
        reason === 'killed'
          ? cancelledByCaller(killMessage ?? '')
          : new ProblemError('query_cancelled', REASONS[reason]),
      );
    }
  };
}
