import { closeSharedHost, failuresToClose } from './native/shared-host.mjs';

/**
 * Stops the PostgreSQL server of the run, if one was started, and waits until it is gone. With `--runInBand`, closes the host that test
 * files shared in this process before that. Rejects if a worker could not close its own.
 */
export default async function globalTeardown() {
  try {
    await closeSharedHost();
    const failures = failuresToClose(process.env.SLUICE_TEST_RUN);
    if (failures.length > 0) throw new Error(`A Jest worker could not close its shared host.\n${failures.join('')}`);
  } finally {
    await globalThis[Symbol.for('sluice.test-run')]?.();
  }
}
