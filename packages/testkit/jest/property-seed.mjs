// Property tests draw the same cases in every run, so that a change is judged by what it changed. PROPERTY_SEED=random draws
// others, PROPERTY_SEED=<integer> those of a failure that was reported.
import fc from 'fast-check';

const FIXED_SEED = 20_261_122;
// biome-ignore lint/style/noProcessEnv: a setting of the tests' own, read before any code of a host
const wanted = process.env.PROPERTY_SEED;

if (wanted !== 'random') fc.configureGlobal({ seed: wanted === undefined ? FIXED_SEED : Number(wanted) });
