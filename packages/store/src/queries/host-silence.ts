/** Default of the setting HOST_SILENCE. */
export const HOST_SILENCE_MS_DEFAULT = 20_000;

/** Returns the SQL condition that a host `h` has sent a heartbeat in the last milliseconds, which the parameter holds. */
export const isAlive = (parameter: `$${number}`): string =>
  `h.beat >= clock_timestamp() - make_interval(secs => ${parameter}::float8 / 1000)`;
