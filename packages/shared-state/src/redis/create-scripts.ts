import type { Redis } from 'ioredis';
import { ACQUIRE, BEAT, ENQUEUE, RELEASE, RENEW } from './slot-scripts.ts';

const SCRIPTS = { beat: BEAT, renew: RENEW, acquire: ACQUIRE, enqueue: ENQUEUE, release: RELEASE } as const;

export type ScriptName = keyof typeof SCRIPTS;
export type RunScript = (
  name: ScriptName,
  keys: readonly string[],
  args: readonly (string | number)[],
) => Promise<unknown>;

const nameOf = (name: ScriptName): string => `sluiceSlots${name}`;

/**
 * Runs the scripts by their hash. They are loaded first of all on each new connection: one that is not there would be sent again
 * behind what was sent after it, and a renewal behind a departure would bring back who left.
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
