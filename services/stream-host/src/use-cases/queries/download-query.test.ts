import { describe, expect, it } from '@jest/globals';
import { buildCaller } from '@sluice/testkit';
import { createDownloadQuery } from './download-query.ts';
import type { QueryInput } from './query-input.ts';

const caller = buildCaller('ann');
const transfer = { signal: new AbortController().signal, reader: {} } as unknown as Pick<
  QueryInput,
  'signal' | 'reader'
>;

/** Prepares and starts a download. Returns its file and what was started. */
async function download(input: object, kind: 'duckdb' | 'trino' = 'duckdb') {
  const started: QueryInput[] = [];
  const prepare = createDownloadQuery({
    startQuery: async (_caller, query) => {
      started.push(query);
      return {} as never;
    },
    resolveEngine: () => ({ kind, key: 'e', profile: {} }) as never,
    overflowBytesMax: 1,
    keepDefaults: { keepTimeMaxMs: 3_600_000 },
  });
  const tenant = { ...caller.principal.tenant, settings: { rows_max: 7 } } as never;
  const limited = { ...caller, principal: { ...caller.principal, tenant } };
  const { file, start } = await prepare(limited, { sql: 'SELECT 1', filename: 'result', ...input } as never);
  await start(transfer);
  return { file, query: started[0] as QueryInput };
}

describe('a download of a statement', () => {
  it('has the name, type and defaults of its format', async () => {
    const { file, query } = await download({ format: 'csv' });
    expect(file).toEqual({ mediaType: 'text/csv', filename: 'result', extension: 'csv' });
    expect(query).toMatchObject({
      action: 'DOWNLOAD_QUERY',
      sql: 'SELECT 1',
      format: { name: 'csv', bigNumbers: 'number', formulas: 'keep', progress: 'hidden' },
      timeZone: 'UTC',
      metadata: { format: 'csv', filename: 'result' },
      ...transfer,
    });
    expect(query).not.toHaveProperty('bundle');
  });

  it('passes its options on', async () => {
    const options = { format: 'csv', big_numbers: 'string', excel_safe: true, time_zone: 'Europe/Berlin' };
    const { query } = await download(options);
    expect(query).toMatchObject({ timeZone: 'Europe/Berlin', format: { bigNumbers: 'string', formulas: 'prefix' } });
  });

  it('as a workbook has one sheet, named after the file', async () => {
    const { query } = await download({ format: 'xlsx' });
    expect(query.bundle).toBeDefined();
    expect(query.rowsMax).toBeUndefined();
  });

  it('keeps its result for the requested time, except with a file that the engine writes', async () => {
    const { query } = await download({ format: 'csv', keep: '30m' });
    expect(query).toMatchObject({ keepMs: 1_800_000, metadata: { format: 'csv', filename: 'result', keep: '30m' } });
    expect((await download({ format: 'csv' })).query).toMatchObject({ keepMs: undefined });
    for (const rejected of [
      { format: 'csv', keep: '2h' },
      { format: 'parquet', keep: '30m' },
    ])
      await expect(download(rejected)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('that the engine would have to write is rejected if it cannot', async () => {
    await expect(download({ format: 'parquet' }, 'trino')).rejects.toMatchObject({ code: 'not_supported' });
    expect((await download({ format: 'parquet' })).file.extension).toBe('parquet');
  });
});
