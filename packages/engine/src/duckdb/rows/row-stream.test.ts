import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RowStreamEnd, readRows } from './row-stream.ts';

let instance: DuckDBInstance;
let connection: DuckDBConnection;
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:');
  connection = await instance.connect();
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

const MARK = 'end of result, at random';

async function read(sql: string): Promise<{ readonly text: string; readonly end: RowStreamEnd | undefined }> {
  const events = readRows(await connection.stream(sql), {
    endMark: MARK,
    separatorBytes: 1,
    longStrings: 'whole',
    interrupt: () => connection.interrupt(),
    allocate: (bytes) => new Uint8Array(bytes),
  });
  let text = '';
  for (let event = await events.next(); ; event = await events.next()) {
    if (event.done) return { text, end: event.value };
    text += Buffer.from(event.value.bytes).toString();
  }
}

describe('readRows', () => {
  it('accepts a result as complete if the mark is its last row, and returns all other rows', async () => {
    expect(await read(`SELECT ',one' UNION ALL SELECT ',two' UNION ALL SELECT '${MARK}'`)).toEqual({
      text: 'one,two',
      end: { limited: false },
    });
  });

  it('treats a result without its mark as cut', async () => {
    expect((await read("SELECT ',one'")).end).toBeUndefined();
  });

  it('treats a result as cut if a row follows the mark, because the order was not kept', async () => {
    expect((await read(`SELECT ',one' UNION ALL SELECT '${MARK}' UNION ALL SELECT ',two'`)).end).toBeUndefined();
  });

  it('treats a row that only resembles the mark as a row', async () => {
    expect((await read(`SELECT ',one' UNION ALL SELECT '${MARK} '`)).end).toBeUndefined();
  });
});
