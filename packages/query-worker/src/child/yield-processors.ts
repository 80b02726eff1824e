import { setNiceness, WORKER_NICENESS } from '../parent/niceness.ts';

/**
 * Lets hosts, and workers that are starting, come before this process where there are not processors enough for all, so that heavy
 * queries delay neither the requests of others nor the replacement of workers. What cannot be set stays as it is, which costs others
 * time and nothing else.
 */
export const yieldProcessors = (): void => void setNiceness(process.pid, WORKER_NICENESS);
