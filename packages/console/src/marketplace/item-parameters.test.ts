import { describe, expect, it } from '@jest/globals';
import { type DeclaredParameter, givenValues, missingParameters, parametersOf, valueText } from './item-parameters.ts';

const declared = (name: string, given: Partial<DeclaredParameter> = {}): DeclaredParameter => ({
  name,
  type: 'varchar',
  description: null,
  required: false,
  default: null,
  allowed_values: null,
  ...given,
});
const query = (...parameters: DeclaredParameter[]) => ({
  name: 'q',
  datamap_id: 'd',
  is_published: true,
  columns: [],
  parameters,
});

describe('parameters of an item', () => {
  it('have each name once, and are required if one query requires them', () => {
    const queries = [query(declared('a'), declared('b')), query(declared('a', { required: true }), declared('c'))];
    expect(parametersOf({ queries }).map(({ name, required }) => [name, required])).toEqual([
      ['a', true],
      ['b', false],
      ['c', false],
    ]);
  });

  it('are sent only if they are not empty, and only if they are declared', () => {
    expect(givenValues([declared('a'), declared('b')], { a: '', b: ' x ', c: 'y' })).toEqual({ b: ' x ' });
  });

  it('have an item in each line if they are a list', () => {
    const codes = declared('codes', { type: 'array(varchar)', required: true });
    expect(givenValues([codes, declared('b')], { codes: 'SFO\n\nJFK\n', b: 'x\ny' })).toEqual({
      codes: ['SFO', 'JFK'],
      b: 'x\ny',
    });
    expect(missingParameters([codes], { codes: '\n' })).toEqual(['codes']);
    expect(givenValues([codes], { codes: '\n' })).toEqual({});
  });

  it('are missing if they are empty and required', () => {
    const all = [declared('a', { required: true }), declared('b'), declared('c', { required: true })];
    expect(missingParameters(all, { c: '0' })).toEqual(['a']);
  });

  it('show values as they are sent', () => {
    expect([valueText('EU'), valueText(5), valueText(true), valueText(null)]).toEqual(['EU', '5', 'true', 'null']);
  });
});
