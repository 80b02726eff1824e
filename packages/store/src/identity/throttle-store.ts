import type { ThrottleKey, ThrottleStates, Throttles } from '@sluice/contract';
import { changeInBatches } from '../database/change-in-batches.ts';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/transaction.ts';

export interface ThrottleStore extends Throttles {
  /** Removes what is older than the window. */
  deleteOld(windowMs: number): Promise<void>;
}

const msUntil = (time: string): string =>
  `greatest(0, coalesce(extract(epoch from ${time} - clock_timestamp()) * 1000, 0))::float8`;

/** Selects an object of states by scope. It is also part of the status of an account, so that a login needs no extra statement. */
export const throttleStatesQuery = (tenantId: string, scopes: string, keys: string): string => `
  select coalesce(jsonb_object_agg(f.scope, jsonb_build_object(
    'failures', f.failures,
    'ageMs', extract(epoch from clock_timestamp() - f.last_failure) * 1000,
    'blockedMs', ${msUntil('f.blocked_until')})), '{}')
  from unnest(${scopes}::text[], ${keys}::text[]) as k (scope, key)
  join login_failures f on f.tenant_id = ${tenantId} and f.scope = k.scope and f.key = k.key
  where f.last_failure is not null`;

const FIND_STATES = prepared('throttle_states', `select (${throttleStatesQuery('$1', '$2', '$3')}) as states`);

const isFresh = (windowMs: string): string =>
  `(f.last_failure > clock_timestamp() - make_interval(secs => ${windowMs}::float8 / 1000)) is true`;

const LIVE_HOLDS = 'select h from unnest(f.holds) as h where h > clock_timestamp()';

/** Each hold of a row has a distinct time, by which it is released. */
const HOLD = prepared(
  'hold_login',
  `
  with held as (
    insert into login_failures as f (tenant_id, scope, key, failures, holds)
    values ($1, $2, $3, 0, array[to_timestamp($4::float8 / 1000)])
    on conflict (tenant_id, scope, key) do update set
      failures = case when ${isFresh('$6')} then f.failures else 0 end,
      holds = array(${LIVE_HOLDS}) ||
        greatest(excluded.holds[1], (select max(h) from unnest(f.holds) as h) + interval '1 microsecond'),
      touched = clock_timestamp()
    where (f.blocked_until is null or f.blocked_until <= clock_timestamp())
      and (select count(*) from (${LIVE_HOLDS}) as live) <
        greatest($5::integer - (case when ${isFresh('$6')} then f.failures else 0 end), 1)
    returning f.holds[cardinality(f.holds)]::text as hold
  )
  select (select hold from held) as hold,
    coalesce((select ${msUntil('blocked_until')} from login_failures where tenant_id = $1 and scope = $2 and key = $3), 0)
      as "blockedMs"`,
);

const RELEASE = prepared(
  'release_login',
  `
  with gone as (
    delete from login_failures
    where tenant_id = $1 and scope = $2 and key = $3 and failures = 0 and holds = array[$4::timestamptz]
    returning 1
  )
  update login_failures set holds = array_remove(holds, $4::timestamptz)
  where tenant_id = $1 and scope = $2 and key = $3 and not exists (select from gone)`,
);

/** Counts in the order of scopes, so that two statements that share keys lock them in one order. */
const COUNT_FAILURE = prepared(
  'count_login_failure',
  `
  with counted as (
    insert into login_failures as f (tenant_id, scope, key, failures, last_failure)
    select $1, k.scope, k.key, 1, clock_timestamp() from unnest($2::text[], $3::text[]) as k (scope, key) order by k.scope
    on conflict (tenant_id, scope, key) do update set
      failures = case when ${isFresh('$8')} then f.failures + 1 else 1 end,
      last_failure = clock_timestamp(),
      touched = clock_timestamp(),
      holds = array_remove(f.holds, $4::timestamptz),
      blocked_until = case
        when f.scope in ('account', 'address') or not ${isFresh('$8')} or f.failures + 1 < $5::integer then null
        else clock_timestamp() + make_interval(secs =>
          least($7::float8, $6::float8 * power(2, least(f.failures + 1 - $5::integer, 20))) / 1000)
      end
    returning blocked_until
  )
  select coalesce(max(${msUntil('blocked_until')}), 0) as "blockedMs" from counted`,
);

export function createThrottleStore(database: Database): ThrottleStore {
  const split = (keys: readonly ThrottleKey[]) => [keys.map(({ scope }) => scope), keys.map(({ key }) => key)];
  let hashKey: Promise<Uint8Array> | undefined;

  const readHashKey = async (): Promise<Uint8Array> => {
    const [row] = await database.withoutTenant((transaction) =>
      transaction.query<{ key: Uint8Array }>('select key from login_throttle_key'),
    );
    if (row === undefined) throw new Error('login_throttle_key has no row');
    return row.key;
  };

  return {
    async hashKey() {
      hashKey ??= readHashKey();
      try {
        return await hashKey;
      } catch (thrown) {
        hashKey = undefined;
        throw thrown;
      }
    },
    async findStates(tenantId, keys) {
      const [row] = await database.run<{ states: ThrottleStates }>({ tenantId }, FIND_STATES, [
        tenantId,
        ...split(keys),
      ]);
      return row?.states ?? {};
    },
    async hold(tenantId, { scope, key }, { expiresMs, policy }) {
      const values = [tenantId, scope, key, expiresMs, policy.failuresFree, policy.windowMs];
      const [row] = await database.run<{ hold: string | null; blockedMs: number }>({ tenantId }, HOLD, values);
      if (typeof row?.hold === 'string') return { kind: 'held', hold: row.hold };
      const blockedMs = row?.blockedMs ?? 0;
      return blockedMs > 0 ? { kind: 'blocked', blockedMs } : { kind: 'busy' };
    },
    async release(tenantId, { scope, key }, hold) {
      await database.run({ tenantId }, RELEASE, [tenantId, scope, key, hold]);
    },
    async countFailure(tenantId, keys, { hold, policy }) {
      const { failuresFree, delayFirstMs, delayMaxMs, windowMs } = policy;
      const values = [tenantId, ...split(keys), hold ?? null, failuresFree, delayFirstMs, delayMaxMs, windowMs];
      const [row] = await database.run<{ blockedMs: number }>({ tenantId }, COUNT_FAILURE, values);
      return row?.blockedMs ?? 0;
    },
    async deleteOld(windowMs) {
      await changeInBatches(database, {
        change: 'delete from login_failures',
        table: 'login_failures',
        where: 'touched < now() - make_interval(secs => $1::float8 / 1000)',
        values: [windowMs],
      });
    },
  };
}
