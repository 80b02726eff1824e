import fc from 'fast-check';

/**
 * Returns the seed of cases that a test draws itself: that of its property tests, so the same in each run, or a random one in
 * `npm run soak`. A failure must name it: `PROPERTY_SEED=<seed>` draws the same cases again.
 */
export const caseSeed = (): number => fc.readConfigureGlobal().seed ?? Math.floor(Math.random() * 2 ** 31);
