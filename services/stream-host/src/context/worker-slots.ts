import { totalmem } from 'node:os';
import type { StreamHostSettings } from '../config.ts';

const SLOTS_MIN = 2;
const SLOTS_MAX = 16;
/** The rest is left for the host itself and the system. */
const USABLE_SHARE = 0.75;

/** Returns the maximum number of query workers: the setting, or as many as fit into the usable memory. */
export function workerSlots({
  workersMax,
  workerMemoryBytes,
}: Pick<StreamHostSettings, 'workersMax' | 'workerMemoryBytes'>): number {
  const fitting = Math.floor((memoryBytes() * USABLE_SHARE) / workerMemoryBytes);
  return workersMax ?? Math.max(SLOTS_MIN, Math.min(SLOTS_MAX, fitting));
}

/** Memory of the machine, or of the container if that is less. */
function memoryBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(totalmem(), constrained) : totalmem();
}
