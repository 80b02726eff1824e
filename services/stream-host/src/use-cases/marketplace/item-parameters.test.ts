import { describe, expect, it } from '@jest/globals';
import { type ParameterDeclaration, parameterDeclarations } from '@sluice/contract';
import { readItemParameters } from './item-parameters.ts';

const declare = (...declared: object[]): readonly ParameterDeclaration[] =>
  parameterDeclarations.parse(declared) as readonly ParameterDeclaration[];
const YEAR = { name: 'year', type: 'integer' };
const CITY = { name: 'city', type: 'varchar' };

const valuesOf = (parameters: readonly { readonly name: string; readonly value: unknown }[]) =>
  Object.fromEntries(parameters.map(({ name, value }) => [name, String(value)]));

describe('the parameters of an item', () => {
  it('are given once for every query that declares the name', () => {
    const read = readItemParameters([declare(YEAR), declare(YEAR, CITY), declare()], {
      strings: { year: ['2026'], city: ['Bern'] },
    });
    expect(valuesOf(read.all)).toEqual({ year: '2026', city: 'Bern' });
    expect(read.byQuery.map(valuesOf)).toEqual([{ year: '2026' }, { year: '2026', city: 'Bern' }, {}]);
  });

  it('are rejected with every problem, each once', () => {
    const read = (): unknown =>
      readItemParameters([declare(YEAR), declare(YEAR)], { strings: { year: ['never'], other: ['1'] } });
    expect(read).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    try {
      read();
    } catch (thrown) {
      const paths = (thrown as { details: { path: string }[] }).details.map(({ path }) => path);
      expect(paths.toSorted()).toEqual(['query.p.other', 'query.p.year']);
    }
  });

  it('must fit each query, also where their types differ', () => {
    const queries = [declare(CITY), declare({ ...CITY, type: 'integer' })];
    expect(() => readItemParameters(queries, { strings: { city: ['Bern'] } })).toThrow(/city/);
    expect(readItemParameters(queries, { strings: { city: ['7'] } }).byQuery.map(valuesOf)).toEqual([
      { city: '7' },
      { city: '7' },
    ]);
  });
});
