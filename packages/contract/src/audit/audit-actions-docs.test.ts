import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { parseMarkdownTables } from '@sluice/testkit';
import { AUDIT_ACTIONS, AUDIT_METADATA, AUDIT_OUTCOME_KEYS, type AuditAction } from '../index.ts';

it('docs/audit-actions.md lists exactly the actions of the code', async () => {
  const page = await readFile(new URL('../../../../docs/audit-actions.md', import.meta.url), 'utf8');
  const expected = Object.entries(AUDIT_ACTIONS).map(([action, meaning]) => ({
    Action: `\`${action}\``,
    Meaning: meaning,
    Metadata: (AUDIT_METADATA[action as AuditAction] ?? []).map((key) => `\`${key}\``).join(', '),
  }));
  expect(parseMarkdownTables(page)).toEqual([expected]);
  for (const action of Object.keys(AUDIT_ACTIONS)) expect(action).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
});

it('every action declares its metadata keys, and no key of a query is also a key of its outcome', () => {
  expect(Object.keys(AUDIT_METADATA).sort()).toEqual(Object.keys(AUDIT_ACTIONS).sort());
  const outcomeKeys = new Set<string>(AUDIT_OUTCOME_KEYS);
  for (const keys of Object.values(AUDIT_METADATA)) expect(new Set(keys).size).toBe(keys.length);
  for (const action of ['RUN_QUERY', 'DOWNLOAD_QUERY', 'DOWNLOAD_MARKETPLACE'] as const) {
    const own = (AUDIT_METADATA[action] ?? []).slice(0, -AUDIT_OUTCOME_KEYS.length);
    expect(own.filter((key) => outcomeKeys.has(key))).toEqual([]);
  }
});
