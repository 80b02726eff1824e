import { describe, expect, it } from '@jest/globals';
import type { QueryParameter } from '@sluice/contract';
import { ProblemError } from '@sluice/contract/problems';
import fc from 'fast-check';
import { HOSTILE_STRINGS, RANDOM_TYPES, type RandomType } from '../../../testing/random-parameters.ts';
import { lexTrinoSql } from '../guard/sql-lexer.ts';
import { bindStatement } from './bound-statement.ts';
import { trinoLiteral } from './value-literal.ts';

const text = (name: string, value: string): QueryParameter => ({ name, type: { name: 'varchar' }, value });
const tokensOf = (sql: string) => [...lexTrinoSql(sql)].map(({ kind, text: written }) => `${kind} ${written}`);

describe('trinoLiteral', () => {
  it('writes any string as one literal of that string', () => {
    const texts = fc.oneof(fc.constantFrom(...HOSTILE_STRINGS), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(texts, (value) => {
        const tokens = [...lexTrinoSql(trinoLiteral(text('a', value)))];
        expect(tokens.map(({ kind }) => kind)).toEqual(['string']);
        expect(tokens[0]?.text.slice(1, -1).replaceAll("''", "'")).toBe(value);
      }),
    );
  });

  it.each(RANDOM_TYPES.map((each) => [JSON.stringify(each.type), each] as const))(
    'writes one string of digits and marks for %s',
    (_type, { type, values }) => {
      fc.assert(
        fc.property(values, (value) => {
          const tokens = [...lexTrinoSql(trinoLiteral({ name: 'a', type, value }))];
          expect(tokens.filter(({ kind }) => kind === 'string')).toHaveLength(1);
          expect(tokens.every(({ kind }) => kind !== 'unknown' && kind !== 'name')).toBe(true);
        }),
      );
    },
  );
});

describe('trinoLiteral of a list', () => {
  const listOf = (type: RandomType['type'], value: readonly (string | null)[] | null): QueryParameter => ({
    name: 'a',
    type: { name: 'array', item: type },
    value,
  });

  it('has the type of its items', () => {
    expect(trinoLiteral(listOf({ name: 'bigint' }, ['1', null]))).toBe(
      "CAST(ARRAY[BIGINT '1', CAST(NULL AS bigint)] AS array(bigint))",
    );
    expect(trinoLiteral(listOf({ name: 'time' }, []))).toBe('CAST(ARRAY[] AS array(time(6)))');
    expect(trinoLiteral(listOf({ name: 'varchar' }, null))).toBe('CAST(NULL AS array(varchar))');
    expect(trinoLiteral(listOf({ name: 'decimal', precision: 3, scale: 2 }, ['1.10']))).toBe(
      "CAST(ARRAY[CAST('1.10' AS decimal(3,2))] AS array(decimal(3,2)))",
    );
  });

  it.each(RANDOM_TYPES.map((each) => [JSON.stringify(each.type), each] as const))(
    'writes one string for each item of %s, whatever the items are',
    (_type, { type, values }) => {
      fc.assert(
        fc.property(fc.array(values), (items) => {
          const tokens = [...lexTrinoSql(trinoLiteral(listOf(type, items)))];
          const strings = tokens.filter(({ kind }) => kind === 'string').map(({ text: written }) => written);
          expect(strings.map((written) => written.slice(1, -1).replaceAll("''", "'"))).toEqual(items);
          expect(tokens.every(({ kind }) => kind !== 'unknown' && kind !== 'name')).toBe(true);
        }),
      );
    },
  );
});

describe('bindStatement', () => {
  it('sends SQL without parameters as it is', () => {
    const { text: same, executable } = bindStatement("SELECT '$a' -- $b");
    expect([same, executable(same)]).toEqual(["SELECT '$a' -- $b", "SELECT '$a' -- $b"]);
  });

  it('keeps the length of the text, and repeats the value of a repeated name', () => {
    const bound = bindStatement("SELECT $abc, '$abc', $b,\n$abc", [text('abc', "it's"), text('b', '')]);
    expect(bound.text).toBe("SELECT ?   , '$abc', ? ,\n?   ");
    expect(bound.executable(bound.text)).toBe(
      "EXECUTE IMMEDIATE\n'\nSELECT ?   , ''$abc'', ? ,\n?   ' USING 'it''s', '', 'it''s'",
    );
  });

  it('puts EXPLAIN around it', () => {
    const bound = bindStatement('explain /* x */ (type logical,\nformat json) SELECT $a', [text('a', 'x')]);
    const sent = bound.executable(bound.text);
    expect(sent.split('\n')[0]).toBe('EXPLAIN ( TYPE LOGICAL , FORMAT JSON ) EXECUTE IMMEDIATE');
    expect(sent.split('\n').at(-1)).toBe("             SELECT ? ' USING 'x'");
  });

  it('is one statement with one string per value, whatever the values are', () => {
    const values = fc.array(fc.oneof(fc.constantFrom(...HOSTILE_STRINGS), fc.string({ unit: 'binary' })), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(values, (given) => {
        const sql = `SELECT ${given.map((_, index) => `$p${index}`).join(', ')} -- '`;
        const bound = bindStatement(
          sql,
          given.map((value, index) => text(`p${index}`, value)),
        );
        const kinds = tokensOf(bound.executable(bound.text)).map((token) => token.split(' ')[0]);
        const strings = given.flatMap(() => ['string', 'mark']).slice(0, -1);
        expect(kinds).toEqual(['word', 'word', 'string', 'word', ...strings]);
      }),
    );
  });

  it('returns locations in the caller’s text', () => {
    const { withCallerLocation } = bindStatement('SELECT $a', [text('a', 'x')]);
    const at = (line: number) =>
      (withCallerLocation(new ProblemError('data_error', 'x', { location: { line, column: 8 } })) as ProblemError)
        .location;
    expect([at(3), at(4), at(1)]).toEqual([{ line: 1, column: 8 }, { line: 2, column: 8 }, undefined]);
  });

  it('rejects a parameter without a value', () => {
    expect(() => bindStatement('SELECT $a, $b', [text('a', 'x')])).toThrow('$b has no value');
  });
});
