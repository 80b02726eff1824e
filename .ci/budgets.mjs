/**
 * Processor time that a test file, and all files of a tier together, may take, in seconds on the reference machine (machine-speed.mjs).
 * It includes the programs that a file starts, and not the PostgreSQL server that all files share.
 */
export const BUDGETS = {
  a: { file: 5, tier: 560 },
  b: { file: 45, tier: 1_500 },
  c: { file: 120 },
};

/** Returns the files, and the tiers, that take more processor time than they may, in sentences. `slowness` is that of the machine. */
export function findOverBudget(results, slowness) {
  const tests = results.filter(({ suite }) => suite.tests !== undefined);
  const overFiles = tests.flatMap(({ suite, files }) => {
    const limit = BUDGETS[suite.tier].file * slowness;
    return files
      .filter(({ processorSeconds }) => processorSeconds > limit)
      .map(({ file, processorSeconds }) =>
        sentenceOf(`${file} (${suite.name})`, processorSeconds, limit, `a file of tier ${suite.tier}`),
      );
  });
  const overTiers = ['a', 'b'].flatMap((tier) => {
    const limit = BUDGETS[tier].tier * slowness;
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
