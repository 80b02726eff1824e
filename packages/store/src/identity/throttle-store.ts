import type { Database } from '../database/database.ts';
import { prepared } from '../database/transaction.ts';

/** What is counted, and how many failures are free before the delays begin. */
export interface ThrottleKey {
  readonly scope: 'account' | 'address';
  readonly key: string;
  readonly failuresFree: number;
}

export interface ThrottlePolicy {
  /** The delay after the last free failure; each further one doubles it. */
  readonly delayFirstMs: number;
  readonly delayMaxMs: number;
  /** Failures older than this are forgotten. */
  readonly windowMs: number;
}

export interface ThrottleStore {
  /**
   * Counts an attempt as failed before it is checked, all keys or none, and answers 0; or how long one of them is blocked.
   * Counting first is what holds against parallel guesses: a hundred at once find the counter already used up.
   */
  take(tenantId: string, keys: readonly ThrottleKey[], policy: ThrottlePolicy): Promise<number>;
  /** Takes the count of one attempt back, because the secret was right. Older failures stay counted. */
  giveBack(tenantId: string, keys: readonly ThrottleKey[]): Promise<void>;
}

/** A query of one number. Also part of the standing of whoever sends a secret, so that asking costs no statement of its own. */
export const blockedForMsQuery = (tenantId: string, scopes: string, keys: string): string => `
  select coalesce(max(extract(epoch from l.blocked_until - clock_timestamp()) * 1000), 0)::float8 as ms
  from unnest(${scopes}::text[], ${keys}::text[]) as k (scope, key)
  join login_throttles l on l.tenant_id = ${tenantId} and l.scope = k.scope and l.key = k.key`;

const BLOCKED_FOR = prepared('blocked_for', blockedForMsQuery('$1', '$2', '$3'));

const TAKE = `
  insert into login_throttles as l (tenant_id, scope, key, failures) values ($1, $2, $3, 1)
  on conflict (tenant_id, scope, key) do update set
    last_failure = clock_timestamp(),
    failures = case when l.last_failure < clock_timestamp() - make_interval(secs => $7::float8 / 1000) then 1 else l.failures + 1 end,
    blocked_until = case
      when l.last_failure < clock_timestamp() - make_interval(secs => $7::float8 / 1000) or l.failures + 1 < $4 then null
      else clock_timestamp() + make_interval(secs => least($6::float8, $5::float8 * power(2, least(l.failures + 1 - $4, 20))) / 1000)
    end
  where l.blocked_until is null or l.blocked_until <= clock_timestamp()
  returning 1 as taken`;

const GIVE_BACK = `
  update login_throttles set failures = greatest(failures - 1, 0),
    blocked_until = case when failures - 1 < $4 then null else blocked_until end
  where tenant_id = $1 and scope = $2 and key = $3`;

/** Rolls the counts of the other keys back. */
class Blocked extends Error {}

export function createThrottleStore(database: Database): ThrottleStore {
  const blockedForMs = async (tenantId: string, keys: readonly ThrottleKey[]): Promise<number> => {
    const [row] = await database.run<{ ms: number }>({ tenantId }, BLOCKED_FOR, [
      tenantId,
      keys.map(({ scope }) => scope),
      keys.map(({ key }) => key),
    ]);
    return Math.max(0, row?.ms ?? 0);
  };

  return {
    async take(tenantId, keys, policy) {
      try {
        await database.withTenant(tenantId, async (transaction) => {
          for (const { scope, key, failuresFree } of keys) {
            const values = [
              tenantId,
              scope,
              key,
              failuresFree,
              policy.delayFirstMs,
              policy.delayMaxMs,
              policy.windowMs,
            ];
            const taken = await transaction.query(TAKE, values);
            if (taken.length === 0) throw new Blocked('blocked');
          }
        });
        return 0;
      } catch (thrown) {
        if (!(thrown instanceof Blocked)) throw thrown;
        // At least a moment: the block may have ended between the two looks.
        return Math.max(1, await blockedForMs(tenantId, keys));
      }
    },
    async giveBack(tenantId, keys) {
      await database.withTenant(tenantId, async (transaction) => {
        for (const { scope, key, failuresFree } of keys) {
          await transaction.query(GIVE_BACK, [tenantId, scope, key, failuresFree]);
        }
      });
    },
  };
}
