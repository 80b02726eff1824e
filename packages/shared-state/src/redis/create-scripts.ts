import type { Redis } from 'ioredis';
import { ACQUIRE, ENQUEUE, HEARTBEAT, RELEASE, RENEW } from './slot-scripts.ts';

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
