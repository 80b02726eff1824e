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
    longTexts: 'whole',
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
  it('takes a result for whole when the mark is its last row, and gives all others', async () => {
    expect(await read(`SELECT ',one' UNION ALL SELECT ',two' UNION ALL SELECT '${MARK}'`)).toEqual({
      text: 'one,two',
      end: { limited: false },
    });
  });

  it('takes a result without its mark for cut', async () => {
    expect((await read("SELECT ',one'")).end).toBeUndefined();
  });

  it('takes a result for cut when a row comes behind the mark, since the order was not kept', async () => {
    expect((await read(`SELECT ',one' UNION ALL SELECT '${MARK}' UNION ALL SELECT ',two'`)).end).toBeUndefined();
  });

  it('takes a row that only looks like the mark for a row', async () => {
    expect((await read(`SELECT ',one' UNION ALL SELECT '${MARK} '`)).end).toBeUndefined();
  });
});
