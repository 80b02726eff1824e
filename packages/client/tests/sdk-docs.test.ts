import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { apiOperations, operatorOperations, streamOperations } from '@sluice/contract';

it('docs/sdk.md lists every operation with its request', async () => {
  const text = await readFile(new URL('../../../docs/sdk.md', import.meta.url), 'utf8');
  const listed = [...text.matchAll(/^\| `client\.(stream|api)\.(\w+)`\s+\| (\w+ \S+)\s+\|/gm)].map((row) =>
    row.slice(1).join(' '),
  );
  const rows = (host: string, operations: object) =>
    Object.values(operations).map(({ id, method, path }: Record<string, string>) => `${host} ${id} ${method} ${path}`);
  const expected = [...rows('stream', streamOperations), ...rows('api', { ...apiOperations, ...operatorOperations })];
  expect(listed).toEqual(expected);
});
