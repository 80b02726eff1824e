import type { Redis } from 'ioredis';

/**
 * Lua scripts that Redis runs atomically. They use the clock of Redis, since clocks of hosts differ. All keys of a script share one
 * hash tag, so they are on one node of a cluster. The trust key stores when the data becomes complete (`from`) and when the last
 * heartbeat arrived (`beat`). It is lost together with the data, so an emptied Redis is not trusted.
 */
const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** Returns the milliseconds until the data is complete: 0 when it is, -1 when the last heartbeat is too old. */
const TRUST = `
local function untrustedFor(key, silence)
  local trust = redis.call('HMGET', key, 'from', 'beat')
  if not trust[1] or not trust[2] or now - tonumber(trust[2]) > silence then return -1 end
  return math.max(0, tonumber(trust[1]) - now)
end
`;

/** Counts the live members of a sorted set, by account and in all. Members are `<account>/<id>`, scored by their expiry. */
const COUNT = `
local function counted(key)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
  local byAccount, all = {}, 0
  for _, member in ipairs(redis.call('ZRANGE', key, 0, -1)) do
    local account = string.match(member, '^(.*)/')
    byAccount[account] = (byAccount[account] or 0) + 1
    all = all + 1
  end
  return byAccount, all
end
`;

/** KEYS: trust. ARGV: silence, grace. Returns the milliseconds until slots are granted, 0 when they are. */
const HEARTBEAT = `${NOW}${TRUST}
local silence = tonumber(ARGV[1])
if untrustedFor(KEYS[1], silence) == -1 then redis.call('HSET', KEYS[1], 'from', now + tonumber(ARGV[2])) end
redis.call('HSET', KEYS[1], 'beat', now)
return untrustedFor(KEYS[1], silence)
`;

/**
 * KEYS: trust, running, queued. ARGV: lease, grace, `steady` when the host missed no heartbeat, the numbers of running and of queued
 * requests; then the running, the queued and the released requests. A queued request may be in the running set when the reply of
 * its acquisition was lost. The requests of a steady host are already present; a missing one means that Redis has lost data,
 * perhaps of other hosts too.
 */
const RENEW = `${NOW}
local lease, running, queued = tonumber(ARGV[1]), tonumber(ARGV[4]), tonumber(ARGV[5])
local lost = 0
for i = 6, 5 + running do
  lost = lost + redis.call('ZADD', KEYS[2], now + lease, ARGV[i])
end
for i = 6 + running, 5 + running + queued do
  redis.call('ZADD', KEYS[3], now + lease, ARGV[i])
  redis.call('ZREM', KEYS[2], ARGV[i])
end
for i = 6 + running + queued, #ARGV do
  redis.call('ZREM', KEYS[2], ARGV[i])
  redis.call('ZREM', KEYS[3], ARGV[i])
end
redis.call('PEXPIRE', KEYS[2], lease)
redis.call('PEXPIRE', KEYS[3], lease)
if ARGV[3] == 'steady' and lost > 0 then redis.call('HSET', KEYS[1], 'from', now + tonumber(ARGV[2])) end
return lost
`;

/**
 * KEYS: trust, running, queued, contending. ARGV: silence, lease, contention time, account, id, since, limit of the account, limit of
 * the tenant. Contending requests are `<since>/<account>/<id>`. The order is that of fair-order.ts, for one tenant.
 */
