import { describe, expect, it } from '@jest/globals';
import { ExactNumber } from '../fields/exact-number.ts';
import { linkParameters, linkQuery } from './link-parameters.ts';
import {
  type DeclaredParameters,
  parameterDeclarations,
  readDeclaredParameters,
  readDeclaredStrings,
  sampleParameters,
} from './parameter-declaration.ts';
import { declaredQueryParameters, presentParameters, queryParameters } from './query-parameters.ts';

const DECLARED = parameterDeclarations.parse([
  { name: 'day', type: 'date' },
  { name: 'n', type: 'bigint', default: '9007199254740993', allowed_values: ['9007199254740993', 7] },
  { name: 'price', type: 'decimal(10,2)', required: false },
  { name: 'on', type: 'boolean', default: true },
]);
const DEFAULTS = {
  n: { type: 'bigint', value: '9007199254740993' },
  price: { type: 'decimal(10,2)', value: null },
  on: true,
};
const day = { type: 'date', value: '2010-01-31' };

const problemsOf = ({ details }: DeclaredParameters): string[] =>
  details.map(({ path, message }) => `${path} ${message}`);
const valuesOf = (read: DeclaredParameters) => {
  expect(read.details).toEqual([]);
  return presentParameters(read.parameters);
};
const listed = (strings: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(strings).map(([name, text]) => [name, [text]]));
const fromStrings = (strings: Readonly<Record<string, string>>) =>
  readDeclaredStrings(DECLARED, listed(strings), 'query.p');
const fromLists = (strings: Readonly<Record<string, readonly string[]>>) =>
  readDeclaredStrings(DECLARED, strings, 'query.p');
const fromBody = (values: Readonly<Record<string, unknown>>) =>
  readDeclaredParameters(DECLARED, queryParameters.parse(values), 'body.parameters');

describe('readDeclaredStrings', () => {
  it('reads each value as the declared type, and uses defaults, or NULL, for missing ones', () => {
    expect(valuesOf(fromStrings({ day: '2010-01-31' }))).toEqual({ day, ...DEFAULTS });
    expect(valuesOf(fromStrings({ day: '2010-01-31', n: '7', price: '1.50', on: 'false' }))).toEqual({
      day,
      n: 7,
      price: { type: 'decimal(10,2)', value: '1.50' },
      on: false,
    });
  });

  it('reports every unknown, missing, mistyped and not allowed value', () => {
    expect(problemsOf(fromStrings({ n: '8', price: 'x', on: '', nope: '1', constructor: '2' }))).toEqual([
      'query.p.nope is not a declared parameter: those are day, n, price, on',
      'query.p.constructor is not a declared parameter: those are day, n, price, on',
      'query.p.day is missing: send a value of type date',
      'query.p.n must be one of 9007199254740993, 7',
      expect.stringMatching(/^query\.p\.price must .* \(decimal\(10,2\)\)$/),
      expect.stringMatching(/^query\.p\.on must .* \(boolean\)$/),
    ]);
  });

  it('compares an allowed value by its value, not by its spelling', () => {
    const declared = parameterDeclarations.parse([{ name: 'x', type: 'decimal(5,2)', allowed_values: [1.5] }]);
    expect(valuesOf(readDeclaredStrings(declared, { x: ['1.50'] }, 'query.p'))).toEqual({
      x: { type: 'decimal(5,2)', value: '1.50' },
    });
  });

  it('rejects strings that are larger than all parameters may be', () => {
    const declared = parameterDeclarations.parse([{ name: 'x', type: 'varchar' }]);
    expect(problemsOf(readDeclaredStrings(declared, { x: ['ä'.repeat(131_072)] }, 'query.p'))).toEqual([
      'query.p must have at most 262144 bytes of names and values',
    ]);
  });

  it('reports any value as unknown if nothing is declared', () => {
    expect(problemsOf(readDeclaredStrings([], { x: ['1'] }, 'query.p'))).toEqual([
      'query.p.x is not a declared parameter: there are none',
    ]);
  });
});

describe('readDeclaredParameters', () => {
  it('reads strings and numbers as the declared type, and values that name it', () => {
    const n = new ExactNumber('9007199254740993');
    expect(valuesOf(fromBody({ day: '2010-01-31', n, price: 2, on: 'false' }))).toEqual({
      ...DEFAULTS,
      day,
      price: { type: 'decimal(10,2)', value: '2.00' },
      on: false,
    });
    const price = { type: 'decimal(10,2)', value: null };
    expect(valuesOf(fromBody({ day, n: null, price }))).toEqual({
      ...DEFAULTS,
      day,
      n: { type: 'bigint', value: null },
    });
  });

  it('reports a value of another type, null for a required parameter, and an unknown name', () => {
    const values = { day: null, n: true, price: day, on: 1, nope: 'x' };
    expect(problemsOf(fromBody(values))).toEqual([
      'body.parameters.nope is not a declared parameter: those are day, n, price, on',
      'body.parameters.day must not be null',
      'body.parameters.n must be of type bigint, not boolean',
      'body.parameters.price must be of type decimal(10,2), not date',
      'body.parameters.on must be of type boolean, not bigint',
    ]);
    expect(problemsOf(fromBody({ day: 'today', n: 8 }))).toEqual([
      expect.stringMatching(/^body\.parameters\.day must .* \(date\)$/),
      'body.parameters.n must be one of 9007199254740993, 7',
    ]);
    const text = parameterDeclarations.parse([{ name: 'x', type: 'varchar' }]);
    expect(problemsOf(readDeclaredParameters(text, queryParameters.parse({ x: 1 }), 'body.parameters'))).toEqual([
      'body.parameters.x must be of type varchar, not bigint',
    ]);
  });
});

