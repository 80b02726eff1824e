import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../../..');
const BLOCK = /<!-- file: (?<path>\S+) -->\n\n```\w+\n(?<text>[\s\S]*?)```\n/g;

it('docs/proxies.md shows the files that npm run test:proxy uses', async () => {
  const page = await readFile(join(ROOT, 'docs/proxies.md'), 'utf8');
  const blocks = [...page.matchAll(BLOCK)].map(({ groups = {} }) => groups);
  expect(blocks.map(({ path }) => path)).toEqual([
    'deploy/proxies/nginx/sluice.conf',
    'deploy/proxies/haproxy/haproxy.cfg',
  ]);
  for (const { path = '', text } of blocks) expect(text).toBe(await readFile(join(ROOT, path), 'utf8'));
});
