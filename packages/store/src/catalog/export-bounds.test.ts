import { expect, it } from '@jest/globals';
import { idBounds, tableBounds } from './export-bounds.ts';

it.each([
  [[], '', ['', '', ''], ['\u{10FFFF}', '', '']],
  [[], 'de', ['de', '', ''], ['de\u{10FFFF}', '', '']],
  [['demo'], 've', ['demo', 've', ''], ['demo', 've\u{10FFFF}', '']],
  [['demo', 'vega'], '100%_', ['demo', 'vega', '100%_'], ['demo', 'vega', '100%_\u{10FFFF}']],
])('tableBounds encloses the tables of %j that begin with %j', (parents, beginning, first, end) => {
  expect(tableBounds({ parents, beginning }, undefined)).toEqual({ first, end });
});

it('tableBounds continues directly after a table', () => {
  const { first } = tableBounds({ parents: ['demo'], beginning: '' }, ['demo', 'vega', 'flights']);
  expect(first).toEqual(['demo', 'vega', 'flights\u0001']);
});

it.each([
  ['', '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ['0b6f1d0e-6', '0b6f1d0e-6000-0000-0000-000000000000', '0b6f1d0e-6fff-ffff-ffff-ffffffffffff'],
  [
    '0b6f1d0e-6a53-4c0e-9a55-2f1f3c1d7f10',
    '0b6f1d0e-6a53-4c0e-9a55-2f1f3c1d7f10',
    '0b6f1d0e-6a53-4c0e-9a55-2f1f3c1d7f10',
  ],
])('idBounds encloses the ids that begin with %j', (beginning, first, last) => {
  expect(idBounds(beginning)).toEqual({ first, last });
});

it.each(['demo', '0B', '0b6f1d0e6', '%', '0b6f1d0e-6a53-4c0e-9a55-2f1f3c1d7f100'])(
  'idBounds has no ids for %j',
  (text) => {
    expect(idBounds(text)).toBeUndefined();
  },
);