describe('a declared list', () => {
  const LISTS = parameterDeclarations.parse([
    { name: 'ids', type: 'array(bigint)' },
    { name: 'codes', type: 'array(varchar)', default: ['EU'], allowed_values: ['EU', 'US', 'a b'] },
    { name: 'prices', type: 'array(decimal(5,2))', required: false },
  ]);
  const links = (strings: Readonly<Record<string, readonly string[]>>) =>
    readDeclaredStrings(LISTS, strings, 'query.p');
  const body = (values: Readonly<Record<string, unknown>>) =>
    readDeclaredParameters(LISTS, declaredQueryParameters.parse(values), 'body.parameters');
  const PRESETS = { codes: ['EU'], prices: { type: 'array(decimal(5,2))', value: null } };

  it('is declared with a default, and with the values that its items may have', () => {
    expect(LISTS[1]).toMatchObject({ type: 'array(varchar)', required: false, default: ['EU'] });
    expect(
      parameterDeclarations.parse([{ name: 'x', type: 'array(decimal(5,2))', default: [1, '9.99', null] }])[0],
    ).toMatchObject({ default: ['1.00', '9.99', null] });
    const refused = parameterDeclarations.safeParse([
      { name: 'a', type: 'array(varchar)', default: 'EU' },
      { name: 'b', type: 'array(bigint)', default: [1, 3, null], allowed_values: [1, 2] },
      { name: 'c', type: 'array(date)', allowed_values: [['2010-01-31']] },
      { name: 'd', type: 'array(date)', default: ['2010-02-30'] },
      { name: 'e', type: 'bigint', default: [1] },
    ]);
    expect(refused.error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['0.default', 'must be an array of items (array(varchar))'],
      ['1.default.1', 'must be one of allowed_values'],
      ['1.default.2', 'must be one of allowed_values'],
      ['2.allowed_values.0', 'must be one value, not a list'],
      ['3.default.0', expect.stringContaining('must be a date')],
      ['4.default', 'must be one value, not a list'],
    ]);
  });

  it('takes each string of a link as an item', () => {
    expect(valuesOf(links({ ids: ['1', '9007199254740993'], prices: ['1.5', '2'] }))).toEqual({
      ...PRESETS,
      ids: { type: 'array(bigint)', value: ['1', '9007199254740993'] },
      prices: { type: 'array(decimal(5,2))', value: ['1.50', '2.00'] },
    });
    expect(problemsOf(links({ ids: ['1', 'x'], codes: ['EU', 'FR', ''] }))).toEqual([
      expect.stringMatching(/^query\.p\.ids\[1\] must be an integer/),
      'query.p.codes[1] must be one of EU, US, a b',
      'query.p.codes[2] must be one of EU, US, a b',
    ]);
    expect(problemsOf(fromLists({ day: ['2010-01-31', '2010-02-01'] }))).toEqual([
      'query.p.day must be given only once',
    ]);
  });

  it('takes an array of a body, whose strings and numbers are read as the type of its items', () => {
    expect(valuesOf(body({ ids: ['1', '2'], codes: ['a b'], prices: [1, 2] }))).toEqual({
      ids: [1, 2],
      codes: ['a b'],
      prices: { type: 'array(decimal(5,2))', value: ['1.00', '2.00'] },
    });
    expect(valuesOf(body({ ids: [], codes: [], prices: [null] }))).toEqual({
      ids: { type: 'array(bigint)', value: [] },
      codes: { type: 'array(varchar)', value: [] },
      prices: { type: 'array(decimal(5,2))', value: [null] },
    });
    expect(problemsOf(body({ ids: ['x'], codes: 'EU', prices: [true] }))).toEqual([
      expect.stringMatching(/^body\.parameters\.ids\[0\] must be an integer/),
      'body.parameters.codes must be of type array(varchar), not varchar',
      'body.parameters.prices must be of type array(decimal(5,2)), not array(boolean)',
    ]);
    expect(problemsOf(body({ ids: [1, null], codes: ['EU', null] }))).toEqual([
      'body.parameters.codes[1] must be one of EU, US, a b',
    ]);
    expect(problemsOf(fromBody({ day: ['2010-01-31'] }))).toEqual([
      'body.parameters.day must be of type date, not array(varchar)',
    ]);
  });

  it('has a sample for the engine that describes the SQL', () => {
    expect(presentParameters(sampleParameters(LISTS))).toEqual({
      ids: [1],
      codes: ['EU'],
      prices: { type: 'array(decimal(5,2))', value: ['0.00'] },
    });
  });
});

describe('the query string of a link', () => {
  const schema = linkQuery({});

  it('has parameters by name, without p.', () => {
    expect(linkParameters(schema.parse({ 'p.day': '2010-01-31', 'p.p.x': '', 'p.': '1' }))).toEqual({
      day: ['2010-01-31'],
      'p.x': [''],
      '': ['1'],
    });
    expect(linkParameters(schema.parse({ 'p.ids': ['SFO', 'JFK'] }))).toEqual({ ids: ['SFO', 'JFK'] });
  });

  it('rejects other keys, and more than 1,000 parameters', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`p.a${index}`, '1']));
    expect(schema.safeParse(many(1_000)).success).toBe(true);
    expect(schema.safeParse({ ...many(1_001), size: '1' }).error?.issues).toEqual([
      expect.objectContaining({ code: 'unrecognized_keys', keys: ['size'] }),
      expect.objectContaining({ path: ['p'], message: 'must hold at most 1000 parameters' }),
    ]);
  });
});
