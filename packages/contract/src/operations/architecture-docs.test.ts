import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const ROOT = new URL('../../../../', import.meta.url);
const PAGE = readFileSync(new URL('docs/architecture.md', ROOT), 'utf8');

/** Most files of each walk, which is what a person can hold. */
const FILES_MAX: Readonly<Record<string, number>> = {
  'An update of a domain': 5,
  '`POST /metadata/import`': 9,
  'An audit record, from its write to its seal to a search': 10,
  '`POST /query` on DuckDB': 38,
};

const [, section = ''] = /^## Walks$([\s\S]*?)^## /m.exec(PAGE) ?? [];
const WALKS = section
  .split(/^### /m)
  .slice(1)
  .map((walk) => ({
    title: walk.split('\n', 1)[0] ?? '',
    files: [...walk.matchAll(/^\d+\. `([^`]+)`$/gm)].map(([, file = '']) => file),
  }));

describe('the walks of docs/architecture.md', () => {
  it('are those that are limited', () => {
    expect(WALKS.map(({ title }) => title)).toEqual(Object.keys(FILES_MAX));
  });

  it.each(WALKS)('$title opens files that exist, and few', ({ title, files }) => {
    expect(files.filter((file) => !existsSync(new URL(file, ROOT)))).toEqual([]);
    expect(files.length).toBeGreaterThan(2);
    expect(files.length).toBeLessThanOrEqual(FILES_MAX[title] ?? 0);
  });
});
