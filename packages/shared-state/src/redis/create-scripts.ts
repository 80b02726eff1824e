import type { Redis } from 'ioredis';
import { PUT_ONCE, TAKE_ONCE } from './one-time-scripts.ts';
import { ACQUIRE, ENQUEUE, HEARTBEAT, RELEASE, RENEW } from './slot-scripts.ts';

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
