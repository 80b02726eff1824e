/** Stops the PostgreSQL server of the run, if one was started, and waits until it is gone. */
export default async function globalTeardown() {
  await globalThis[Symbol.for('sluice.test-run')]?.();
}
