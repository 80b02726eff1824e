import { expect, it } from '@jest/globals';
import type { QueryParameter } from '@sluice/contract';
import fc from 'fast-check';
import { instantOf } from '../../src/duckdb/parameters/time-values.ts';
import { HOSTILE_STRINGS, RANDOM_TYPES, type RandomType } from '../random-parameters.ts';
import type { ContractFixture } from './contract-fixture.ts';

const VALUES_PER_TYPE = 200;
const VALUES_PER_STATEMENT = 50;

const text = (name: string, value: string): QueryParameter => ({ name, type: { name: 'varchar' }, value });
const bigint = (name: string, value: number): QueryParameter => ({
  name,
  type: { name: 'bigint' },
  value: String(value),
});

const typeText = (type: RandomType['type']): string => JSON.stringify(Object.values(type)).slice(1, -1);

/** Returns a value in a form that does not depend on the engine: digits of fractions, zones and notations of doubles differ. */
function comparable(type: RandomType['type'], value: unknown): unknown {
  const written = String(value);
  switch (type.name) {
    case 'double':
      return Object.is(Number(written), -0) ? '-0' : Number(written);
    case 'time':
      return written.replace(/\.?0*$/, '');
    case 'timestamp':
      return instantOf(written, 9);
    case 'timestamp with time zone':
      return instantOf(written, 9);
    default:
      return written;
  }
}

