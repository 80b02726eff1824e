import { randomBytes } from 'node:crypto';
import { expectDocumentedMetadata } from '@sluice/testkit';
import { createAccounts, startTestHost, type TestHost } from './start-test-host.ts';

let shared: Promise<TestHost> | undefined;

/** Jest calls it (jest/native/shared-host.mjs) before a file that does not share the host, and after the last file. */
async function closeSharedHost(): Promise<void> {
  const closing = shared;
  shared = undefined;
  await (await closing)?.[Symbol.asyncDispose]();
}

/**
 * Returns the API host that the files of `HOST_SHARING_TESTS` in this Jest worker share, with tenants of their own as `acme` and
 * `globex`. For files whose assertions hold whatever other tenants do: they change no settings and do not stop the host. Disposing
 * it rejects like that of a host of its own, but leaves the host to the next file.
 */
export async function shareTestHost(): Promise<TestHost> {
  Object.assign(globalThis, { [Symbol.for('sluice.close-shared-host')]: closeSharedHost });
  shared ??= startTestHost().catch((failure: Error) => {
    shared = undefined; // The next file tries again.
    throw failure;
  });
  const host = await shared;
  const suffix = randomBytes(4).toString('hex');
  return {
    ...host,
    acme: await createAccounts(host.database, `acme-${suffix}`),
    globex: await createAccounts(host.database, `globex-${suffix}`),
    [Symbol.asyncDispose]: () =>
      expectDocumentedMetadata(host.testDatabase.superuserUrl).catch(async (failure: Error) => {
        // Its records would fail the next file too.
        await closeSharedHost().catch(() => undefined);
        throw failure;
      }),
  };
}
