import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { parseMarkdownTables } from '@sluice/testkit';
import { AUDIT_ACTIONS } from './index.ts';

it('docs/audit-actions.md lists exactly the actions of the code, each as it is', async () => {
  const page = await readFile(new URL('../../../docs/audit-actions.md', import.meta.url), 'utf8');
  const expected = Object.entries(AUDIT_ACTIONS).map(([action, meaning]) => ({
    Action: `\`${action}\``,
    Meaning: meaning,
  }));
  expect(parseMarkdownTables(page)).toEqual([expected]);
  for (const action of Object.keys(AUDIT_ACTIONS)) expect(action).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
});
