import type { Database } from '../database/database.ts';
import { prepared } from '../database/transaction.ts';
import { SESSION_END } from '../identity/session-use.ts';
import { HOST_SILENCE_MS_DEFAULT } from './host-silence.ts';
import { stillWaits } from './waiting-query-store.ts';

/** Account whose use is counted, and its session, if it has one. */
export interface CallerReference {
  readonly tenantId: string;
  readonly accountId: string;
  readonly sessionId?: string | undefined;
}

/** Queries of an account and of its tenant on all hosts, and facts about the account and its session. */
export interface CallerUse {
  readonly queries: number;
  readonly tenantQueries: number;
  readonly queued: number;
  readonly tenantQueued: number;
  /** End of the session in epoch milliseconds; null without a session. */
  readonly sessionExpiresMs: number | null;
  /** False for service accounts, and for users that only sign in at an identity provider. */
  readonly hasPassword: boolean;
}

export interface CallerUseStore {
  find(caller: CallerReference): Promise<CallerUse>;
}

interface UseRow {
  readonly queries: number;
  readonly tenant_queries: number;
  readonly queued: number;
  readonly tenant_queued: number;
  readonly expires: Date | null;
  readonly has_password: boolean;
}

const FIND = prepared(
  'find_caller_use',
  `
  select r.queries, r.tenant_queries, p.queued, p.tenant_queued,
    (select ${SESSION_END} from sessions s join tenants t on t.id = s.tenant_id where s.tenant_id = $1 and s.sid = $3) as expires,
    exists (select from users u where u.tenant_id = $1 and u.id = $2 and u.password_hash is not null) as has_password
  from (
    select count(*) filter (where account_id = $2)::int as queries, count(*)::int as tenant_queries
    from queries where tenant_id = $1 and ended is null
  ) r cross join (
    select count(*) filter (where w.account_id = $2)::int as queued, count(*)::int as tenant_queued
    from waiting_queries w where w.tenant_id = $1 and ${stillWaits('$4')}
  ) p`,
);

/** `silenceMs`: time without a heartbeat after which a host counts as dead. */
export const createCallerUseStore = (database: Database, silenceMs = HOST_SILENCE_MS_DEFAULT): CallerUseStore => ({
  async find({ tenantId, accountId, sessionId }) {
    const values = [tenantId, accountId, sessionId ?? null, silenceMs];
    const [row] = await database.run<UseRow>({ tenantId }, FIND, values);
    return {
      queries: row?.queries ?? 0,
      tenantQueries: row?.tenant_queries ?? 0,
      queued: row?.queued ?? 0,
      tenantQueued: row?.tenant_queued ?? 0,
      sessionExpiresMs: row?.expires?.getTime() ?? null,
      hasPassword: row?.has_password === true,
    };
  },
});
