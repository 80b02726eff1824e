import { asProblem } from '@sluice/contract';

/** PostgreSQL may come up together with its hosts, or be busy at that moment. */
const TRIES_MAX = 3;

/** Does what a host needs before it can start; what fails because a back end does not answer in its time is tried three times. */
export async function retryAtStartup<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (thrown) {
      if (tries === TRIES_MAX || asProblem(thrown).code !== 'service_unavailable') throw thrown;
    }
  }
}
