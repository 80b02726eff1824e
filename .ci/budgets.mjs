/**
 * Processor time that a test file, and all files of a tier together, may take, in seconds on the reference machine (machine-speed.mjs).
 * It includes the programs that a file starts, and not the PostgreSQL server that all files share.
 */
export const BUDGETS = {
  a: { file: 5, tier: 560 },
  b: { file: 45, tier: 1_500 },
  c: { file: 120 },
};

/** Processor time varies by a third with what else the processors do, so a budget is exceeded from this many times it. */
const TOLERANCE = 1.5;

/** Time that the first file of a Jest worker takes more, because it loads all modules, in seconds. */
const LOADING_SECONDS = 6;

/** Returns the files, and the tiers, that take more processor time than they may, in sentences. `slowness` is that of the machine. */
export function findOverBudget(results, slowness) {
  const tests = results.filter(({ suite }) => suite.tests !== undefined);
  const overFiles = tests.flatMap(({ suite, files }) => {
    const limit = BUDGETS[suite.tier].file * TOLERANCE * slowness;
    return files
      .map(({ file, processorSeconds, isFirst }) => ({
        file,
        seconds: processorSeconds - (isFirst ? LOADING_SECONDS * slowness : 0),
      }))
      .filter(({ seconds }) => seconds > limit)
      .map(({ file, seconds }) =>
        sentenceOf(`${file} (${suite.name})`, seconds, limit, `a file of tier ${suite.tier}`),
      );
  });
  const overTiers = ['a', 'b'].flatMap((tier) => {
    const limit = BUDGETS[tier].tier * TOLERANCE * slowness;
    const taken = tests
      .filter(({ suite }) => suite.tier === tier)
      .flatMap(({ files }) => files)
      .reduce((sum, { processorSeconds }) => sum + processorSeconds, 0);
    return taken > limit ? [sentenceOf(`all files of tier ${tier}`, taken, limit, 'it')] : [];
  });
  return [...overFiles, ...overTiers];
}

const sentenceOf = (what, seconds, limit, whose) =>
  `over budget: ${what}: ${seconds.toFixed(1)} s of processor time, and ${whose} may take ${limit.toFixed(1)} s on this machine. Make it cheaper, or move it to another suite of .ci/suites.mjs.`;
