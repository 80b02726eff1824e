import { asProblem } from '@sluice/contract';

/** PostgreSQL may start at the same time as its hosts, or be busy. */
const TRIES_MAX = 3;

/** Runs a step of the startup. Retries it up to three times in all if a back end does not respond in time. */
export async function retryAtStartup<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (thrown) {
      if (tries === TRIES_MAX || asProblem(thrown).code !== 'service_unavailable') throw thrown;
    }
  }
}