/** Reads the cells of one row of JSON by their text, without rounding numbers. */
function cellsOf(row: string): string[] {
  const cells = [...row.matchAll(/"c\d+":("(?:[^"\\]|\\.)*"|[^,}]+)/gs)].map(([, cell = '']) => cell);
  return cells.map((cell) => (cell.startsWith('"') ? (JSON.parse(cell) as string) : cell));
}

async function roundTrip(
  fixture: ContractFixture,
  type: RandomType['type'],
  values: readonly string[],
): Promise<string[]> {
  const parameters = values.map((value, index) => ({ name: `p${index}`, type, value }));
  const { rowsText } = await fixture.read(`SELECT ${values.map((_, index) => `$p${index} AS c${index}`).join(', ')}`, {
    parameters,
  });
  return cellsOf(rowsText);
}

const listOf = (type: RandomType['type'], value: readonly (string | null)[] | null, name = 'a'): QueryParameter => ({
  name,
  type: { name: 'array', item: type },
  value,
});

/** Returns the items of a list that was sent and selected, by their text in JSON, without rounding numbers. */
async function itemsOf(fixture: ContractFixture, parameter: QueryParameter): Promise<(string | null)[]> {
  const { rowsText } = await fixture.read('SELECT $a AS c', { parameters: [parameter] });
  const [, items = ''] = /^\{"c":\[(.*)\]\}$/s.exec(rowsText) ?? [];
  const cells = [...items.matchAll(/"(?:[^"\\]|\\.)*"|[^,]+/gs)].map(([cell]) => cell);
  return cells.map((cell) => (cell === 'null' ? null : cell.startsWith('"') ? (JSON.parse(cell) as string) : cell));
}

/** Defines the tests of parameters, with values of every type in both directions. */
export function describeParameters(fixture: ContractFixture): void {
  it.each(RANDOM_TYPES.map((random) => [typeText(random.type), random] as const))(
    `and returns ${VALUES_PER_TYPE} random values of %s exactly`,
    async (_type, { type, values }) => {
      const sample = fc.sample(values, VALUES_PER_TYPE);
      let compared = 0;
      for (let from = 0; from < sample.length; from += VALUES_PER_STATEMENT) {
        const sent = sample.slice(from, from + VALUES_PER_STATEMENT);
        const received = await roundTrip(fixture, type, sent);
        expect(received.map((value) => comparable(type, value))).toEqual(sent.map((value) => comparable(type, value)));
        compared += received.length;
      }
      expect(compared).toBe(VALUES_PER_TYPE);
    },
    120_000,
  );

  it.each(RANDOM_TYPES.map((random) => [typeText(random.type), random] as const))(
    `and returns lists of ${VALUES_PER_TYPE} random values of %s exactly`,
    async (_type, { type, values }) => {
      const sample = fc.sample(fc.option(values), VALUES_PER_TYPE);
      const received = await itemsOf(fixture, listOf(type, sample));
      const textOf = (value: string | null) => (value === null ? null : comparable(type, value));
      expect(received.map(textOf)).toEqual(sample.map(textOf));
    },
    120_000,
  );

  it('lists: empty, of NULL only, NULL itself, and of 10,000 items', async () => {
    for (const { type } of RANDOM_TYPES) {
      expect([type, await itemsOf(fixture, listOf(type, []))]).toEqual([type, []]);
      expect([type, await itemsOf(fixture, listOf(type, [null, null]))]).toEqual([type, [null, null]]);
      const { rowsText } = await fixture.read('SELECT 1 AS n WHERE $a IS NULL', { parameters: [listOf(type, null)] });
      expect([type, rowsText]).toEqual([type, '{"n":1}']);
    }
    const many = Array.from({ length: 10_000 }, (_, index) => `it's ${index}`);
    expect(await itemsOf(fixture, listOf({ name: 'varchar' }, many))).toEqual(many);
  }, 120_000);

  it('lists in IN, contains and joins, each run with its own items', async () => {
    const rows = fixture.sql.rows(10);
    for (const ids of [['3', '5'], ['7', null, '3', '7', '-1'], []]) {
      const found = ['3', '5', '7'].filter((id) => ids.includes(id)).map((id) => `{"id":${id}}`);
      for (const condition of ['id IN (SELECT x FROM unnest($ids) AS t(x))', 'contains($ids, id)']) {
        const { rowsText } = await fixture.read(
          `SELECT id FROM (${rows}) AS t WHERE coalesce(${condition}, false) ORDER BY id`,
          { parameters: [listOf({ name: 'bigint' }, ids, 'ids')] },
        );
        expect([condition, ids, rowsText]).toEqual([condition, ids, found.join(',\n')]);
      }
    }
  });

  it('lists with the type of their items, also without any', async () => {
    for (const value of [['1.10'], []]) {
      const parameters = [listOf({ name: 'decimal', precision: 5, scale: 2 }, value)];
      const { columns } = await fixture.read('SELECT $a AS a FROM (SELECT 1 AS n) AS t', { parameters });
      expect(columns).toEqual([{ name: 'a', type: 'array(decimal(5,2))' }]);
    }
  });

  it('lists never as text of the statement', async () => {
    expect(await itemsOf(fixture, listOf({ name: 'varchar' }, HOSTILE_STRINGS))).toEqual([...HOSTILE_STRINGS]);
  });

  it('never as text of the statement', async () => {
    for (const hostile of HOSTILE_STRINGS) {
      const { rowsText } = await fixture.read("SELECT $a AS a, '$a ? ''' AS b, $a AS c -- $a\n/* $a */", {
        parameters: [text('a', hostile)],
      });
      expect(JSON.parse(rowsText)).toEqual({ a: hostile, b: "$a ? '", c: hostile });
    }
  });

  it('NULL, of no type and of each type', async () => {
    for (const type of [{ name: 'unknown' } as const, ...RANDOM_TYPES.map((each) => each.type)]) {
      const parameters = [{ name: 'a', type, value: null }];
      expect((await fixture.read('SELECT 1 AS n WHERE $a IS NULL', { parameters })).rowsText).toBe('{"n":1}');
    }
  });

  it('by name: repeated, named like a keyword, and each run with its own values', async () => {
    for (const n of [3, 5]) {
      const { rowsText } = await fixture.read('SELECT $select AS a, $select + $n AS b, $n_1 AS c', {
        parameters: [bigint('select', n), bigint('n', 10 * n), text('n_1', `x${n}`)],
      });
      expect(rowsText).toBe(`{"a":${n},"b":${11 * n},"c":"x${n}"}`);
    }
  });

  it('in WHERE, LIMIT, CASE and EXPLAIN', async () => {
    const rows = fixture.sql.rows(10);
    const parameters = [bigint('from', 4), bigint('count', 3)];
    const { rowsText } = await fixture.read(
      `SELECT id, CASE WHEN id > $from THEN 1 ELSE 0 END AS later FROM (${rows}) AS t WHERE id >= $from ORDER BY id LIMIT $count`,
      { parameters },
    );
    expect(rowsText).toBe('{"id":4,"later":0},\n{"id":5,"later":1},\n{"id":6,"later":1}');
    const plan = await fixture.read(`EXPLAIN SELECT * FROM (${rows}) AS t WHERE id = $from`, {
      parameters: [bigint('from', 4)],
    });
    expect(plan.rows).toBeGreaterThan(0);
  });

  it('and keeps duplicate column names', async () => {
    const { columns } = await fixture.read('SELECT $a AS x, 2 AS x, 3 AS "X_1", $a AS y', {
      parameters: [bigint('a', 1)],
    });
    const without = await fixture.read("SELECT BIGINT '1' AS x, 2 AS x, 3 AS \"X_1\", BIGINT '1' AS y");
    expect(columns).toEqual(without.columns);
  });

  it.each([
    ['SELECT $a AS a,\n  nope FROM (SELECT 1 AS b) AS t', 'column_not_found', { line: 2, column: 3 }],
    ["SELECT 'it''s', $a, nope FROM (SELECT 1 AS b) AS t", 'column_not_found', { line: 1, column: 21 }],
    ['SELECT $a\nFROM FROM', 'syntax_error', { line: 2, column: 6 }],
    ['SELECT $a FROM (SELECT 1 AS b) AS t WHERE WHERE', 'syntax_error', { line: 1, column: 43 }],
    ['EXPLAIN /* x */\nSELECT $a, nope FROM (SELECT 1 AS b) AS t', 'column_not_found', { line: 2, column: 12 }],
    ['SELECT $a FROM no_such_table', 'table_not_found', { line: 1, column: 16 }],
  ])('and reports positions in the caller’s text: %j', async (sql, code, location) => {
    const problem = await fixture.problemOf(sql, { parameters: [text('a', "it's\n")] });
    expect([problem.code, problem.location]).toEqual([code, location]);
  });

  it('and rejects values that do not belong to the statement', async () => {
    for (const [sql, names] of [
      ['SELECT $a AS a', []],
      ['SELECT 1 AS a, ?', ['a']],
    ] as const) {
      const problem = await fixture.problemOf(sql, { parameters: names.map((name) => text(name, 'x')) });
      expect(['not_supported', 'syntax_error', 'semantic_error', 'type_error']).toContain(problem.code);
    }
    await fixture.expectReady();
  });

  it('and describes columns by the types of the values', async () => {
    const statement = {
      sql: 'SELECT $a AS a, $b AS b',
      parameters: [bigint('a', 1), { name: 'b', type: { name: 'date' } as const, value: '2020-02-29' }],
      queryId: '00000000-0000-4000-8000-000000000002',
      user: 'a@b.example',
      timeZone: 'UTC',
    };
    expect(await fixture.engine.describe(statement, new AbortController().signal)).toEqual([
      { name: 'a', type: 'bigint' },
      { name: 'b', type: 'date' },
    ]);
  });
}
