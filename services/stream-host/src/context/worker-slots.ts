import { totalmem } from 'node:os';
import type { StreamHostSettings } from '../config.ts';

const SLOTS_MIN = 2;
const SLOTS_MAX = 16;
/** The rest is for the host itself and the system. */
const USABLE_SHARE = 0.75;

/** Query workers at once: as set, or as many as the usable memory carries. */
export function workerSlots({
  workersMax,
  workerMemoryBytes,
}: Pick<StreamHostSettings, 'workersMax' | 'workerMemoryBytes'>): number {
  const carried = Math.floor((memoryBytes() * USABLE_SHARE) / workerMemoryBytes);
  return workersMax ?? Math.max(SLOTS_MIN, Math.min(SLOTS_MAX, carried));
}

/** Of the machine, or of the container where that has less. */
function memoryBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(totalmem(), constrained) : totalmem();
}
