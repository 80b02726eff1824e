import type { Environment } from '../environment.ts';
import { UsageError } from '../errors.ts';

/**
 * Returns the longest silence of a result in milliseconds from `SLUICE_IDLE_TIMEOUT` (seconds), or undefined if it is not set.
 * @throws UsageError if it is not a positive number
 */
export function idleTimeoutMs(environment: Environment): number | undefined {
  const text = environment['SLUICE_IDLE_TIMEOUT'];
  if (text === undefined || text === '') return undefined;
  const seconds = Number(text);
  if (!(seconds > 0)) throw new UsageError('SLUICE_IDLE_TIMEOUT must be a number of seconds above 0.');
  return seconds * 1000;
}
