import { describe, expect, it } from '@jest/globals';
import {
  type DeclaredParameter,
  declarationOf,
  draftOfParameter,
  lossesOfParameters,
  NEW_PARAMETER,
} from './parameter-draft.ts';

const MAX: DeclaredParameter = {
  ...{ name: 'max', type: 'decimal(30,2)', description: 'Highest price', required: false },
  default: '1234567890123456789012345678.90',
  allowed_values: ['1.50', '1234567890123456789012345678.90'],
};
const NAME: DeclaredParameter = {
  ...{ name: 'name', type: 'varchar', description: null, required: true, default: null, allowed_values: null },
};

describe('the declaration of a parameter', () => {
  it('is sent as it is when it was not changed', () => {
    expect(declarationOf('max', draftOfParameter(MAX), MAX)).toEqual(MAX);
    const { default: _none, ...required } = NAME;
    expect(declarationOf('name', draftOfParameter(NAME), NAME)).toEqual(required);
  });

  it('has every digit of its values when something else of it was changed', () => {
    expect(declarationOf('max', { ...draftOfParameter(MAX), description: '' }, MAX)).toEqual({
      ...MAX,
      description: null,
    });
  });

  it('is required, has NULL, or has a default, and a list of values without blank lines', () => {
    const base = { name: 'x', type: 'bigint', description: null, allowed_values: null };
    const draft = { ...NEW_PARAMETER, type: ' bigint ', preset: '5' };
    expect(declarationOf('x', draft, undefined)).toEqual({ ...base, required: true });
    expect(declarationOf('x', { ...draft, missing: 'null' }, undefined)).toEqual({
      ...base,
      required: false,
      default: null,
    });
    expect(declarationOf('x', { ...draft, missing: 'default', allowed: '5\n\n6\n' }, undefined)).toEqual({
      ...base,
      required: false,
      default: '5',
      allowed_values: ['5', '6'],
    });
  });
});

describe('the declaration of a list', () => {
  const CODES: DeclaredParameter = {
    ...{ name: 'codes', type: 'array(varchar)', description: null, required: false },
    default: ['EU', null, 'US'],
    allowed_values: null,
  };

  it('has an item of its default in each line', () => {
    const draft = draftOfParameter(CODES);
    expect(draft.preset).toBe('EU\nUS');
    expect(declarationOf('codes', { ...draft, preset: 'EU\nFR\n' }, CODES)).toEqual({
      ...CODES,
      default: ['EU', 'FR'],
    });
    expect(declarationOf('codes', { ...draft, preset: '' }, CODES)).toEqual({ ...CODES, default: [] });
  });

  it('keeps its default when something else was changed', () => {
    const draft = { ...draftOfParameter(CODES), description: 'Regions' };
    expect(declarationOf('codes', draft, CODES)).toEqual({ ...CODES, description: 'Regions' });
  });
});

describe('what a change of parameters takes away', () => {
  const after = (max: object, ...further: string[]) =>
    new Map([
      ['max', { ...draftOfParameter(MAX), ...max }],
      ['name', draftOfParameter(NAME)],
      ...further.map((name) => [name, NEW_PARAMETER] as const),
    ]);
  const losses = (...given: Parameters<typeof after>) => lossesOfParameters([MAX, NAME], after(...given));
  const NOTHING = { gone: [], required: [], narrowed: [] };

  it('is nothing for descriptions, defaults and further values', () => {
    expect(losses({ description: 'x', preset: '1.50', allowed: `${draftOfParameter(MAX).allowed}\n2` })).toEqual(
      NOTHING,
    );
    expect(losses({ allowed: '' })).toEqual(NOTHING);
  });

  it('is what is gone, what must be sent, and values that are no longer accepted', () => {
    expect(lossesOfParameters([MAX, NAME], new Map())).toEqual({ ...NOTHING, gone: ['max', 'name'] });
    expect(losses({ missing: 'rejected' }, 'new')).toEqual({ ...NOTHING, required: ['max', 'new'] });
    expect(losses({ type: 'date' })).toEqual({ ...NOTHING, narrowed: ['max'] });
    expect(losses({ allowed: '1.50' })).toEqual({ ...NOTHING, narrowed: ['max'] });
  });
});
