import { describe, expect, it } from '@jest/globals';
import type { ResultEvent } from '../engine.ts';
import { jsonRows } from './json-rows.ts';

const rows = (count: number, text: string): ResultEvent => ({ kind: 'rows', rows: count, bytes: Buffer.from(text) });
const END: ResultEvent = { kind: 'end', limited: false };

async function read(...events: readonly ResultEvent[]): Promise<readonly (readonly (string | null)[])[]> {
  const source = (async function* () {
    yield* events;
  })();
  const found: (readonly (string | null)[])[] = [];
  for await (const page of jsonRows(source)) found.push(...page);
  return found;
}

describe('jsonRows', () => {
  it('reads rows with separators at either end of an event', async () => {
    expect(await read(rows(2, '{"a":"1","b":null},\n{"a":"2","b":"x"},\n'), rows(1, '{"a":"3","b":""}'), END)).toEqual([
      ['1', null],
      ['2', 'x'],
      ['3', ''],
    ]);
    expect(await read(rows(1, '{"a":"1"}'), rows(1, ',\n{"a":"2"}'), END)).toEqual([['1'], ['2']]);
  });

  it('joins the pieces of a large row, also within a character', async () => {
    const bytes = Buffer.from('{"a":"é"}');
    const pieces = [bytes.subarray(0, 7), bytes.subarray(7)];
    const events = pieces.map((piece, index): ResultEvent => ({ kind: 'rows', rows: index, bytes: piece }));
    expect(await read(...events, END)).toEqual([['é']]);
  });

  it('throws if the result is cut or is not JSON', async () => {
    await expect(read(rows(1, '{"a":"1"}'))).rejects.toMatchObject({ code: 'internal' });
    await expect(read(rows(1, '{"a":'), END)).rejects.toMatchObject({ code: 'internal' });
  });
});
