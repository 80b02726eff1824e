import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { shortOrLong } from '@sluice/testkit';
import { search } from './search.ts';

const ENTRIES = shortOrLong(2_000, 20_000);
const LONG_MS = 300_000;

describe('the search bench', () => {
  it(
    `has bare SQL that returns the same ids, in the same order, for every kind of search over ${ENTRIES} datamaps`,
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-search-'));
      await chmod(folder, 0o755); // when root runs this, the server has another user, who needs access
      try {
        // Throws when no statement returns the ids of the search. Times are not asserted, since the machine may be busy.
        const findings = await search({ entries: ENTRIES, rounds: 1, folder, print: () => undefined });
        expect(findings.length).toBeGreaterThan(15);
        expect(findings.every(({ measured }) => measured > 0)).toBe(true);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    LONG_MS,
  );
});
