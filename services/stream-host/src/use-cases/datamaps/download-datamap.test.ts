import { describe, expect, it } from '@jest/globals';
import { type Permission, parameterDeclarations } from '@sluice/contract';
import { buildCaller } from '@sluice/testkit';
import type { QueryInput } from '../queries/query-input.ts';
import { createDownloadDatamap } from './download-datamap.ts';

const transfer = { signal: new AbortController().signal, reader: {} } as unknown as Pick<
  QueryInput,
  'signal' | 'reader'
>;
const PARAMETERS = parameterDeclarations.parse([{ name: 'year', type: 'integer' }]);

function fixture({ sql = 'SELECT $year', kind = 'duckdb' }: { sql?: string | null; kind?: string } = {}) {
  const started: QueryInput[] = [];
  const counted: unknown[] = [];
  const download = createDownloadDatamap({
    publishedDatamaps: {
      find: async (_tenantId, id) =>
        id === 'map' ? ({ id: 'map', name: 'A/B\n"c"', sql, parameters: PARAMETERS } as never) : undefined,
    },
    datamapCounters: { countQuery: (query) => void counted.push(query) },
    startQuery: async (_caller, query) => {
      started.push(query);
      return {} as never;
    },
    resolveEngine: () => ({ kind, key: 'e', profile: {} }) as never,
    overflowBytesMax: 1,
  });
  const prepare = (input: object = {}, permissions: readonly Permission[] = ['datamap:read']) =>
    download(buildCaller('ann', permissions), { id: 'map', format: 'csv', parameters: { year: ['2026'] }, ...input });
  return { started, counted, prepare };
}

describe('a download of a datamap', () => {
  it('runs its SQL with the values of its parameters, and is counted', async () => {
    const { started, counted, prepare } = fixture();
    const { file, start, count } = await prepare();
    expect(file).toEqual({ mediaType: 'text/csv', filename: 'A_B_"c"', extension: 'csv' });
    await start(transfer);
    await count?.();
    expect(started).toMatchObject([
      {
        action: 'DOWNLOAD_DATAMAP',
        target: 'map',
        sql: 'SELECT $year',
        parameters: [{ name: 'year' }],
        metadata: { datamap_id: 'map', format: 'csv' },
      },
    ]);
    expect(counted).toEqual([{ tenantId: 't', factId: 'map' }]);
  });

  it('as a workbook is a bundle of one statement', async () => {
    const { started, prepare } = fixture();
    await (await prepare({ format: 'xlsx' })).start(transfer);
    expect(started[0]?.bundle?.statements).toMatchObject([{ name: 'A/B\n"c"', about: 'map' }]);
  });

  it.each([
    ['without datamap:read', {}, {}, [], 'access_denied'],
    ['that does not exist', {}, { id: 'other' }, undefined, 'not_found'],
    ['without SQL', { sql: null }, {}, undefined, 'conflict'],
    ['with a value that does not fit', {}, { parameters: { year: ['x'] } }, undefined, 'invalid_request'],
    ['with a value given twice', {}, { parameters: { year: ['1', '2'] } }, undefined, 'invalid_request'],
    [
      'with a value that it does not declare',
      {},
      { parameters: { year: ['1'], a: ['1'] } },
      undefined,
      'invalid_request',
    ],
    ['in a format of another engine', { kind: 'trino' }, { format: 'parquet' }, undefined, 'not_supported'],
  ] as const)('%s is rejected', async (_, given, input, permissions, code) => {
    const { started, prepare } = fixture(given);
    await expect(prepare(input, permissions)).rejects.toMatchObject({ code });
    expect(started).toEqual([]);
  });
});
