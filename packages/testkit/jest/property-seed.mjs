// Property tests use the same cases in every run, so that only the change under test can alter the result. PROPERTY_SEED=random uses
// other cases, PROPERTY_SEED=<integer> those of a reported failure.
import fc from 'fast-check';

const FIXED_SEED = 20_261_122;
// biome-ignore lint/style/noProcessEnv: a setting of the tests, read before any code of a host
const wanted = process.env.PROPERTY_SEED;

if (wanted !== 'random') fc.configureGlobal({ seed: wanted === undefined ? FIXED_SEED : Number(wanted) });
