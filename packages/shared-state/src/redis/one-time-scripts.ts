/** Lua scripts of one-time values. Redis runs each of them atomically, by its own clock. */

/** KEYS: group, value. ARGV: time to live, maximum of the group, key, value. Returns 0 when the group is full. */
export const PUT_ONCE = `
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
export const TAKE_ONCE = `
if redis.call('ZREM', KEYS[1], ARGV[1]) == 0 then return false end
local value = redis.call('GET', KEYS[2])
redis.call('DEL', KEYS[2])
return value
`;
