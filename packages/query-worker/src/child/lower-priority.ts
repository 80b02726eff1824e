import { setNiceness, WORKER_NICENESS } from '../os/niceness.ts';

/**
 * Lowers the priority of this process below that of hosts and of starting workers, so that heavy queries delay neither other
 * requests nor the replacement of workers when processors are scarce. A failure is ignored: it costs time, not correctness.
 */
export const lowerPriority = (): void => void setNiceness(process.pid, WORKER_NICENESS);