const ACQUIRE = `${NOW}${TRUST}${COUNT}
if untrustedFor(KEYS[1], tonumber(ARGV[1])) ~= 0 then return 'unknown' end
local account, since = ARGV[4], tonumber(ARGV[6])
local member = account .. '/' .. ARGV[5]
local contender = ARGV[6] .. '/' .. member
if redis.call('ZSCORE', KEYS[2], member) then return 'acquired' end
local byAccount, all = counted(KEYS[2])
local own = byAccount[account] or 0
if own >= tonumber(ARGV[7]) then
  redis.call('ZREM', KEYS[4], contender)
  return 'account_full'
end
redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', now)
local contenders = {}
for _, other in ipairs(redis.call('ZRANGE', KEYS[4], 0, -1)) do
  local otherSince, otherAccount = string.match(other, '^(%d+)/(.*)/')
  otherSince = tonumber(otherSince)
  if other ~= contender then
    contenders[#contenders + 1] = { since = otherSince, account = otherAccount }
    if otherAccount == account and otherSince < since then own = own + 1 end
  end
end
table.sort(contenders, function(one, other) return one.since < other.since end)
local ahead, seen = 0, {}
for _, other in ipairs(contenders) do
  local before = seen[other.account] or 0
  seen[other.account] = before + 1
  local running = (byAccount[other.account] or 0) + before
  if running < own or (running == own and other.since < since) then ahead = ahead + 1 end
end
if all + ahead >= tonumber(ARGV[8]) then
  redis.call('ZADD', KEYS[4], now + tonumber(ARGV[3]), contender)
  redis.call('PEXPIRE', KEYS[4], ARGV[3])
  return 'tenant_full'
end
redis.call('ZADD', KEYS[2], now + tonumber(ARGV[2]), member)
redis.call('PEXPIRE', KEYS[2], ARGV[2])
redis.call('ZREM', KEYS[3], member)
redis.call('ZREM', KEYS[4], contender)
return 'acquired'
`;

/** KEYS: trust, queued. ARGV: silence, lease, account, id, limit of the account, limit of the tenant. */
const ENQUEUE = `${NOW}${TRUST}${COUNT}
if untrustedFor(KEYS[1], tonumber(ARGV[1])) ~= 0 then return 'unknown' end
local member = ARGV[3] .. '/' .. ARGV[4]
if redis.call('ZSCORE', KEYS[2], member) then return 'queued' end
local byAccount, all = counted(KEYS[2])
if (byAccount[ARGV[3]] or 0) >= tonumber(ARGV[5]) then return 'account_queue_full' end
if all >= tonumber(ARGV[6]) then return 'tenant_queue_full' end
redis.call('ZADD', KEYS[2], now + tonumber(ARGV[2]), member)
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return 'queued'
`;

/** KEYS: running, queued, contending. ARGV: account, id, since, channel, tenant. Publishes the release of a slot if requests are queued. */
const RELEASE = `
local member = ARGV[1] .. '/' .. ARGV[2]
local released = redis.call('ZREM', KEYS[1], member)
redis.call('ZREM', KEYS[2], member)
redis.call('ZREM', KEYS[3], ARGV[3] .. '/' .. member)
if released == 1 and redis.call('ZCARD', KEYS[2]) > 0 then redis.call('PUBLISH', ARGV[4], ARGV[5]) end
return released
`;

/** Lua scripts of one-time values. Redis runs each of them atomically, by its own clock. */

/** KEYS: group, value. ARGV: time to live, maximum of the group, key, value. Returns 0 when the group is full. */
const PUT_ONCE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[1]), ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[1])
redis.call('SET', KEYS[2], ARGV[4], 'PX', ARGV[1])
return 1
`;

/** KEYS: group, value. ARGV: key. A value of another group stays. */
const TAKE_ONCE = `
if redis.call('ZREM', KEYS[1], ARGV[1]) == 0 then return false end
local value = redis.call('GET', KEYS[2])
redis.call('DEL', KEYS[2])
return value
`;

const SCRIPTS = {
  heartbeat: HEARTBEAT,
  renew: RENEW,
  acquire: ACQUIRE,
  enqueue: ENQUEUE,
  release: RELEASE,
  putOnce: PUT_ONCE,
  takeOnce: TAKE_ONCE,
} as const;

type ScriptName = keyof typeof SCRIPTS;
export type RunScript = (
  name: ScriptName,
  keys: readonly string[],
  args: readonly (string | number)[],
) => Promise<unknown>;

const nameOf = (name: ScriptName): string => `sluiceSlots${name}`;

/**
 * Creates a function that runs the scripts by hash. Each new connection loads them first: ioredis resends a missing script after
 * the commands that follow it, and a renewal after a release would restore the released request.
 */
export function createScripts(client: Redis): RunScript {
  for (const [name, lua] of Object.entries(SCRIPTS)) client.defineCommand(nameOf(name as ScriptName), { lua });
  const load = (): void => {
    for (const lua of Object.values(SCRIPTS)) client.script('LOAD', lua).catch(() => undefined);
  };
  client.on('ready', load);
  return (name, keys, args) => {
    const command = Reflect.get(client, nameOf(name)) as (...all: (string | number)[]) => Promise<unknown>;
    return command.call(client, keys.length, ...keys, ...args);
  };
}
