import { expect, it } from '@jest/globals';
import { nearestNames } from './nearest-names.ts';

const NAMES = ['Aviation', 'Finance', 'Sales North', 'Sales South', 'HR'];

it.each([
  ['aviaton', ['Aviation']],
  ['Avaition', ['Aviation']],
  ['sales', ['Sales North', 'Sales South']],
  ['Sales Nroth', ['Sales North', 'Sales South']],
  ['finances', ['Finance']],
  ['rh', ['HR']],
  ['weather', []],
  ['', ['HR']],
])('nearestNames(%j) are %j', (typed, expected) => {
  expect(nearestNames(typed, NAMES)).toEqual(expected);
});
