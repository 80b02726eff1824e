/** Suites of whole products, whose times are also given by themselves, by the paths of their test files. */
const SUITES = {
  'SDK and command line':
    /^packages\/(?:cli|client)\/|^services\/embedded\/tests\/(?:cli\/|[a-z]+\/(?:chromium-)?client-)/,
  console: /^packages\/console\/|^services\/embedded\/tests\/console\//,
};

/**
 * Returns about how many of the seconds of a step are those of each suite. Files run at the same time, so a suite has the share of the
 * step that it has of the sum of the files' times.
 */
export function shareSeconds({ seconds, files }) {
  const sumOf = (some) => some.reduce((sum, file) => sum + file.seconds, 0);
  const all = sumOf(files);
  const entries = Object.entries(SUITES).map(([suite, pattern]) => {
    const share = sumOf(files.filter(({ file }) => pattern.test(file))) / all;
    return [suite, Math.round(seconds * share)];
  });
  return all === 0 ? [] : entries.filter(([, share]) => share > 0);
}
