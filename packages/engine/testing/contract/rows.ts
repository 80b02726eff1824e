import { expect, it } from '@jest/globals';
import type { Engine } from '../../src/engine.ts';
import { readResult, type TextResult } from '../read-result.ts';
import { COLUMNS, type ContractFixture, JSON_ROWS, rowsText, SIZES } from './contract-fixture.ts';

export function describeRows(fixture: ContractFixture): void {
  it.each(SIZES)('%i of them, in order, and then the end', async (n) => {
    const result = await fixture.read(fixture.sql.rows(n));
    expect(result.columns).toEqual(COLUMNS);
    expect(result.rowsText).toBe(rowsText(n));
    expect([result.rows, result.limited]).toEqual([n, false]);
    expect([result.kinds[0], result.kinds.at(-1)]).toEqual(['columns', 'end']);
    expect(result.kinds.slice(1, -1).every((kind) => kind === 'rows')).toBe(true);
  });

  it('from several engines at once', async () => {
    const engines = await Promise.all([1, 2, 3].map(() => fixture.engineFixture.open(JSON_ROWS)));
    const read = (engine: Engine): Promise<TextResult> =>
      readResult(engine, fixture.sql.rows(50_000), { format: JSON_ROWS });
    const results = await Promise.all(engines.map(read));
    for (const result of results) expect(result.rowsText).toBe(rowsText(50_000));
    await Promise.all(engines.map((engine) => engine[Symbol.asyncDispose]()));
  });

  it('with distinct names, if the statement has duplicates', async () => {
    const result = await fixture.read('SELECT 1 AS a, 2 AS b, 3 AS a');
    expect(result.columns.map((column) => column.name)).toEqual(['a', 'b', 'a_2']);
    expect(result.rowsText).toBe('{"a":1,"b":2,"a_2":3}');
  });

  it('of every type, with names that all engines share', async () => {
    const { sql, types } = fixture.sql.everyType;
    const result = await fixture.read(sql);
    expect(result.columns.map((column) => column.type)).toEqual(types);
    expect(() => JSON.parse(result.rowsText)).not.toThrow();
    expect(result.rows).toBe(1);
  });
}
