import { expect, it } from '@jest/globals';
import { type DownloadFormat, downloadFormats } from '@sluice/contract';
import type { EngineSpec } from '@sluice/engine';
import { requireFormat } from './require-format.ts';

const DUCKDB = { kind: 'duckdb' } as EngineSpec;
const TRINO = { kind: 'trino' } as EngineSpec;

it.each(downloadFormats)('accepts %s from an engine that has what it requires', (_name, format: DownloadFormat) => {
  expect(() => requireFormat(DUCKDB, format)).not.toThrow();
  if (format.requires === undefined) expect(() => requireFormat(TRINO, format)).not.toThrow();
});

it('rejects a format that the engine cannot write, and names the others', () => {
  const [, parquet] = downloadFormats.find(([name]) => name === 'parquet') ?? [];
  if (parquet === undefined) throw new Error('there is no format parquet');
  expect(() => requireFormat(TRINO, parquet)).toThrow(/is Trino, .* cannot write Parquet files\. Use .* or /);
});
