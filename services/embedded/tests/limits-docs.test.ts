import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { apiHostSettings } from '@sluice/api-host';
import type { SettingsTable } from '@sluice/config';
import { streamHostSettings } from '@sluice/stream-host';
import { parseMarkdownTables } from '@sluice/testkit';

type Rows = readonly (readonly unknown[])[];

/** The rows that `npm run docs:generate` writes. */
interface RequestLimits {
  settingLimits(tables: readonly SettingsTable[]): Rows;
  bodyLimits(): Rows;
  valueLimits(): Rows;
  uploadLimits(): Rows;
  fieldLimits(): Rows;
}

const DOCS = new URL('../../../docs/', import.meta.url);

it('docs/limits.md lists the limits of the settings, the bodies and the fields as they are', async () => {
  const limits: RequestLimits = await import(new URL('request-limits.mjs', DOCS).href);
  const listed = parseMarkdownTables(await readFile(new URL('limits.md', DOCS), 'utf8')).map((rows) =>
    rows.map((row) => Object.values(row)),
  );
  const expected = [
    limits.settingLimits([streamHostSettings, apiHostSettings]),
    limits.bodyLimits(),
    limits.valueLimits(),
    limits.uploadLimits(),
    limits.fieldLimits(),
  ].map((rows) => rows.map((row) => row.map(String)));
  expect(expected.every((rows) => rows.length > 0)).toBe(true);
  for (const rows of expected) expect(listed).toContainEqual(rows);
});
