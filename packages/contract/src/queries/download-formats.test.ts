import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { parseMarkdownTables } from '@sluice/testkit';
import type { z } from 'zod';
import {
  type DownloadFormatName,
  downloadFormats,
  MARKETPLACE_FORMATS,
  marketplaceFormat,
} from './download-formats.ts';
import { downloadOperation } from './download-operations.ts';

const fieldsOf = (name: DownloadFormatName): string[] =>
  Object.keys((downloadOperation(name).body.schema as unknown as z.ZodObject).shape);

/** The tests of each format (`describeDownload`) name its media type, extension and options. */
describe('the table of download formats', () => {
  it.each(downloadFormats)('sets path, body fields and media type of the operation of %s', (name, format) => {
    const { path, responses } = downloadOperation(name);
    expect([path, responses[200]?.mediaType]).toEqual([`/query/download/${name}`, format.mediaType]);
    expect(fieldsOf(name)).toEqual(['sql', 'parameters', 'filename', 'keep', 'catalog', 'schema', ...format.options]);
  });

  it('has no two formats with the same media type or extension', () => {
    for (const key of ['mediaType', 'extension'] as const)
      expect(new Set(downloadFormats.map(([, format]) => format[key])).size).toBe(downloadFormats.length);
  });

  it('names the formats of the marketplace, xl as another name of xlsx', () => {
    expect(MARKETPLACE_FORMATS.map((name) => [name, marketplaceFormat(name)])).toEqual(
      downloadFormats.flatMap(([format, { marketplaceNames }]) => marketplaceNames.map((name) => [name, format])),
    );
    expect(new Set(MARKETPLACE_FORMATS).size).toBe(MARKETPLACE_FORMATS.length);
    expect(marketplaceFormat('xl')).toBe('xlsx');
    expect(MARKETPLACE_FORMATS).not.toContain('parquet');
  });

  it('is what docs/links.md and docs/marketplace.md list', async () => {
    const tablesOf = async (page: string) =>
      parseMarkdownTables(await readFile(new URL(`../../../../docs/${page}`, import.meta.url), 'utf8')).flat();
    const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');
    expect((await tablesOf('links.md')).flatMap(({ Link, Formats }) => (Link === undefined ? [] : [Formats]))).toEqual([
      quoted(MARKETPLACE_FORMATS),
      quoted(downloadFormats.map(([name]) => name)),
    ]);
    const listed = (await tablesOf('marketplace.md')).find((row) => 'Queries' in row) ?? {};
    expect(Object.keys(listed).slice(1).join(', ').split(', ').sort()).toEqual(
      MARKETPLACE_FORMATS.map((name) => `\`${name}\``).sort(),
    );
  });

  it('requires a capability of the engine for files that the engine writes, and for no others', () => {
    expect(downloadFormats.map(([name, { requires }]) => [name, requires])).toEqual(
      downloadFormats.map(([name, { assembly }]) => [name, assembly === 'engine' ? 'writesFiles' : undefined]),
    );
  });
});
