/** Whether tests run all of their cases instead of the short selection: SLUICE_CASES=all, or `npm run soak`. */
export const allCases: boolean =
  // biome-ignore lint/style/noProcessEnv: a test run gets its configuration from the environment, like a service
  process.env['SLUICE_CASES'] === 'all' || process.env['SLUICE_SOAK'] === '1';
