import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { createFormat } from './create-format.ts';

const format = createFormat({ name: 'json', bigNumbers: 'string', formulas: 'prefix', progress: 'hidden' });
const COLUMNS = [
  { name: '__proto__', type: 'bigint' },
  { name: 'b"', type: 'varchar' },
];
const END = { queryId: 'q-1', rows: 2, limited: false, elapsedMs: 1 };

/** Builds a body from the JSON of the cells. */
function buildBody(rows: readonly (readonly string[])[], closing: string): unknown {
  const { separator, parts } = format.row(COLUMNS);
  const texts = rows.map((cells) =>
    parts.map((part) => ('literal' in part ? part.literal : cells[part.cell])).join(''),
  );
  return JSON.parse(format.head(COLUMNS) + texts.join(separator) + closing);
}

describe('the JSON format', () => {
  it.each([0, 1, 3])('is valid JSON with %i rows', (count) => {
    const rows = Array.from({ length: count }, (_, row) => [String(row), '"x"']);
    const body = buildBody(rows, String(format.complete(END))) as { metadata: unknown; data: object[]; error?: string };
    expect(body.metadata).toEqual({ columns: COLUMNS, type: 'metadata' });
    expect(body.data.map((row) => Object.entries(row))).toEqual(
      rows.map((_, row) => [
        ['__proto__', row],
        ['b"', 'x'],
      ]),
    );
    expect('error' in body).toBe(false);
  });

  it.each([0, 2])('is valid JSON with an error when it fails after %i rows', (count) => {
    const problem = new ProblemError('data_error', 'a "b"\n', { location: { line: 1, column: 2 } });
    const rows = Array.from({ length: count }, () => ['1', 'null']);
    const body = buildBody(rows, format.failed(problem, 'q-1') ?? '') as { data: object[] };
    expect(body.data).toHaveLength(count);
    expect(body).toMatchObject({
      error: 'a "b"\n',
      code: 'DATA_ERROR',
      query_id: 'q-1',
      location: { line: 1, column: 2 },
    });
  });

  it('is a result set with an error when it fails before its columns are known', () => {
    const ids = { queryId: 'q-1', requestId: 'r-1' };
    const body = JSON.parse(format.failedBody?.(new ProblemError('syntax_error', 'no'), ids) ?? '');
    expect(body).toEqual({
      metadata: { columns: [], type: 'metadata' },
      data: [],
      error: 'no',
      code: 'SYNTAX_ERROR',
      query_id: 'q-1',
      request_id: 'r-1',
      message: 'no',
    });
  });

  it('passes on the notation of big numbers, and never guards against formulas', () => {
    expect(format.row(COLUMNS).style).toEqual({ notation: 'json', bigNumbers: 'string', formulas: 'keep' });
  });
});
