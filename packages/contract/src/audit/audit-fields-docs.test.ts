import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { parseMarkdownTables } from '@sluice/testkit';
import { AUDIT_FIELDS } from '../index.ts';

it('docs/audit.md lists the members of sealed records', async () => {
  const page = await readFile(new URL('../../../../docs/audit.md', import.meta.url), 'utf8');
  const tables = parseMarkdownTables(page);
  const members = tables.flat().filter((row) => 'Since version' in row);
  expect(members.map((row) => [row['Member'], row['Since version']])).toEqual(
    AUDIT_FIELDS.map(({ name, version }) => [`\`${name}\``, String(version)]),
  );
});

it('fields that were added later are nullable and come last, so that exports of older logs keep their columns', () => {
  const versions: readonly number[] = AUDIT_FIELDS.map(({ version }) => version);
  expect(versions).toEqual([...versions].sort((a, b) => a - b));
  for (const { version, isNullable } of AUDIT_FIELDS) expect(isNullable || version === 0).toBe(true);
});
