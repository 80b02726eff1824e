/** Returns `short` in `npm test` and `long` in `npm run soak`, for numbers that only have to exceed a buffer or a limit. */
export const shortOrLong = (short: number, long: number): number =>
  // biome-ignore lint/style/noProcessEnv: a test run gets its configuration from the environment, like a service
  process.env['SLUICE_SOAK'] === '1' ? long : short;
