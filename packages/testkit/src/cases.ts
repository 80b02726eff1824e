/** Cases that tests run: a short form of them, all, or all with random ones. */
export type Cases = 'short' | 'all' | 'random';

/** Reads the setting: `SLUICE_CASES=all` for all cases, the same ones in each run, or `SLUICE_SOAK=1`, which `npm run soak` sets. */
export function readCases(environment: NodeJS.ProcessEnv): Cases {
  if (environment['SLUICE_SOAK'] === '1') return 'random';
  return environment['SLUICE_CASES'] === 'all' ? 'all' : 'short';
}

// biome-ignore lint/style/noProcessEnv: a test run gets its configuration from the environment, like a service
export const CASES: Cases = readCases(process.env);

/** Whether tests run all of their cases, and not only the short form. */
export const allCases: boolean = CASES !== 'short';
