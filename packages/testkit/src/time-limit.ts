const RELAXATION = 10;

/**
 * Returns the limit of a wait whose length is promised. It is the promise where nothing else runs meanwhile: under `load`, and on servers.
 * In `npm test`, other files and other work on the machine may take most of the processor time, so only a hang fails there. Prefer a wait
 * without `withinMs`, and the promise in a test under `load`.
 */
export const timeLimit = (promisedMs: number): number =>
  // biome-ignore lint/style/noProcessEnv: a test run gets its configuration from the environment, like a service
  process.env['SLUICE_TEST_STRICT_TIMES'] === '1' ? promisedMs : promisedMs * RELAXATION;
