import { existsSync, readFileSync } from 'node:fs';

const FILE = new URL('./quarantine.json', import.meta.url);
export const ENTRIES_MAX = 5;
export const DAYS_MAX = 14;
const DAY_MS = 86_400_000;

/**
 * Returns the tests that are known to be flaky, of quarantine.json: `{ file, test, since, reason }[]`, where `test` is the full name and `since` a
 * date. They run and are reported, and their failures do not count.
 */
export const readQuarantine = () => JSON.parse(readFileSync(FILE, 'utf8'));

/** Returns what is wrong with the entries, in sentences: too many, too old, or not about a test file. */
export function findQuarantineProblems(entries, now = Date.now()) {
  const problems = entries.flatMap(({ file, test, since, reason }) => {
    const name = `quarantine.json: ${file}: ${test}`;
    if (![file, test, since, reason].every((value) => typeof value === 'string' && value !== ''))
      return [`${name}: an entry has file, test, since and reason.`];
    if (!existsSync(file)) return [`${name}: there is no such file.`];
    const days = (now - Date.parse(since)) / DAY_MS;
    if (!(days >= 0)) return [`${name}: ${since} is not a date of the past, such as 2026-11-27.`];
    return days > DAYS_MAX ? [`${name}: it is older than ${DAYS_MAX} days. Repair the test or the product.`] : [];
  });
  if (entries.length > ENTRIES_MAX)
    problems.push(`quarantine.json has ${entries.length} entries. At most ${ENTRIES_MAX} are allowed: repair one.`);
  return problems;
}

/** Returns a function that finds the entry of a failed test. */
export const quarantineOf =
  (entries) =>
  ({ file, test }) =>
    entries.find((entry) => entry.file === file && entry.test === test);
