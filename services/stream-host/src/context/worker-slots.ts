import { availableParallelism, totalmem } from 'node:os';
import type { StreamHostSettings } from '../config.ts';

const SLOTS_MIN = 2;
/** Lower bound on a small machine, so that short queries need not wait for long ones, which have a lower priority. */
const MIN_SLOT_LIMIT = 16;
const SLOTS_PER_PROCESSOR = 4;
/** The rest is left for the host itself and the system. */
const USABLE_SHARE = 0.75;

/**
 * Returns the maximum number of query workers: the setting, or as many as fit into the usable memory, up to four per processor or 16.
 */
export function workerSlots(
  { workersMax, workerMemoryBytes }: Pick<StreamHostSettings, 'workersMax' | 'workerMemoryBytes'>,
  processors = availableParallelism(),
): number {
  const slotsMax = Math.max(MIN_SLOT_LIMIT, SLOTS_PER_PROCESSOR * processors);
  const fitting = Math.floor((memoryBytes() * USABLE_SHARE) / workerMemoryBytes);
  return workersMax ?? Math.max(SLOTS_MIN, Math.min(slotsMax, fitting));
}

/** Memory of the machine, or of the container if that is less. */
function memoryBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(totalmem(), constrained) : totalmem();
}
