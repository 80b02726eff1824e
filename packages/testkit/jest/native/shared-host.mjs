import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PREFIX = 'failed-close-';

/** Closes the host that test files of this process share, if there is one (../../testing/hosts/share-test-host.ts). */
export const closeSharedHost = () => globalThis[Symbol.for('sluice.close-shared-host')]?.();

/**
 * Closes the shared host of a Jest worker when the worker ends. It ends by removing its listener for messages, and then has to exit by
 * itself with code 0, so a failure is left for `failuresToClose`.
 */
export function closeSharedHostAtWorkerEnd() {
  process.on('removeListener', async (name) => {
    if (name !== 'message' || process.listenerCount('message') > 0) return;
    try {
      await closeSharedHost();
    } catch (error) {
      writeFileSync(join(process.env.SLUICE_TEST_RUN, `${PREFIX}${process.pid}`), `${error.stack}\n`);
    }
  });
}

/** Returns the failures of workers to close their hosts. */
export const failuresToClose = (runFolder) =>
  readdirSync(runFolder)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => readFileSync(join(runFolder, name), 'utf8'));
